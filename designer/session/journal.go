package session

import (
	"encoding/json"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// maxSteps bounds the undo stack of a design, unless [Options] say otherwise:
// beyond 10,000 edits the oldest can no longer be undone.
const maxSteps = 10_000

// noSteps is the stack of a design without steps.
var noSteps = stack{first: 1, top: 0, last: 0}

func encode(v any) (string, error) {
	raw, err := json.Marshal(v)
	return string(raw), err
}

func encodeTable(t *designer.Table) (tableRow, error) {
	body, err := encode(t)
	if err != nil {
		return tableRow{}, fmt.Errorf("encode table %q: %w", t.Name, err)
	}
	return tableRow{id: t.ID, body: body}, nil
}

// restore returns a schema of stored tables: those of the design (selectTables)
// or of its base (selectBaseTables).
func (d *Designer) restore(r reader, from statement) (*designer.Schema, error) {
	dialect := d.dialect
	if dialect == nil {
		dialect = d.m.opts.Dialect(d.row.dialect)
	}
	if dialect == nil {
		return nil, fmt.Errorf("dialect %q is not known", d.row.dialect)
	}
	path := d.m.store.path
	body, err := r.catalog(d.row.id)
	if err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}
	var c designer.Catalog
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		return nil, damaged(path, "catalog: %w", err)
	}
	bodies, err := r.bodies(from, d.row.id)
	if err != nil {
		return nil, fmt.Errorf("read tables: %w", err)
	}
	tables := make([]*designer.Table, len(bodies))
	for i, b := range bodies {
		tables[i] = new(designer.Table)
		if err := json.Unmarshal([]byte(b), tables[i]); err != nil {
			return nil, damaged(path, "table: %w", err)
		}
	}
	if from == selectTables {
		types, err := r.types(path, d.row.id)
		if err != nil {
			return nil, err
		}
		if types != nil {
			c.Types = types
		}
	}
	s, err := designer.Restore(dialect, tables, &designer.Options{NewID: d.m.opts.NewID,
		DefaultSchema: d.row.defaultSchema, Catalog: c})
	if err != nil {
		return nil, damaged(path, "%w", err)
	}
	return s, nil
}

// entry is everything one run of the pipeline writes, in one transaction.
type entry struct {
	row   designRow  // the design's row as it will be
	wipe  bool       // forget every table first
	put   []tableRow // tables that are new or changed
	drop  []designer.ID
	steps []stepRow   // pushed onto the undo stack
	base  *baseRecord // nil: stays
	show  bool        // make the design the active one

	settled bool // delete the record of a publish

	moved    []stepRow // steps that are others on top of a changed database
	barriers *barriers // nil: stay

	types []*designer.NamedType // of the design; nil: they stay

	fileReverts []FileRevert // what files took back, with this; nil: stays

	team    *teamRecord // nil: stays
	leaves  bool        // the design is no longer a team's
	replace bool        // steps take the place of all that there were
}

// baseRecord is a database that was just adopted.
type baseRecord struct {
	catalog string
	tables  []tableRow
}

// encodeBase encodes a database just read, def, with its tables under the
// design's ids, s.
func encodeBase(def designer.Definition, s *designer.Schema) (*baseRecord, error) {
	body, err := encode(designer.Catalog{Schemas: def.Schemas, Views: def.Views, Objects: def.Objects, Types: s.NamedTypes(), Numbers: def.Numbers})
	if err != nil {
		return nil, fmt.Errorf("encode catalog: %w", err)
	}
	tables, err := encodeTables(s.Tables())
	return &baseRecord{catalog: body, tables: tables}, err
}

func encodeTables(tables []*designer.Table) ([]tableRow, error) {
	rows := make([]tableRow, len(tables))
	for i, t := range tables {
		row, err := encodeTable(t)
		if err != nil {
			return nil, err
		}
		rows[i] = row
	}
	return rows, nil
}

// journal writes e. The row comes first: it may be new, and gives the id.
func (w *writer) journal(e *entry, before stack) error {
	if err := w.design(&e.row); err != nil {
		return err
	}
	id := e.row.id
	if e.wipe {
		if err := w.exec(clearTables, id); err != nil {
			return err
		}
	}
	for _, t := range e.put {
		if err := w.upsert(id, t); err != nil {
			return err
		}
	}
	for _, t := range e.drop {
		if err := w.remove(id, t); err != nil {
			return err
		}
	}
	if err := w.restack(id, before, e); err != nil {
		return err
	}
	if e.base != nil {
		if err := w.rebase(id, e.base); err != nil {
			return err
		}
	}
	if e.settled {
		if err := w.exec(deletePublish, id); err != nil {
			return err
		}
	}
	if e.show {
		return w.exec(updateActive, id)
	}
	return nil
}

// restack updates the stored steps from before to e.row.steps: it removes the
// steps that new ones replace and those beyond the limit.
func (w *writer) restack(id int64, before stack, e *entry) error {
	if e.replace {
		if err := w.forgetSteps(id, 0); err != nil {
			return err
		}
		before = noSteps
	}
	if len(e.steps) > 0 && before.undone() > 0 || e.row.steps == noSteps && before != noSteps {
		keep := before.top
		if e.row.steps == noSteps {
			keep = 0
		}
		if err := w.forgetSteps(id, keep); err != nil {
			return err
		}
	}
	if len(e.steps) == 0 && e.row.steps.last < before.last {
		if err := w.forgetSteps(id, e.row.steps.last); err != nil {
			return err
		}
	}
	for _, s := range e.moved {
		if err := w.exec(updateStep, s.change, id, s.seq); err != nil {
			return err
		}
	}
	for _, s := range e.steps {
		if err := w.step(id, s); err != nil {
			return err
		}
	}
	if e.row.steps.first > before.first {
		return w.exec(deleteStepsUpTo, id, e.row.steps.first-1)
	}
	return nil
}

func (w *writer) rebase(id int64, b *baseRecord) error {
	if err := w.exec(upsertCatalog, id, b.catalog); err != nil {
		return err
	}
	if err := w.exec(clearBaseTables, id); err != nil {
		return err
	}
	for _, t := range b.tables {
		if err := w.exec(insertBaseTable, id, string(t.id), t.body); err != nil {
			return err
		}
	}
	return nil
}
