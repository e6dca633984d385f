package enginetest

import (
	"slices"
	"strconv"

	"github.com/berth-dev/berth/designer"
)

func (d *editGenerator) addColumn() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.Columns) < 14 })
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.AddColumn, Table: refTo(t), Column: d.newColumn(d.facts[t.ID].count > 0)}}
}

// newColumn is one that a table with rows can take.
func (d *editGenerator) newColumn(rows bool) designer.ColumnSpec {
	kind, dataType := d.drawKind()
	spec := designer.ColumnSpec{Name: new(d.name("c")), DataType: &dataType}
	if text := d.defaultFor(kind); text != "" && d.oneIn(2) {
		spec.DefaultValue = &text
	}
	must := d.oneIn(3) && (spec.DefaultValue != nil || !rows || d.wildly())
	spec.IsNullable = new(!must)
	return spec
}

func (d *editGenerator) addComputed() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.Columns) < 14 })
	if !ok {
		return nil
	}
	formula, ok := d.drawFormula(t, "")
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.AddColumn, Table: refTo(t), Column: designer.ColumnSpec{
		Name: new(d.name("calc")), DataType: new(d.typeOf(designer.KindDecimal) + "(30,4)"),
		IsComputed: new(true), ComputedPersisted: new(true), ComputedFormula: &formula}}}
}

// drawFormula computes with ordinary numbers of the table.
func (d *editGenerator) drawFormula(t *designer.Table, but designer.ID) (string, bool) {
	numbers := filter(t.Columns, func(c designer.Column) bool {
		return c.ID != but && !c.IsComputed && !c.IsIdentity && isInteger(d.holds(c))
	})
	a, ok := pick(d, numbers)
	if !ok {
		return "", false
	}
	b, _ := pick(d, numbers)
	text, _ := pick(d, []string{d.quote(a.Name) + " + 1", d.quote(a.Name) + " * 2", d.quote(a.Name) + " + " + d.quote(b.Name)})
	return text, true
}

func isInteger(k designer.TypeKind) bool {
	return k == designer.KindInt16 || k == designer.KindInt32 || k == designer.KindInt64
}

func (d *editGenerator) formula() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return c.IsComputed && d.freeTo(c.ID) })
	if !ok {
		return nil
	}
	formula, ok := d.drawFormula(t, c.ID)
	if !ok {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{ComputedFormula: &formula})}
}

func (d *editGenerator) dropColumn() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		return len(t.Columns) > 3 && d.freeTo(c.ID) && !c.IsIdentity
	})
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.DropColumn, Table: refTo(t), ColumnRef: designer.ObjectRef{Name: c.Name}}}
}

func (d *editGenerator) renameColumn() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return d.freeTo(c.ID) })
	if !ok {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{Name: new(d.name("r"))})}
}

func (d *editGenerator) renameAndChange() []designer.Edit {
	edits := d.widen()
	if len(edits) == 1 {
		edits[0].SetColumn.Name = new(d.name("rw"))
	}
	return edits
}

// widen gives a column a type that takes all it has.
func (d *editGenerator) widen() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return !c.IsComputed && d.freeTo(c.ID) })
	if !ok {
		return nil
	}
	var dataType string
	switch kind := d.holds(c); {
	case kind == designer.KindInt16:
		dataType = d.typeOf(designer.KindInt32)
	case kind == designer.KindInt32:
		dataType = d.typeOf(designer.KindInt64)
	case kind == designer.KindInt64 && !c.IsIdentity:
		dataType = d.typeOf(designer.KindDecimal) + "(24,0)"
	case kind == designer.KindDecimal && c.Precision > 0 && c.Precision < 26:
		more := d.random.IntN(2)
		dataType = d.typeOf(kind) + "(" + strconv.Itoa(c.Precision+1+more) + "," + strconv.Itoa(c.Scale+more) + ")"
	case kind == designer.KindVarchar && !indexed(t, c) && d.oneIn(4):
		dataType = d.typeOf(designer.KindText)
	case kind == designer.KindVarchar && !endless(c):
		length, _ := strconv.Atoi(c.MaxLength)
		dataType = c.DataType + "(" + strconv.Itoa(length+5) + ")"
	case kind == designer.KindDate:
		dataType = d.typeOf(designer.KindTimestamp)
	default:
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{DataType: &dataType})}
}

// retype makes a number a text: where nothing computes with it, that goes.
func (d *editGenerator) retype() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		return !c.IsComputed && !c.IsIdentity && isNumber(d.holds(c)) && d.freeTo(c.ID) && (!mentioned(t, c) || d.wildly())
	})
	if !ok {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{DataType: new(d.typeOf(designer.KindVarchar) + "(40)")})}
}

// shorten gives a text a length that its rows still have room in.
func (d *editGenerator) shorten() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool {
		return !c.IsComputed && d.holds(c) == designer.KindVarchar && d.freeTo(c.ID)
	})
	if !ok {
		return nil
	}
	longest := len(c.DefaultValue)
	for _, v := range d.facts[t.ID].columns[c.ID] {
		longest = max(longest, len(v))
	}
	if d.wildly() {
		longest = 1
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{MaxLength: new(strconv.Itoa(longest + 4))})}
}

func (d *editGenerator) nullability() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return !c.IsComputed && d.freeTo(c.ID) })
	if !ok || c.IsNullable && !d.full(t, c) && !d.wildly() {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{IsNullable: new(!c.IsNullable)})}
}

// full reports whether the column is known to have a value in every row.
func (d *editGenerator) full(t *designer.Table, c designer.Column) bool {
	rows := d.facts[t.ID]
	return rows.count == 0 || len(rows.columns[c.ID]) == rows.count && rows.nulls(c.ID) == 0
}

func (d *editGenerator) setDefault() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return !c.IsComputed && !c.IsIdentity })
	if !ok {
		return nil
	}
	text := d.defaultFor(d.holds(c))
	if length, err := strconv.Atoi(c.MaxLength); err == nil && length < len(text) || d.oneIn(3) {
		text = ""
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{DefaultValue: &text})}
}

// identity lets a key number its rows, or no more.
func (d *editGenerator) identity() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		key := t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 && t.PrimaryKey.Columns[0] == c.ID
		return key && isInteger(d.holds(c)) && !d.pinned[t.ID] && c.DefaultValue == "" && len(d.design.Incoming(t.ID)) == 0 &&
			!slices.ContainsFunc(t.ForeignKeys, func(k designer.ForeignKey) bool { return uses(k, c.ID) })
	})
	if !ok {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{IsIdentity: new(!c.IsIdentity)})}
}

func uses(k designer.ForeignKey, id designer.ID) bool {
	return slices.ContainsFunc(k.Mappings, func(m designer.Mapping) bool { return m.Column == id })
}

func (d *editGenerator) collation() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		return !c.IsComputed && d.holds(c) == designer.KindVarchar && d.freeTo(c.ID) && len(d.design.Incoming(t.ID)) == 0 &&
			!slices.ContainsFunc(t.ForeignKeys, func(k designer.ForeignKey) bool { return uses(k, c.ID) })
	})
	if !ok {
		return nil
	}
	collation := d.Collation
	if c.Collation != "" {
		collation = ""
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{Collation: &collation})}
}

// comment says something of a table or a column, or nothing any more.
func (d *editGenerator) comment() []designer.Edit {
	t, c, ok := d.column(func(*designer.Table, designer.Column) bool { return true })
	if !ok || d.design.Dialect().Comments.None {
		return nil
	}
	text, _ := pick(d, []string{"", "plain", "it's one", "größe; -- no\n/* \\ */", `quo"ted`})
	if d.oneIn(3) {
		return []designer.Edit{{Op: designer.SetTable, Table: refTo(t), SetTable: designer.TableSet{Comment: &text}}}
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{Comment: &text})}
}

// unique makes a column unique that its rows let be so, or one that is so no
// more.
func (d *editGenerator) unique() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		return !c.IsComputed && !endless(c) && (isInteger(d.holds(c)) || d.holds(c) == designer.KindVarchar)
	})
	if !ok || !t.IsUnique(c.ID) && !d.distinct(t, []designer.ID{c.ID}) && !d.wildly() {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{IsUnique: new(!t.IsUnique(c.ID))})}
}

// exchangeColumns lets two columns of a table have each other's names.
func (d *editGenerator) exchangeColumns() []designer.Edit {
	t, a, ok := d.column(func(_ *designer.Table, c designer.Column) bool { return d.freeTo(c.ID) })
	if !ok {
		return nil
	}
	b, ok := pick(d, filter(t.Columns, func(c designer.Column) bool { return c.ID != a.ID && d.freeTo(c.ID) }))
	if !ok {
		return nil
	}
	between := d.name("between")
	named := func(c designer.Column, from, to string) designer.Edit {
		c.Name = from
		return setting(t, c, designer.ColumnSpec{Name: &to})
	}
	return []designer.Edit{named(a, a.Name, between), named(b, b.Name, a.Name), named(a, between, b.Name)}
}

// replaceColumn drops a column and adds another of its name.
func (d *editGenerator) replaceColumn() []designer.Edit {
	edits := d.dropColumn()
	if len(edits) == 0 {
		return nil
	}
	spec := d.newColumn(true)
	spec.Name = &edits[0].ColumnRef.Name
	return append(edits, designer.Edit{Op: designer.AddColumn, Table: edits[0].Table, Column: spec})
}
