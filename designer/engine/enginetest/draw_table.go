package enginetest

import "github.com/berth-dev/berth/designer"

func (d *editGenerator) addTable() []designer.Edit {
	e := designer.Edit{Op: designer.AddTable, Table: designer.TableRef{Name: d.name("t")}}
	if d.Schema != "" && d.oneIn(3) {
		e.Table.Schema, e.CreateSchema = d.Schema, true
	}
	key := designer.ColumnSpec{Name: new("id"), DataType: new(d.word("identity")), IsPrimaryKey: new(true), IsIdentity: new(d.oneIn(2))}
	if !d.oneIn(5) {
		e.InitialColumns = append(e.InitialColumns, key)
	}
	for range 1 + d.random.IntN(5) {
		e.InitialColumns = append(e.InitialColumns, d.newColumn(false))
	}
	return []designer.Edit{e}
}

func (d *editGenerator) dropTable() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return d.freeTo(t.ID) && len(d.design.Incoming(t.ID)) < 3 })
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.DropTable, Table: refTo(t)}}
}

func (d *editGenerator) renameTable() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return d.freeTo(t.ID) })
	if !ok {
		return nil
	}
	return []designer.Edit{{Op: designer.SetTable, Table: refTo(t), SetTable: designer.TableSet{Name: new(d.name("n"))}}}
}

func (d *editGenerator) moveTable() []designer.Edit {
	t, ok := d.table(func(t *designer.Table) bool { return d.freeTo(t.ID) })
	if !ok || d.Schema == "" {
		return nil
	}
	to := d.Schema
	if t.Schema == to {
		to = d.DefaultSchema
	}
	set := designer.TableSet{Schema: &to}
	if d.oneIn(3) {
		set.Name = new(d.name("m"))
	}
	return []designer.Edit{{Op: designer.SetTable, Table: refTo(t), SetTable: set, CreateSchema: true}}
}

// exchangeTables lets two tables of a schema have each other's names.
func (d *editGenerator) exchangeTables() []designer.Edit {
	a, ok := d.table(func(t *designer.Table) bool { return d.freeTo(t.ID) })
	if !ok {
		return nil
	}
	b, ok := d.table(func(t *designer.Table) bool { return t.ID != a.ID && t.Schema == a.Schema && d.freeTo(t.ID) })
	if !ok {
		return nil
	}
	named := func(t *designer.Table, to string) designer.Edit {
		return designer.Edit{Op: designer.SetTable, Table: refTo(t), SetTable: designer.TableSet{Name: &to}}
	}
	return []designer.Edit{named(a, d.name("between")), named(b, a.Name), named(a, b.Name)} // by id: the names are in motion
}
