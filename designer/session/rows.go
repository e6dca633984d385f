package session

import (
	"database/sql"
	"errors"
	"time"

	"github.com/berth-dev/berth/designer"
)

// designRow is the stored state of a design without its tables and steps.
type designRow struct {
	id            int64 // 0: not stored yet
	connectionID  string
	name          string
	target        designer.Target
	defaultSchema string
	dialect       string
	version       string
	baseVersion   string
	seenVersion   string
	steps         stack
	tables        int // how many; counted, not stored
}

// stack is the position of a design in its undo and redo steps, which are
// numbered without gaps: first..top are done, top+1..last are undone.
type stack struct{ first, top, last int64 }

func (s stack) done() int   { return int(s.top - s.first + 1) }
func (s stack) undone() int { return int(s.last - s.top) }

// next returns the number of the step that undo (back) or redo would take.
func (s stack) next(back bool) int64 {
	if back {
		return s.top
	}
	return s.top + 1
}

func (s *stack) move(back bool) {
	if back {
		s.top--
	} else {
		s.top++
	}
}

// tableRow is one stored table.
type tableRow struct {
	id   designer.ID
	body string // JSON
}

// stepRow is one stored undo or redo step.
type stepRow struct {
	seq         int64
	batch       string
	origin      string
	at          time.Time
	description string
	change      string  // JSON
	author      string  // in a team; ""
	client      string  // the program that asked for it; ""
	undoes      []int64 // the steps that it took back, in a team; nil
}

func (r reader) designs() ([]designRow, error) {
	var list []designRow
	err := r.each(selectDesigns, func(rows *sql.Rows) error {
		var d designRow
		err := rows.Scan(&d.id, &d.connectionID, &d.name, &d.target.Server, &d.target.Database,
			&d.defaultSchema, &d.dialect, &d.version, &d.baseVersion, &d.seenVersion,
			&d.steps.first, &d.steps.top, &d.steps.last, &d.tables)
		list = append(list, d)
		return err
	})
	return list, err
}

func (r reader) active() (design int64, err error) {
	err = r.row(selectActive).Scan(&design)
	return design, err
}

// bodies reads the tables of a design as it stands (selectTables) or of its
// base (selectBaseTables).
func (r reader) bodies(st statement, design int64) ([]string, error) {
	var list []string
	err := r.each(st, func(rows *sql.Rows) error {
		var body string
		err := rows.Scan(&body)
		list = append(list, body)
		return err
	}, design)
	return list, err
}

func (r reader) catalog(design int64) (body string, err error) {
	err = r.row(selectCatalog, design).Scan(&body)
	return body, err
}

// steps reads the steps numbered from..to, the older first.
func (r reader) steps(design, from, to int64) ([]stepRow, error) {
	var list []stepRow
	err := r.each(selectSteps, func(rows *sql.Rows) error {
		var s stepRow
		var at int64
		var undoes string
		err := rows.Scan(&s.seq, &s.batch, &s.origin, &at, &s.description, &s.change, &s.author, &undoes, &s.client)
		s.at, s.undoes = time.UnixMilli(at).UTC(), stepNumbers(undoes)
		list = append(list, s)
		return err
	}, design, from, to)
	return list, err
}

// marks reads what undo has to know of a shared design's steps, oldest first.
func (r reader) marks(design int64) ([]mark, error) {
	var list []mark
	err := r.each(selectMarks, func(rows *sql.Rows) error {
		var m mark
		var undoes string
		err := rows.Scan(&m.seq, &m.batch, &m.origin, &m.author, &undoes)
		m.undoes = stepNumbers(undoes)
		list = append(list, m)
		return err
	}, design)
	return list, err
}

// step returns the row in its exported form.
func (s stepRow) step() Step {
	return Step{Number: s.seq, BatchID: s.batch, Origin: s.origin, At: s.at, Description: s.description, Author: s.author, Client: s.client}
}

// document reads what a page stored with a design; "" and 0 if there is
// nothing.
func (r reader) document(design int64, name string) (body string, counter int64, err error) {
	err = r.row(selectDocument, design, name).Scan(&body, &counter)
	if errors.Is(err, sql.ErrNoRows) {
		return "", 0, nil
	}
	return body, counter, err
}

// columns lists the row's fields in the order the statements take them.
func (row *designRow) columns() []any {
	return []any{row.connectionID, row.name, row.target.Server, row.target.Database, row.defaultSchema,
		row.dialect, row.version, row.baseVersion, row.seenVersion, row.steps.first, row.steps.top, row.steps.last}
}

// design writes the row, giving it an id if it has none.
func (w *writer) design(d *designRow) error {
	if d.id == 0 {
		return w.row(insertDesign, d.columns()...).Scan(&d.id)
	}
	return w.exec(updateDesign, append(d.columns(), d.id)...)
}

func (w *writer) upsert(design int64, t tableRow) error {
	return w.exec(upsertTable, design, string(t.id), t.body)
}

func (w *writer) remove(design int64, id designer.ID) error {
	return w.exec(deleteTable, design, string(id))
}

func (w *writer) step(design int64, s stepRow) error {
	return w.exec(insertStep, design, s.seq, s.batch, s.origin, s.at.UnixMilli(), s.description, s.change, s.author, stepList(s.undoes), s.client)
}
