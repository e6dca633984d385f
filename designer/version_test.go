package designer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full is a definition with something in every field.
func full() Definition {
	return Definition{
		Schemas: []string{"dbo", "sys"},
		Views:   []View{{Schema: "dbo", Name: "V", Definition: "select 1"}},
		Tables: []TableDefinition{{
			Schema: "dbo", Name: "Orders",
			Columns: []Column{
				{Name: "Id", DataType: "int", IsIdentity: true, IdentitySeed: 1, IdentityIncrement: 2},
				{Name: "Line", DataType: "int", IsNullable: true, DefaultValue: "7", Comment: "a comment"},
				{Name: "Note", DataType: "nvarchar", TypeText: "nvarchar (max)", MaxLength: "MAX", Collation: "Latin1"},
				{Name: "Total", DataType: "decimal", Precision: 10, Scale: 2, IsComputed: true, ComputedFormula: "Id*2", ComputedPersisted: true},
			},
			PrimaryKey: &KeyDefinition{Name: "PK_Orders", Columns: []string{"Id", "Line"}},
			ForeignKeys: []ForeignKeyDefinition{
				{Name: "FK_Up", ReferencedTable: TableRef{Schema: "dbo", Name: "Orders"}, OnDelete: Restrict, OnUpdate: SetNull, Deferrable: DeferrableInitEnd,
					Mappings: []NameMapping{{"Line", "Id"}, {"Id", "Line"}}},
				{Name: "FK_Gone", ReferencedTable: TableRef{Schema: "sys", Name: "Gone"}, OnDelete: NoAction, OnUpdate: Cascade,
					Mappings: []NameMapping{{"Note", "a"}}},
			},
			Indexes: []IndexDefinition{
				{Name: "IX", Where: "Total > 0", Parts: []IndexKeyDefinition{{Column: "Note", Collation: "C", Descending: true}, {Expression: "lower(Note)"}}},
				{Name: "UQ", Unique: true, Constraint: true, Parts: []IndexKeyDefinition{{Column: "Total"}}},
			},
			Checks:   []CheckDefinition{{Name: "CK", Expression: "Total > 0"}, {Name: "CK2", Expression: "Total < 9"}},
			Triggers: []string{"TR", "TR2"}, Comment: "orders", Options: map[string]string{"strict": "true"},
		}, {
			Schema: "sys", Name: "Log", Columns: []Column{{Name: "Id", DataType: "int"}},
		}},
	}
}

func built(t testing.TB, def Definition, newID func() ID) *Schema {
	t.Helper()
	s, err := Build(openDialect(), def, &Options{NewID: newID})
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

// fieldWalk changes every field of a table, one at a time, whatever the model
// comes to hold.
type fieldWalk struct {
	table *Table
	look  func(path string) // called while the field at path is changed
}

func (w fieldWalk) walk(path string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "ID" { // fresh ids have their own test
				w.walk(strings.TrimPrefix(path+"."+name, "."), v.Field(i))
			}
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		w.with(path+" gone", v, reflect.Zero(v.Type()))
		w.walk(path, v.Elem())
	case v.Kind() == reflect.Slice && v.Len() > 0:
		w.with(path+" shorter", v, v.Slice(0, v.Len()-1))
		if v.Len() > 1 {
			w.with(path+" reversed", v, reversed(v))
		}
		for i := range v.Len() {
			w.walk(path, v.Index(i))
		}
	case v.Kind() != reflect.Pointer && v.Kind() != reflect.Slice:
		w.with(path, v, w.other(v))
	}
}

// with calls look while the field has another value.
func (w fieldWalk) with(path string, field, value reflect.Value) {
	old := reflect.New(field.Type()).Elem()
	old.Set(field)
	field.Set(value)
	w.look(path)
	field.Set(old)
}

// other returns a value that a field does not have: for an id that refers to
// something, another one.
func (w fieldWalk) other(v reflect.Value) reflect.Value {
	switch value := v.Interface().(type) {
	case ID:
		if value == w.table.Columns[0].ID {
			return reflect.ValueOf(w.table.Columns[1].ID)
		}
		return reflect.ValueOf(w.table.Columns[0].ID)
	case bool:
		return reflect.ValueOf(!value)
	case int:
		return reflect.ValueOf(value + 1)
	case int64:
		return reflect.ValueOf(value + 1)
	case map[string]string:
		return reflect.ValueOf(map[string]string{"strict": "false"})
	}
	return reflect.ValueOf(v.String() + "x").Convert(v.Type())
}

func reversed(v reflect.Value) reflect.Value {
	out := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := v.Len() - 1; i >= 0; i-- {
		out = reflect.Append(out, v.Index(i))
	}
	return out
}

func TestTheVersionCoversEveryFieldThatPublishCanChange(t *testing.T) {
	outside := map[string]bool{ // carried only, or an order that means nothing
		"Columns.TypeText": true, "Triggers": true, "Triggers shorter": true, "Triggers reversed": true,
		"Columns reversed": true, "ForeignKeys reversed": true, "Indexes reversed": true, "Checks reversed": true,
		"ForeignKeys.Mappings reversed": true,
	}
	s := built(t, full(), counted())
	table := tableIn(t, s, "Orders")
	original := s.tableDigest(table)
	covered := map[string]bool{} // by path: somewhere in the table
	fieldWalk{table, func(path string) {
		covered[path] = s.tableDigest(table) != original || covered[path]
	}}.walk("", reflect.ValueOf(table).Elem())
	assert.Equal(t, original, s.tableDigest(table), "the walk has left something changed")
	for path, in := range covered {
		assert.Equal(t, !outside[path], in, "is %s in the version?", path)
	}
	for path := range outside {
		assert.Contains(t, covered, path, "a field that there is no more")
	}
	assert.Greater(t, len(covered), 50)
}

func tableIn(t testing.TB, s *Schema, name string) *Table {
	t.Helper()
	for _, table := range s.Tables() {
		if table.Name == name {
			return table.Clone()
		}
	}
	require.FailNow(t, "no such table", name)
	return nil
}

func TestTheVersionIsThatOfTheSchemaNotOfItsReading(t *testing.T) {
	original := built(t, full(), nil).Version()
	require.Regexp(t, "^[0-9a-f]{32}$", original)
	tests := []struct {
		name   string
		change func(d *Definition)
		same   bool
	}{
		{"read again with other ids", func(*Definition) {}, true},
		{"in another order", func(d *Definition) { *d = shuffled(*d, reverseInts) }, true},
		{"names in capitals", func(d *Definition) { *d = upper(t, *d) }, true},
		{"moved to the default schema", func(d *Definition) { d.Tables[0].Schema = "" }, false},
		{"other views and empty schemas", func(d *Definition) { d.Views, d.Schemas = nil, nil }, true},
		{"an action left out", func(d *Definition) { d.Tables[0].ForeignKeys[1].OnDelete = "" }, true},
		{"a table more", func(d *Definition) { d.Tables = append(d.Tables, TableDefinition{Name: "T"}) }, false},
		{"a table less", func(d *Definition) { d.Tables = d.Tables[:1] }, false},
		{"the key in another order", func(d *Definition) { d.Tables[0].PrimaryKey.Columns = []string{"Line", "Id"} }, false},
		{"a default in capitals", func(d *Definition) { d.Tables[0].Columns[1].DefaultValue = "GETDATE()" }, false},
		{"the missing target there", func(d *Definition) {
			d.Tables = append(d.Tables, TableDefinition{Schema: "sys", Name: "Gone", Columns: []Column{{Name: "a"}}})
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def := full()
			tt.change(&def)
			assert.Equal(t, tt.same, original == built(t, def, nil).Version())
		})
	}
}

func TestAKeyCountsTheSameWhetherItsTargetIsThere(t *testing.T) {
	// A database read before and after the missing table was made: nothing but
	// the table is new.
	with, without := full(), full()
	gone := TableDefinition{Schema: "sys", Name: "Gone", Columns: []Column{{Name: "a", DataType: "int"}}}
	with.Tables = append(with.Tables, gone)
	a, b := built(t, with, counted()), built(t, without, counted())
	assert.Equal(t, b.tableDigest(tableIn(t, b, "Orders")), a.tableDigest(tableIn(t, a, "Orders")))
}

// upper writes every name of a definition in capitals.
func upper(t *testing.T, d Definition) Definition {
	t.Helper()
	s := built(t, d, nil)
	var tables []*Table
	for _, table := range s.Tables() {
		c := table.Clone()
		up := func(names ...*string) {
			for _, n := range names {
				*n = strings.ToUpper(*n)
			}
		}
		up(&c.Schema, &c.Name)
		for i := range c.Columns {
			up(&c.Columns[i].Name, &c.Columns[i].DataType, &c.Columns[i].MaxLength, &c.Columns[i].Collation)
		}
		for i := range c.ForeignKeys {
			up(&c.ForeignKeys[i].Name)
			if d := c.ForeignKeys[i].Dangling; d != nil {
				up(&d.Schema, &d.Table, &d.Columns[0])
			}
		}
		for i := range c.Indexes {
			up(&c.Indexes[i].Name, &c.Indexes[i].Parts[0].Collation)
		}
		for i := range c.Checks {
			up(&c.Checks[i].Name)
		}
		if c.PrimaryKey != nil {
			up(&c.PrimaryKey.Name)
		}
		tables = append(tables, c)
	}
	restored, err := Restore(openDialect(), tables, nil)
	require.NoError(t, err)
	return restored.Definition()
}
