package rowedit

import (
	"errors"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/db/browse"
)

// Statement writes one row.
type Statement struct {
	Text   string // with placeholders
	Values []any  // int64, uint64, float64, string or []byte
	Shown  string // the same with the values in it, for people
	// NotCompared are columns of a row to delete that are not in the WHERE: they
	// were cut when they were read, or have no equality.
	NotCompared []string
	// Now asks for the row as the database has it, by its key; nil: it is new.
	Now *browse.Request
}

// Plan makes the statements of changes, in their order. def is what the
// database has by the table's name. The error is an [*Error].
func Plan(d *designer.Dialect, def designer.Definition, c Changes) ([]Statement, error) {
	switch {
	case len(c.Rows) == 0:
		return nil, invalid("there is nothing to change")
	case len(c.Rows) > MaxChanges:
		return nil, invalid("%d rows are to be changed, and %d at most are changed at once; run some of them first", len(c.Rows), MaxChanges)
	}
	t, err := newTarget(d, def, c.Table)
	if err != nil {
		return nil, err
	}
	statements, size := make([]Statement, len(c.Rows)), 0
	for i, change := range c.Rows {
		if statements[i], err = t.statement(change); err != nil {
			var said *Error
			if errors.As(err, &said) {
				said.Change = i
			}
			return nil, err
		}
		if size += len(statements[i].Shown); size > MaxText {
			return nil, invalid("the statements have more than %d bytes in all; run some of the changes first", MaxText)
		}
	}
	return statements, nil
}

func (t *target) statement(c Change) (Statement, error) {
	for _, values := range []map[string]Value{c.Row, c.Set} {
		for name, v := range values {
			switch {
			case t.column(name) == nil:
				return Statement{}, invalid("table %s has no column %s any more; refresh the rows", clip.Quote(t.def.Name), clip.Quote(name))
			case len(v.Text) > MaxValue:
				return Statement{}, invalid("the value of column %s has %d bytes, and a value has %d at most here", clip.Quote(name), len(v.Text), MaxValue)
			}
		}
	}
	w := &writer{rules: rulesOf(t)}
	var err error
	var notCompared []string
	switch c.Kind {
	case Insert:
		return t.insert(w, c)
	case Update:
		err = t.update(w, c)
	case Delete:
		notCompared, err = t.delete(w, c)
	default:
		err = invalid("a change is an insert, update or delete, not %s", clip.Quote(string(c.Kind)))
	}
	if err != nil {
		return Statement{}, err
	}
	s := w.statement()
	s.NotCompared = notCompared
	s.Now = &browse.Request{Table: t.asked, Filters: t.filters(c.Row), Limit: 2}
	return s, nil
}

func (t *target) name() string {
	name := t.dialect.QuoteIdentifier(t.def.Name)
	if t.def.Schema != "" {
		name = t.dialect.QuoteIdentifier(t.def.Schema) + "." + name
	}
	return name
}

func (t *target) insert(w *writer, c Change) (Statement, error) {
	columns, err := t.set(c)
	if err != nil {
		return Statement{}, err
	}
	w.both("INSERT INTO " + t.name())
	if len(columns) == 0 {
		if t.dialect.Name == dialectMySQL {
			w.both(" () VALUES ()")
		} else {
			w.both(" DEFAULT VALUES")
		}
		return w.statement(), nil
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = t.dialect.QuoteIdentifier(column.Name)
	}
	w.both(" (" + strings.Join(names, ", ") + ") VALUES (")
	for i, column := range columns {
		if i > 0 {
			w.both(", ")
		}
		if err := t.value(w, column, c.Set[column.Name]); err != nil {
			return Statement{}, err
		}
	}
	w.both(")")
	return w.statement(), nil
}

func (t *target) update(w *writer, c Change) error {
	columns, err := t.set(c)
	if err != nil {
		return err
	}
	if len(columns) == 0 {
		return invalid("nothing of the row is changed")
	}
	w.both("UPDATE " + t.name() + " SET ")
	for i, column := range columns {
		if i > 0 {
			w.both(", ")
		}
		w.both(t.dialect.QuoteIdentifier(column.Name) + " = ")
		if err := t.value(w, column, c.Set[column.Name]); err != nil {
			return err
		}
	}
	if err := t.found(w, c.Row); err != nil {
		return err
	}
	for _, column := range columns {
		old, ok := c.Row[column.Name]
		switch {
		case t.inKey(column):
			continue
		case !ok:
			return invalid("the value that column %s had did not come whole; read all of it, and change it then", clip.Quote(column.Name))
		}
		comparable, err := t.same(w, column, old)
		if err == nil && !comparable {
			err = invalid("values of column %s, a %s, cannot be compared, so a change by another program would not be noticed; it is not changed here", clip.Quote(column.Name), clip.Quote(column.DataType))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// delete compares every column that it can: a row that changed meanwhile is
// another one than the person saw.
func (t *target) delete(w *writer, c Change) (notCompared []string, err error) {
	w.both("DELETE FROM " + t.name())
	if err := t.found(w, c.Row); err != nil {
		return nil, err
	}
	for i := range t.def.Columns {
		column := &t.def.Columns[i]
		if t.inKey(column) {
			continue
		}
		old, comparable := c.Row[column.Name]
		if comparable {
			if comparable, err = t.same(w, column, old); err != nil {
				return nil, err
			}
		}
		if !comparable {
			notCompared = append(notCompared, column.Name)
		}
	}
	return notCompared, nil
}

// set returns the columns that a change writes, in the table's order.
func (t *target) set(c Change) ([]*designer.Column, error) {
	var columns []*designer.Column
	for i := range t.def.Columns {
		column := &t.def.Columns[i]
		v, ok := c.Set[column.Name]
		if !ok {
			continue
		}
		if err := t.writable(column); err != nil {
			return nil, err
		}
		if v.As == Null && !column.IsNullable && t.dialect.Name != dialectSQLite {
			return nil, invalid("column %s takes no NULL", clip.Quote(column.Name))
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// value writes a new value.
func (t *target) value(w *writer, c *designer.Column, v Value) error {
	if v.As == Null {
		w.both("NULL")
		return nil
	}
	if v.As == Text && strings.ContainsRune(v.Text, 0) {
		return invalid("the value for column %s has a NUL character", clip.Quote(c.Name))
	}
	term, err := w.rules.written(c, v)
	if err != nil {
		return err
	}
	w.term(term)
	return nil
}

// found begins the WHERE with the key.
func (t *target) found(w *writer, row map[string]Value) error {
	for i, name := range t.key {
		v, ok := row[name]
		if !ok {
			return invalid("the value of the key's column %s did not come whole, so the row cannot be found by it", clip.Quote(name))
		}
		c := t.column(name)
		if c == nil {
			return invalid("the key's column %s is not a column of the table", clip.Quote(name))
		}
		w.both([]string{" WHERE ", " AND "}[min(i, 1)] + t.dialect.QuoteIdentifier(name))
		if v.As == Null {
			w.both(" IS NULL")
			continue
		}
		term, err := w.rules.key(c, v)
		if err != nil {
			return err
		}
		w.both(" = ")
		w.term(term)
	}
	return nil
}

// same adds that a column has a value still; comparable is false where its
// values cannot be compared.
func (t *target) same(w *writer, c *designer.Column, old Value) (comparable bool, err error) {
	name := t.dialect.QuoteIdentifier(c.Name)
	if old.As == Null {
		w.both(" AND " + name + " IS NULL")
		return true, nil
	}
	left, terms, err := w.rules.same(c, name, old)
	if err != nil || len(terms) == 0 {
		return false, err
	}
	w.both(" AND " + left)
	if len(terms) == 1 {
		w.both(" = ")
		w.term(terms[0])
		return true, nil
	}
	for i, term := range terms {
		w.both([]string{" IN (", ", "}[min(i, 1)])
		w.term(term)
	}
	w.both(")")
	return true, nil
}

func (t *target) inKey(c *designer.Column) bool { return slices.Contains(t.key, c.Name) }

// filters find the row by its key, for people.
func (t *target) filters(row map[string]Value) []browse.Filter {
	filters := make([]browse.Filter, len(t.key))
	for i, name := range t.key {
		v := row[name]
		filters[i] = browse.Filter{Column: name, Is: browse.Equal, Value: v.Text}
		switch v.As {
		case Null:
			filters[i].Is = browse.Null
		case Blob:
			filters[i].As = browse.Blob
		case Number:
			filters[i].As = browse.Number
		}
	}
	return filters
}
