package mysql

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// alterTable leads one table from state to state, each step an ALTER TABLE:
// first columns get their names, in a step of its own because a column of a
// foreign key can be renamed only where nothing else happens; then comes all
// the rest. A virtual column that becomes an ordinary one is stored on the
// way, so that it keeps its values.
func (p *planner) alterTable(d designer.TableDiff) error {
	now := withoutKeys(d.From)
	now.Name = d.To.Name
	last := withoutKeys(d.To)
	now = p.renameColumns(now, last)
	states := []*designer.Table{}
	if stored := storedFirst(now, last); stored != nil {
		states = append(states, stored)
	}
	for _, next := range append(states, last) {
		var keys alteredKeys
		if next == last {
			keys = alteredKeys{gone: p.keysThatGo(d), come: p.keysThatCome(d)}
		}
		if err := p.alterTo(now, next, tableName(d.From), keys); err != nil {
			return err
		}
		now = next
	}
	return nil
}

// withoutKeys is a table without its foreign keys, for a state to change.
func withoutKeys(t *designer.Table) *designer.Table {
	c := *t
	c.ForeignKeys = nil
	c.Columns = append([]designer.Column(nil), t.Columns...)
	c.Checks = append([]designer.Check(nil), t.Checks...)
	c.Indexes = append([]designer.Index(nil), t.Indexes...)
	return &c
}

// storedFirst is the state in which virtual columns that become ordinary ones
// are stored; nil where there are none.
func storedFirst(from, to *designer.Table) *designer.Table {
	var state *designer.Table
	for _, a := range from.Columns {
		b := columnByID(to, a.ID)
		if b == nil || !a.IsComputed || a.ComputedPersisted || b.IsComputed {
			continue
		}
		if state == nil {
			state = withoutKeys(from)
		}
		c := columnByID(state, a.ID)
		c.ComputedPersisted = true
	}
	return state
}

// alterTo adds the step from one state to the next, and with it the way back.
// keys are foreign keys that go and come with what else changes.
func (p *planner) alterTo(from, to *designer.Table, before designer.TableName, keys alteredKeys) error {
	there, err := p.alteration(from, to)
	if err != nil || len(there.clauses)+len(keys.gone) == 0 {
		return err
	}
	back, err := p.alteration(to, from)
	if err != nil {
		return err
	}
	s := designer.Step{Comment: "Change table " + to.Name + ": " + strings.Join(there.words, ", "),
		Risks: there.risks(), Made: there.made, Tables: []designer.TableName{before}, Prechecks: p.prechecks(from.ID, there.diff)}
	there.clauses, back.clauses = keys.with(p, &s, there.clauses, back.clauses)
	s.Statement = alter(to.Name, there.clauses)
	if len(back.clauses) > 0 {
		s.Reverse = alter(to.Name, back.clauses)
	}
	p.add(s)
	p.Notes = append(p.Notes, there.notes...)
	if o := partitioning(from, to); o != "" {
		p.add(designer.Step{Statement: alter(to.Name, []string{o}), Comment: "Change the partitions of table " + to.Name,
			Reverse: alter(to.Name, []string{partitioning(to, from)}), Tables: []designer.TableName{before},
			Risks: []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}})
	}
	return nil
}

// alteration is what an ALTER TABLE does.
type alteration struct {
	from, to *designer.Table
	diff     designer.TableDiff
	remade   map[designer.ID]bool // columns that are dropped and added in one
	clauses  []string
	words    []string // the same in words
	made     string   // finds a row afterwards; "": made twice it does no harm
	rewrites bool
	mayFail  bool
	loses    bool
	invents  bool
	notes    []string
}

// alteration compares two states of a table that have the same columns under
// the same names.
func (p *planner) alteration(from, to *designer.Table) (*alteration, error) {
	diff, err := diffOf(p.d.To.Dialect(), from, to)
	if err != nil {
		return nil, err
	}
	a := &alteration{from: from, to: to, diff: diff, remade: map[designer.ID]bool{}}
	a.findRemade()
	a.dropParts()
	a.columns()
	a.addParts()
	a.options()
	return a, nil
}

// diffOf compares two states of one table, foreign keys aside.
func diffOf(d *designer.Dialect, from, to *designer.Table) (designer.TableDiff, error) {
	schema := func(t *designer.Table) (*designer.Schema, error) {
		return designer.Restore(d, []*designer.Table{t}, &designer.Options{DefaultSchema: t.Schema})
	}
	a, err := schema(from)
	if err != nil {
		return designer.TableDiff{}, fmt.Errorf("compare states of table %q: %w", to.Name, err)
	}
	b, err := schema(to)
	if err != nil {
		return designer.TableDiff{}, fmt.Errorf("compare states of table %q: %w", to.Name, err)
	}
	if d := designer.DiffOf(a, b); len(d.Changed) > 0 {
		return d.Changed[0], nil
	}
	return designer.TableDiff{From: from, To: to}, nil
}

// findRemade finds the columns that MODIFY cannot change, and those computed
// from them.
func (a *alteration) findRemade() {
	for _, c := range a.diff.Columns {
		if !c.Changed() || !c.Computed {
			continue
		}
		virtual := func(c *designer.Column) bool { return c.IsComputed && !c.ComputedPersisted }
		if virtual(c.From) != virtual(c.To) {
			a.remade[c.From.ID] = true
		}
	}
	for again := len(a.remade) > 0; again; {
		again = false
		for _, c := range a.to.Columns {
			if c.IsComputed && !a.remade[c.ID] && columnByID(a.from, c.ID) != nil && a.mentionsRemade(c.ComputedFormula) {
				a.remade[c.ID], again = true, true
			}
		}
	}
}

// mentionsRemade reports whether SQL text names a column that is remade.
func (a *alteration) mentionsRemade(text string) bool {
	for id := range a.remade {
		if c := columnByID(a.to, id); c != nil && mentions(text, c.Name) {
			return true
		}
	}
	return false
}

// do adds a clause and what it does in words.
func (a *alteration) do(clause, words string) {
	a.clauses = append(a.clauses, clause)
	if words != "" {
		a.words = append(a.words, words)
	}
}

// shownBy keeps the first query that reports whether the alteration was made.
func (a *alteration) shownBy(probe string) {
	if a.made == "" {
		a.made = probe
	}
}

// options changes what stands behind the parentheses of CREATE TABLE.
func (a *alteration) options() {
	if a.diff.Comment {
		a.do("COMMENT="+quoteString(a.to.Comment), "comment")
	}
	if !a.diff.Options {
		return
	}
	from, to := a.from.Options, a.to.Options
	keys := maps.Clone(from)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, to)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if from[key] == to[key] {
			continue
		}
		if clause := optionClause(key, to[key]); clause != "" {
			a.do(clause, key)
			a.rewrites = true
		}
	}
}

// optionClause sets one option; value "" is the default.
func optionClause(key, value string) string {
	switch {
	case key == OptionPartitionBy: // a step of its own
		return ""
	case key == OptionVersioned && value != "":
		return "ADD SYSTEM VERSIONING"
	case key == OptionVersioned:
		return "DROP SYSTEM VERSIONING"
	case key == OptionEngine && value == "":
		return "ENGINE=InnoDB"
	case key == OptionEngine:
		return "ENGINE=" + value
	case key == OptionCollation && value == "":
		return "" // the database's, which is not known here
	case key == OptionCollation:
		return "DEFAULT COLLATE=" + value
	case value != "":
		return optionName(key) + "=" + value
	case slices.Contains([]string{"checksum", "delay_key_write", "max_rows", "min_rows", "avg_row_length", "key_block_size"}, key):
		return optionName(key) + "=0"
	}
	return optionName(key) + "=DEFAULT"
}

// partitioning is the clause that gives a table other partitions, "" where
// they are the same.
func partitioning(from, to *designer.Table) string {
	a, b := from.Options[OptionPartitionBy], to.Options[OptionPartitionBy]
	switch {
	case a == b:
		return ""
	case b == "":
		return "REMOVE PARTITIONING"
	}
	return "PARTITION BY " + b
}
