package enginetest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/berth-dev/berth/designer"
)

// primaryKey puts a column into its table's key, or takes it out.
func (d *editGenerator) primaryKey() []designer.Edit {
	t, c, ok := d.column(func(t *designer.Table, c designer.Column) bool {
		return !c.IsIdentity && !c.IsComputed && !endless(c) && (isInteger(d.holds(c)) || d.holds(c) == designer.KindVarchar) && d.freeTo(c.ID)
	})
	if !ok {
		return nil
	}
	in := t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.ID)
	ids := []designer.ID{c.ID}
	if t.PrimaryKey != nil {
		ids = append(ids, t.PrimaryKey.Columns...)
		if in && !d.oneIn(3) || !in && len(ids) > 3 {
			return nil
		}
		ids = slices.DeleteFunc(ids, func(id designer.ID) bool { return in && id == c.ID })
	}
	if len(ids) > 0 && !d.distinct(t, ids) && !d.wildly() {
		return nil
	}
	return []designer.Edit{setting(t, c, designer.ColumnSpec{IsPrimaryKey: new(!in)})}
}

// distinct reports whether the columns are known to tell the rows apart.
func (d *editGenerator) distinct(t *designer.Table, ids []designer.ID) bool {
	rows := d.facts[t.ID]
	for _, id := range ids {
		if len(rows.columns[id]) != rows.count {
			return false
		}
	}
	return rows.distinct(ids...)
}

func (d *editGenerator) action() *designer.Action {
	a, _ := pick(d, []designer.Action{designer.Cascade, designer.NoAction, designer.NoAction, designer.SetNull, designer.Restrict})
	if !slices.Contains(d.Engine.Dialect().ForeignKeys.Actions, a) {
		a = designer.NoAction
	}
	return &a
}

// addForeignKey adds a column and lets it refer to a table.
func (d *editGenerator) addForeignKey() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.Columns) < 14 })
	target, found := d.table(func(t *designer.Table) bool { return t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 })
	if !ok || !found {
		return nil
	}
	to := columnByID(target, target.PrimaryKey.Columns[0])
	column := designer.ColumnSpec{Name: new(d.name("fk")), DataType: &to.DataType}
	if to.MaxLength != "" {
		column.MaxLength = &to.MaxLength
	}
	if to.Precision != 0 {
		column.Precision, column.Scale = &to.Precision, &to.Scale
	}
	if to.Collation != "" {
		column.Collation = &to.Collation
	}
	edits := []designer.Edit{
		{Op: designer.AddColumn, Table: refTo(t), Column: column},
		{Op: designer.AddForeignKey, Table: refTo(t), ForeignKey: designer.ForeignKeySpec{
			ReferencedTable: new(refTo(target)), OnDelete: d.action(), OnUpdate: new(designer.NoAction),
			Mappings: []designer.NameMapping{{Column: *column.Name, ReferencedColumn: to.Name}}}},
	}
	if d.oneIn(2) {
		edits = append(edits, designer.Edit{Op: designer.AddIndex, Table: refTo(t), Index: designer.IndexSpec{
			Columns: []designer.IndexPart{{Name: *column.Name}}}})
	}
	return edits
}

// foreignKey draws a table and one of its keys.
func (d *editGenerator) foreignKey() (*designer.Table, designer.ForeignKey, bool) {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.ForeignKeys) > 0 })
	if !ok {
		return nil, designer.ForeignKey{}, false
	}
	k, _ := pick(d, t.ForeignKeys)
	return t, k, true
}

func (d *editGenerator) setForeignKey() []designer.Edit {
	t, k, ok := d.foreignKey()
	if !ok {
		return nil
	}
	e := designer.Edit{Op: designer.SetForeignKey, Table: refTo(t), ForeignKeyRef: designer.ObjectRef{ID: k.ID}}
	if d.oneIn(3) {
		e.SetForeignKey.Name = new(d.name("key"))
	} else {
		e.SetForeignKey.OnDelete = d.action()
	}
	return []designer.Edit{e}
}

func (d *editGenerator) dropForeignKey() []designer.Edit {
	t, k, ok := d.foreignKey()
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.DropForeignKey, Table: refTo(t), ForeignKeyRef: designer.ObjectRef{ID: k.ID}}}
}

// keyParts draws columns for an index.
func (d *editGenerator) keyParts(t *designer.Table) (parts []designer.IndexPart, ids []designer.ID) {
	columns := filter(t.Columns, func(c designer.Column) bool {
		switch d.holds(c) {
		case designer.KindText, designer.KindJSON, designer.KindBlob, "":
			return false
		}
		return !c.IsComputed && !endless(c)
	})
	d.random.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	for _, c := range columns[:min(len(columns), 1+d.random.IntN(3))] {
		parts = append(parts, designer.IndexPart{Name: c.Name, Descending: d.oneIn(4)})
		ids = append(ids, c.ID)
	}
	return parts, ids
}

func (d *editGenerator) addIndex() []designer.Edit {
	t, ok := d.anyTable()
	if !ok {
		return nil
	}
	parts, ids := d.keyParts(t)
	if len(parts) == 0 {
		return nil
	}
	spec := designer.IndexSpec{Columns: parts, Unique: new(d.oneIn(3) && (d.distinct(t, ids) || d.wildly()))}
	if d.oneIn(3) {
		spec.Name = new(d.name("ix"))
	}
	if _, never := d.Unsupported["add a partial index"]; !never && d.oneIn(5) {
		spec.Where = new(d.quote(parts[0].Name) + " IS NOT NULL")
	}
	d.special(t, &spec, ids)
	return []designer.Edit{{Op: designer.AddIndex, Table: refTo(t), Index: spec}}
}

// can reports whether the dialect can do a kind of edit.
func (d *editGenerator) can(kind string) bool {
	_, never := d.Unsupported[kind]
	return !never
}

// special gives an index now and then what few have.
func (d *editGenerator) special(t *designer.Table, spec *designer.IndexSpec, ids []designer.ID) {
	first := columnByID(t, ids[0])
	text := d.holds(first) == designer.KindVarchar
	switch d.random.IntN(9) {
	case 0:
		if text && d.can("add an index on an expression") && !*spec.Unique {
			spec.Columns[0] = designer.IndexPart{Expression: "lower(" + d.quote(first.Name) + ")", Descending: d.oneIn(3)}
		}
	case 1:
		rest := filter(t.Columns, func(c designer.Column) bool { return !c.IsComputed && !slices.Contains(ids, c.ID) && !endless(c) })
		if c, ok := pick(d, rest); ok && d.can("store columns beside the key of an index") {
			spec.Include = []string{c.Name}
		}
	case 2:
		if d.can("add an index with nulls at the other end") {
			spec.Columns[0].Nulls = new(map[bool]string{true: "last", false: "first"}[spec.Columns[0].Descending])
		}
	case 3:
		if length, err := strconv.Atoi(first.MaxLength); err == nil && length > 5 && text && d.can("index the beginning of a column") && !*spec.Unique {
			spec.Columns[0].Length = new(1 + d.random.IntN(5))
		}
	case 4:
		if text && d.can("add an index of another method") && !*spec.Unique && spec.Where == nil {
			spec.Method, spec.Columns = new(d.method()), []designer.IndexPart{{Name: first.Name}}
		}
	}
}

// index draws a table and one of its indexes.
func (d *editGenerator) index() (*designer.Table, designer.Index, bool) {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.Indexes) > 0 })
	if !ok {
		return nil, designer.Index{}, false
	}
	x, _ := pick(d, t.Indexes)
	return t, x, true
}

func (d *editGenerator) setIndex() []designer.Edit {
	t, x, ok := d.index()
	if !ok {
		return nil
	}
	e := designer.Edit{Op: designer.SetIndex, Table: refTo(t), IndexRef: designer.ObjectRef{ID: x.ID}}
	parts, ids := d.keyParts(t)
	switch {
	case d.oneIn(3):
		e.SetIndex.Name = new(d.name("ix"))
	case x.Unique && d.oneIn(2):
		e.SetIndex.Unique = new(false)
	case len(parts) > 0 && (!x.Unique || d.distinct(t, ids)):
		e.SetIndex.Columns = parts
	}
	return []designer.Edit{e}
}

func (d *editGenerator) dropIndex() []designer.Edit {
	t, x, ok := d.index()
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.DropIndex, Table: refTo(t), IndexRef: designer.ObjectRef{ID: x.ID}}}
}

// addCheck adds one that the rows keep: the suite's numbers are not negative,
// its texts not empty.
func (d *editGenerator) addCheck() []designer.Edit {
	t, c, ok := d.column(func(_ *designer.Table, c designer.Column) bool {
		return !c.IsComputed && !c.IsIdentity && (isNumber(d.holds(c)) || d.holds(c) == designer.KindVarchar)
	})
	if !ok {
		return nil
	}
	name := d.quote(c.Name)
	text := name + " <> 'never'"
	if isNumber(d.holds(c)) {
		text, _ = pick(d, []string{name + " > -1000", "(" + name + ">=-10 and " + name + " < 100000000)", name + " IS NULL OR " + name + " <> -77"})
		if d.wildly() {
			text = fmt.Sprintf("%s < -5", name)
		}
	}
	return []designer.Edit{{Op: designer.AddCheck, Table: refTo(t), Check: designer.CheckSpec{Expression: &text}}}
}

func (d *editGenerator) dropCheck() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return len(t.Checks) > 0 })
	if !ok {
		return nil
	}
	k, _ := pick(d, t.Checks)
	return []designer.Edit{{Op: designer.DropCheck, Table: refTo(t), CheckRef: designer.ObjectRef{ID: k.ID}}}
}
