package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// editGenerator draws edits that a server with rows can mostly accept: it knows what
// the rows hold and what views, triggers and routines read.
type editGenerator struct {
	*walker
	design *designer.Schema
	facts  map[designer.ID]tableRows
	pinned map[designer.ID]bool // tables and columns that SQL text of the database names
}

// wild is how seldom, one in so many, an edit is drawn that the server is
// likely to refuse.
const wild = 6

func (d *editGenerator) wildly() bool { return d.random.IntN(wild) == 0 }

func (d *editGenerator) oneIn(n int) bool { return d.random.IntN(n) == 0 }

func pick[T any](d *editGenerator, list []T) (one T, ok bool) {
	if len(list) == 0 {
		return one, false
	}
	return list[d.random.IntN(len(list))], true
}

// group draws edits that belong together, none where what they need is not
// there. Kinds that come twice are drawn twice as often.
func (d *editGenerator) group() []designer.Edit {
	crowded, few := d.design.Len() > 15, d.design.Len() < 8
	kinds := []func() []designer.Edit{
		d.addColumn, d.addColumn, d.addColumn, d.addColumn, d.addComputed, d.dropColumn, d.dropColumn, d.dropColumn,
		d.renameColumn, d.renameColumn, d.renameColumn, d.widen, d.widen, d.widen, d.retype, d.shorten,
		d.nullability, d.nullability, d.nullability, d.setDefault, d.setDefault, d.setDefault,
		d.identity, d.formula, d.collation, d.renameAndChange, d.comment, d.comment, d.unique, d.unique,
		d.primaryKey, d.addForeignKey, d.addForeignKey, d.addForeignKey, d.setForeignKey, d.setForeignKey, d.setForeignKey, d.dropForeignKey, d.dropForeignKey,
		d.addIndex, d.addIndex, d.addIndex, d.setIndex, d.setIndex, d.dropIndex, d.dropIndex,
		d.addCheck, d.addCheck, d.dropCheck, d.dropCheck, d.dropCheck, d.renameTable, d.moveTable, d.exchangeColumns, d.exchangeTables, d.replaceColumn,
	}
	if d.hasTypes() {
		kinds = append(kinds, d.addType, d.addTyped, d.addTyped, d.addTyped, d.setType, d.setType, d.setType, d.dropType)
	}
	if !crowded {
		kinds = append(kinds, d.addTable, d.addTable)
	}
	if !few {
		kinds = append(kinds, d.dropTable)
	}
	if crowded {
		kinds = append(kinds, d.dropTable, d.dropTable, d.dropTable)
	}
	draw, _ := pick(d, kinds)
	return draw()
}

// pinnedIn lists the tables and columns of the base that SQL text of the
// database names: what an edit of them does to views and routines is not for
// the designer to say.
func (w *walker) pinned() map[designer.ID]bool {
	var texts []map[string]bool
	for _, v := range w.base.Views() {
		texts = append(texts, words(v.Definition))
	}
	for _, o := range w.base.Objects() {
		texts = append(texts, words(o.Definition))
	}
	pinned := map[designer.ID]bool{}
	for _, t := range w.base.Tables() {
		for _, text := range texts {
			if !text[designer.Fold(t.Name)] && len(t.Triggers) == 0 {
				continue
			}
			pinned[t.ID] = true
			for _, c := range t.Columns {
				pinned[c.ID] = pinned[c.ID] || text[designer.Fold(c.Name)]
			}
		}
	}
	return pinned
}

// freeTo reports whether an object may be renamed, retyped or dropped.
func (d *editGenerator) freeTo(id designer.ID) bool { return !d.pinned[id] || d.wildly() }

// table draws one that passes, and whether there is any.
func (d *editGenerator) table(pass func(*designer.Table) bool) (*designer.Table, bool) {
	return pick(d, filter(d.design.Tables(), pass))
}

func (d *editGenerator) anyTable() (*designer.Table, bool) {
	return d.table(func(*designer.Table) bool { return true })
}

func filter[T any](list []T, pass func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !pass(v) })
}

// column draws a table and one of its columns.
func (d *editGenerator) column(pass func(*designer.Table, designer.Column) bool) (*designer.Table, designer.Column, bool) {
	t, ok := d.anyTable()
	if !ok {
		return nil, designer.Column{}, false
	}
	c, ok := pick(d, filter(t.Columns, func(c designer.Column) bool { return pass(t, c) }))
	return t, c, ok
}

func refTo(t *designer.Table) designer.TableRef {
	return designer.TableRef{Schema: t.Schema, Name: t.Name, ID: t.ID}
}

// setting is the edit that changes a column.
func setting(t *designer.Table, c designer.Column, spec designer.ColumnSpec) designer.Edit {
	return designer.Edit{Op: designer.SetColumn, Table: refTo(t), ColumnRef: designer.ObjectRef{Name: c.Name}, SetColumn: spec}
}

// name makes one that nothing has, now and then an unusual one.
func (d *editGenerator) name(stem string) string {
	d.names++
	n := strconv.Itoa(d.names)
	if !d.oneIn(6) {
		return stem + n
	}
	odd, _ := pick(d, []string{"Mixed" + n, "with space " + n, "größe" + n, `quo"te` + n, "order." + n, "it's" + n, "[b]" + n, "back`tick" + n, "select " + n, "UPPER" + n})
	return odd
}

// holds returns the kind of values in a column.
func (d *editGenerator) holds(c designer.Column) designer.TypeKind { return d.kindOf(c) }

// endless reports whether a text may be as long as any.
func endless(c designer.Column) bool { return strings.EqualFold(c.MaxLength, "max") }

// typeOf is the first type of a kind, "" where there is none.
func (d *editGenerator) typeOf(kind designer.TypeKind) string { return d.word(string(kind)) }

// drawKind draws what a new column may hold.
func (d *editGenerator) drawKind() (kind designer.TypeKind, dataType string) {
	types := map[designer.TypeKind]string{
		designer.KindInt16: "", designer.KindInt32: "", designer.KindInt64: "", designer.KindFloat64: "",
		designer.KindDate: "", designer.KindTimestamp: "", designer.KindBool: "", designer.KindText: "",
		designer.KindDecimal: fmt.Sprintf("(%d,%d)", 6+d.random.IntN(10), d.random.IntN(4)),
		designer.KindVarchar: fmt.Sprintf("(%d)", 10+d.random.IntN(90)),
	}
	kinds := filter(slices.Sorted(maps.Keys(types)), func(k designer.TypeKind) bool { return d.typeOf(k) != "" })
	kind, _ = pick(d, append(kinds, designer.KindVarchar, designer.KindInt32)) // most columns are of these
	return kind, d.typeOf(kind) + types[kind]
}

// defaultFor draws a default of a kind, "" where there is none that every
// server takes.
func (d *editGenerator) defaultFor(kind designer.TypeKind) string {
	n := 1 + d.random.IntN(9)
	switch kind {
	case designer.KindVarchar:
		text, _ := pick(d, []string{"'x'", "'it''s'", "''", "'-- no'", "'a;b'"})
		return text
	case designer.KindDate:
		return fmt.Sprintf("'2024-01-0%d'", n)
	case designer.KindTimestamp:
		return "CURRENT_TIMESTAMP"
	case designer.KindBool:
		if write := d.Literals[kind]; write != nil {
			return write(n)
		}
		return strconv.Itoa(n % 2)
	case designer.KindText, "":
		return ""
	}
	if !isNumber(kind) {
		return ""
	}
	text, _ := pick(d, []string{strconv.Itoa(n), "0", "-" + strconv.Itoa(n), "(1 + 2)"})
	return text
}

// mentioned reports whether a check, formula or condition of the table names
// the column.
func mentioned(t *designer.Table, c designer.Column) bool {
	name := []string{designer.Fold(c.Name)}
	for _, k := range t.Checks {
		if mentionsAny(k.Expression, name) {
			return true
		}
	}
	for _, o := range t.Columns {
		if mentionsAny(o.ComputedFormula, name) {
			return true
		}
	}
	return slices.ContainsFunc(t.Indexes, func(x designer.Index) bool { return mentionsAny(x.Where, name) })
}

// indexed reports whether a key or index of the table has the column.
func indexed(t *designer.Table, c designer.Column) bool {
	if t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.ID) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x designer.Index) bool {
		return slices.ContainsFunc(x.Parts, func(p designer.IndexKey) bool { return p.Column == c.ID })
	})
}
