package mssql

import (
	"github.com/berth-dev/berth/designer"
)

// work is what a plan does to one table that is there before and after: what
// is taken away first, changed, and put back.
type work struct {
	from, to *side
	diff     designer.TableDiff // empty where only keys of others make it change

	columns map[designer.ID]columnWork
	// rebuild says why the table has to be made anew, "": it has not.
	rebuild string
	parked  string // temporary name of a column that goes when the table has another

	dropKey, addKey, renameKey bool

	dropIndexes, addIndexes, renameIndexes             map[designer.ID]bool
	dropChecks, addChecks, renameChecks                map[designer.ID]bool
	dropForeignKeys, addForeignKeys, renameForeignKeys map[designer.ID]bool
	dropDefaults, addDefaults                          map[designer.ID]bool
}

// columnWork is what happens to a column that is there before.
type columnWork int

const (
	keepColumn    columnWork = iota
	widenColumn              // ALTER COLUMN, in a way that indexes and checks allow
	alterColumn              // ALTER COLUMN
	convertColumn            // a new column takes its values and its place
	renewColumn              // dropped and added: computed, or made up by the server
	dropColumn
)

func newWork(d *designer.Diff, from, to *designer.Table) *work {
	return &work{
		from: newSide(d.From, from), to: newSide(d.To, to), diff: designer.TableDiff{From: from, To: to},
		columns:     map[designer.ID]columnWork{},
		dropIndexes: map[designer.ID]bool{}, addIndexes: map[designer.ID]bool{}, renameIndexes: map[designer.ID]bool{},
		dropChecks: map[designer.ID]bool{}, addChecks: map[designer.ID]bool{}, renameChecks: map[designer.ID]bool{},
		dropForeignKeys: map[designer.ID]bool{}, addForeignKeys: map[designer.ID]bool{}, renameForeignKeys: map[designer.ID]bool{},
		dropDefaults: map[designer.ID]bool{}, addDefaults: map[designer.ID]bool{},
	}
}

// error words what a plan cannot do to the table.
func (w *work) error(message string) error {
	return &designer.PlanError{Table: designer.TableName{Schema: w.from.table.Schema, Name: w.from.table.Name}, Message: message}
}

// renamed reports whether the column gets another name.
func (w *work) renamed(id designer.ID) bool {
	to := w.to.column(id)
	return to != nil && w.from.names[id] != to.Name
}

// reached reports whether something that uses the column has to make way.
func (w *work) reached(id designer.ID) bool { return w.columns[id] >= alterColumn }

// reachedText reports whether an expression of before uses a column that
// changes: what an expression uses can be neither altered nor renamed.
func (w *work) reachedText(text string, widened bool) bool {
	if text == "" {
		return false
	}
	for i := range w.from.table.Columns {
		c := &w.from.table.Columns[i]
		changes := w.reached(c.ID) || widened && w.columns[c.ID] == widenColumn || w.renamed(c.ID)
		if changes && mentions(text, c.Name) {
			return true
		}
	}
	return false
}

// decide finds out what happens to each part. The parts that depend on each
// other are decided in the order of their dependence.
func (w *work) decide() error {
	if err := w.decideColumns(); err != nil {
		return err
	}
	w.decideComputed()
	w.decideDefaults()
	w.decideKey()
	w.decideIndexes()
	w.decideChecks()
	w.decideForeignKeys()
	return nil
}
