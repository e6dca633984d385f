package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// walk publishes random edits, one by one, and looks after each whether every
// row of every table is what it was.
func (t *trial) walk(ctx context.Context) (outcome, error) {
	db, err := t.main.open()
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = db.Close() }()
	tables, err := t.watch(ctx, db)
	if err != nil {
		return outcome{}, err
	}
	if len(tables) == 0 {
		return outcome{short: "no rows"}, nil
	}
	w := &walker{trial: t, db: db, tables: tables, random: rand.New(rand.NewPCG(t.seed, 0))}
	rows := 0
	for _, one := range tables {
		rows += one.before.count
	}
	for w.published < t.edits && w.tries < 4*t.edits && ctx.Err() == nil {
		w.tries++
		if err := w.step(ctx); err != nil {
			return outcome{}, err
		}
		for _, one := range w.tables {
			if now, err := t.readRows(ctx, db, one); err != nil || now != one.before {
				w.lost = append(w.lost, fmt.Sprintf("ROWS of %s.%s: %d before, %d now (%v) after %v", one.schema, one.name, one.before.count, now.count, err, w.last))
			}
		}
		if len(w.lost) > 0 {
			break
		}
	}
	o := outcome{short: fmt.Sprintf("%d made, %d refused, %d rows kept", w.published, len(w.refused), rows), details: slices.Concat(w.lost, w.refused)}
	if len(w.lost) > 0 {
		o.short = "ROWS CHANGED"
	}
	o.wrong = len(w.lost)+len(w.refused) > 0 || w.published == 0
	return o, nil
}

type walker struct {
	*trial
	db        *sql.DB
	tables    []*watched
	random    *rand.Rand
	tries     int // edits drawn; those that the designer refuses say nothing
	published int
	refused   []string // by the database: published they would not be
	lost      []string
	last      object
}

// step draws an edit, makes and publishes it. What is not published is undone.
func (w *walker) step(ctx context.Context) error {
	table := w.tables[w.random.IntN(len(w.tables))]
	edit, then, err := w.draw(ctx, table)
	if err != nil || edit == nil {
		return err
	}
	w.last = edit
	now, err := w.project.call(ctx, "get_overview", "", nil, object{"limit": 1})
	if err != nil {
		return err
	}
	r, err := w.project.call(ctx, "apply_edits", "", object{"expectedVersion": now.Version, "edits": []object{edit}}, nil)
	if err != nil || !r.Success || r.Version == now.Version {
		return err // the designer's rules, with the reason in its reply
	}
	problem, err := w.project.publish(ctx)
	if err != nil {
		return err
	}
	if problem == "" {
		w.published++
		then()
		return nil
	}
	w.refused = append(w.refused, fmt.Sprintf("refused: %v: %s", edit, problem))
	if r, err = w.project.call(ctx, "undo", "", object{"steps": 1}, nil); err == nil && !r.Success {
		return fmt.Errorf("undo of %v: %s", edit, r.problem())
	}
	return err
}

// draw makes up an edit of a table; then is what becomes of the names once it
// is published. edit is nil where this one does not suit.
func (w *walker) draw(ctx context.Context, table *watched) (edit object, then func(), err error) {
	ref := object{"schema": table.schema, "name": table.name}
	r, err := w.project.call(ctx, "get_table", "", object{"table": ref}, object{"includeColumns": "full"})
	if err != nil || len(r.Table.Columns) == 0 {
		return nil, nil, err
	}
	c := r.Table.Columns[w.random.IntN(len(r.Table.Columns))]
	fresh := fmt.Sprintf("walk_%d", w.tries)
	set := func(fields object) object {
		return object{"op": "set_column", "table": ref, "column": object{"name": c.Name}, "set": fields}
	}
	nothing := func() {}
	switch w.random.IntN(8) {
	case 0:
		return object{"op": "add_column", "table": ref, "column": object{"name": fresh, "dataType": "integer", "isNullable": true}}, nothing, nil
	case 1:
		return object{"op": "add_column", "table": ref, "column": object{"name": fresh, "dataType": "integer", "defaultValue": "7"}}, nothing, nil
	case 2:
		return set(object{"name": fresh}), func() { table.rename(c.Name, fresh) }, nil
	case 3:
		return object{"op": "set_table", "table": ref, "set": object{"name": fresh}}, func() { table.name = fresh }, nil
	case 4:
		return object{"op": "add_index", "table": ref, "index": object{"name": fresh, "columns": []object{{"name": c.Name}}}}, nothing, nil
	case 5:
		length, err := strconv.Atoi(fmt.Sprint(c.MaxLength))
		if err != nil {
			return nil, nil, nil
		}
		return set(object{"maxLength": length + 10}), nothing, nil
	case 6:
		return set(object{"isNullable": true}), nothing, nil
	default:
		less, err := w.without(ctx, table, c.Name)
		return object{"op": "drop_column", "table": ref, "column": object{"name": c.Name}}, func() { *table = *less }, err
	}
}

// rename has a watched column go by another name, where it is one.
func (t *watched) rename(from, to string) {
	for was, now := range t.columns {
		if now == from {
			t.columns[was] = to
		}
	}
}

// without is a table that no longer watches a column, with the rows as they
// are before it is dropped.
func (w *walker) without(ctx context.Context, t *watched, name string) (*watched, error) {
	less := *t
	less.columns = map[string]string{}
	for was, now := range t.columns {
		if now != name {
			less.columns[was] = now
		}
	}
	var err error
	less.before, err = w.readRows(ctx, w.db, &less)
	return &less, err
}
