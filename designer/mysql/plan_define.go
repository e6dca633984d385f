package mysql

import "github.com/berth-dev/berth/designer"

// The parts of a table by names, one by one.

func nameByID(t *designer.Table, id designer.ID) string {
	if c := columnByID(t, id); c != nil {
		return c.Name
	}
	return ""
}

func keyDefinition(t *designer.Table) designer.KeyDefinition {
	d := designer.KeyDefinition{Options: t.PrimaryKey.Options}
	for _, id := range t.PrimaryKey.Columns {
		d.Columns = append(d.Columns, nameByID(t, id))
	}
	return d
}

func indexDefinition(t *designer.Table, x designer.Index) designer.IndexDefinition {
	d := designer.IndexDefinition{Name: x.Name, Unique: x.Unique, Method: x.Method, Options: x.Options}
	for _, p := range x.Parts {
		d.Parts = append(d.Parts, designer.IndexKeyDefinition{Column: nameByID(t, p.Column), Expression: p.Expression,
			Descending: p.Descending, Length: p.Length})
	}
	return d
}

func checkDefinition(k designer.Check) designer.CheckDefinition {
	return designer.CheckDefinition{Name: k.Name, Expression: k.Expression, Options: k.Options}
}
