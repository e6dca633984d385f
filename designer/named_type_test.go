package designer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// harbour is a schema with an enum that columns, a check and an index have.
func harbour(t *testing.T) *Schema {
	t.Helper()
	d := serverDialect()
	d.NamedTypes = enums()
	d.Schemas.Fixed = false
	d.TypeNames = TypeNameRules{Canonical: true, Arrays: true, Enums: true}
	d.Indexes.Methods = nil
	s := emptySchema(d)
	apply(t, s, `[{"op":"add_type","type":{"name":"rig","values":["sloop","yawl","it's"],"comment":"of boats"}},
		{"op":"add_table","table":{"name":"Boats"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true},
			{"name":"Rig","dataType":"rig","defaultValue":"'sloop'"},{"name":"Rigs","dataType":"dbo.rig[]"}]},
		{"op":"add_check","table":{"name":"Boats"},"check":{"name":"CK_Rig","expression":"Rig <> 'yawl'::rig OR CAST('yawl' AS dbo.rig) = Rig"}},
		{"op":"add_index","table":{"name":"Boats"},"index":{"name":"IX_Rig","columns":["Id"],"where":"Rig = 'it''s'::dbo.rig"}}]`)
	return s
}

func TestTypesAreAddedAndNamedByColumns(t *testing.T) {
	s := harbour(t)
	types := s.NamedTypes()
	require.Len(t, types, 1)
	assert.Equal(t, []string{"sloop", "yawl", "it's"}, types[0].ValueNames())
	assert.Equal(t, types[0], s.NamedType(types[0].ID))
	assert.Equal(t, "rig", columnOf(t, s, "Boats", "Rig").DataType)
	assert.Equal(t, "rig[]", columnOf(t, s, "Boats", "Rigs").DataType)
	var uses []string
	for _, u := range s.UsesOf(types[0]) {
		uses = append(uses, u.Column.Name)
	}
	assert.Equal(t, []string{"Rig", "Rigs"}, uses)
	assert.Equal(t, []Object{{Kind: ObjectType, Schema: "dbo", Name: "rig", Values: []string{"sloop", "yawl", "it's"}, Comment: "of boats",
		Definition: `CREATE TYPE dbo.rig AS ENUM ["sloop" "yawl" "it's"]`}}, s.Objects())
	assert.Empty(t, s.Catalog().Objects)
}

func TestARenameOfATypeReachesColumnsAndTexts(t *testing.T) {
	s := harbour(t)
	first := s.Version()
	c := apply(t, s, `[{"op":"set_type","type":{"name":"RIG"},"set":{"name":"Rigging","schema":"fleet","renameValues":{"yawl":"ketch","sloop":"cutter"}},"createSchema":true}]`)[0]
	assert.Equal(t, "Rename type dbo.RIG to fleet.Rigging", c.Description)
	boats := tableOf(t, s, "Boats")
	assert.Equal(t, "fleet.Rigging", columnOf(t, s, "Boats", "Rig").DataType)
	assert.Equal(t, "'cutter'", columnOf(t, s, "Boats", "Rig").DefaultValue)
	assert.Equal(t, "fleet.Rigging[]", columnOf(t, s, "Boats", "Rigs").DataType)
	assert.Equal(t, "Rig <> 'ketch'::fleet.Rigging OR CAST('ketch' AS fleet.Rigging) = Rig", boats.Checks[0].Expression)
	assert.Equal(t, "Rig = 'it''s'::fleet.Rigging", boats.Indexes[0].Where)
	require.NoError(t, s.Check())
	s.Undo(c)
	assert.Equal(t, first, s.Version())
	assert.Equal(t, "rig", columnOf(t, s, "Boats", "Rig").DataType)
}

func TestValuesAreAddedWhereTheEditSays(t *testing.T) {
	for set, want := range map[string][]string{
		`{"addValues":["a","b"]}`:                                      {"sloop", "yawl", "it's", "a", "b"},
		`{"addValues":["a","b"],"before":"sloop"}`:                     {"a", "b", "sloop", "yawl", "it's"},
		`{"addValues":["a"],"after":"sloop"}`:                          {"sloop", "a", "yawl", "it's"},
		`{"values":["it's","sloop","new"]}`:                            {"it's", "sloop", "new"},
		`{"renameValues":{"yawl":"sloop","sloop":"yawl"}}`:             {"yawl", "sloop", "it's"},
		`{"renameValues":{"yawl":"y"},"addValues":["z"],"before":"y"}`: {"sloop", "z", "y", "it's"},
	} {
		s := harbour(t)
		before := s.NamedTypes()[0]
		apply(t, s, `[{"op":"set_type","type":{"name":"rig"},"set":`+set+`}]`)
		after := s.NamedTypes()[0]
		assert.Equal(t, want, after.ValueNames(), set)
		for _, v := range after.Values {
			if i := valueAt(before.Values, v.Name); i >= 0 && set[2] != 'r' {
				assert.Equal(t, before.Values[i].ID, v.ID, "%s: %s is the same", set, v.Name)
			}
		}
	}
}

func TestEditsOfTypesThatAreRefused(t *testing.T) {
	tests := []struct{ edit, message, field string }{
		{`{"op":"add_type","type":{"name":"rig","values":["a"]}}`, "Type 'dbo.rig' already exists", "type.name"},
		{`{"op":"add_type","type":{"name":"Boats","values":["a"]}}`, "Type 'dbo.Boats' cannot be named so: a table or view has that name", "type.name"},
		{`{"op":"add_type","type":{"name":"int","values":["a"]}}`, "Type 'dbo.int' cannot be named so: SQL Server has a type of that name", "type.name"},
		{`{"op":"add_type","type":{"name":"x"}}`, `type needs values, as ["open","closed"], or, of a domain, dataType`, "type.values"},
		{`{"op":"add_type","type":{"name":"x","values":["a","a"]}}`, `Type 'x' has the value 'a' twice`, "type.values"},
		{`{"op":"add_type","type":{"schema":"nowhere","name":"x","values":["a"]}}`, "Schema 'nowhere' not available", "type.schema"},
		{`{"op":"add_type","type":{"name":" ","values":["a"]}}`, "Type name is empty: give one", "type.name"},
		{`{"op":"add_table","table":{"name":"RIG"}}`, "Table 'dbo.RIG' cannot be named so: a type has that name", "table.name"},
		{`{"op":"set_type","type":{"name":"rigg"},"set":{}}`, "Type 'dbo.rigg' not found", "type"},
		{`{"op":"set_type","type":{},"set":{}}`, "type needs a name", "type"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"name":"Boats"}}`, "Type 'dbo.Boats' cannot be named so: a table or view has that name", "set.name"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"values":[]}}`, "Type 'dbo.rig' needs a value", "set.values"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"values":["yawl","it's"]}}`,
			"Value 'sloop' of type 'dbo.rig' is the default of column 'Rig' of 'dbo.Boats': change that default first", "set.values"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["yawl"]}}`, "Type 'rig' has the value 'yawl' twice", "set.values"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["a"],"before":"b"}}`, "Type 'dbo.rig' has no value 'b'", "set.before"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"renameValues":{"b":"c"}}}`, "Type 'dbo.rig' has no value 'b'", "set.renameValues"},
		{`{"op":"set_type","type":{"name":"rig"},"set":{"before":"yawl"}}`, "before and after say where addValues go: give addValues", "set"},
		{`{"op":"drop_type","type":{"name":"rig"}}`,
			"Type 'dbo.rig' is the type of 'dbo.Boats.Rig', 'dbo.Boats.Rigs': give them another, or drop them, first", "type"},
	}
	for _, tt := range tests {
		t.Run(tt.edit, func(t *testing.T) {
			s := harbour(t)
			before := s.Version()
			_, err := s.Apply(decode(t, "["+tt.edit+"]")[0])
			require.NotNil(t, err)
			assert.Equal(t, tt.message, err.Message)
			assert.Equal(t, tt.field, err.Field)
			assert.Equal(t, before, s.Version())
			require.NoError(t, s.Check())
		})
	}
	_, err := harbour(t).Apply(decode(t, `[{"op":"set_type","type":{"name":"rgi"},"set":{}}]`)[0])
	assert.Equal(t, []string{"rig"}, err.Hints.NearestNames)
}

func TestADialectWithoutTypesSaysWhatItHas(t *testing.T) {
	d := serverDialect()
	d.NamedTypes.Instead = "give the column a check"
	for _, edit := range []string{`{"op":"add_type","type":{"name":"x","values":["a"]}}`, `{"op":"set_type","type":{"name":"x"},"set":{}}`, `{"op":"drop_type","type":{"name":"x"}}`} {
		_, err := emptySchema(d).Apply(decode(t, "["+edit+"]")[0])
		require.NotNil(t, err, edit)
		assert.Equal(t, "SQL Server has no types of its own for edits to make: give the column a check", err.Message)
	}
}

func TestWhatUsesATypeBesideColumnsKeepsIt(t *testing.T) {
	s := harbour(t)
	apply(t, s, `[{"op":"add_type","type":{"name":"flag","values":["a"]}}]`)
	s.SetCatalog(Catalog{Views: []View{{Schema: "dbo", Name: "v", Uses: []Dependency{{Schema: "dbo", Name: "flag"}}}}})
	require.Len(t, s.NamedTypes(), 2, "which the catalog does not take away")
	_, err := s.Apply(decode(t, `[{"op":"drop_type","type":{"name":"flag"}}]`)[0])
	require.NotNil(t, err)
	assert.Equal(t, "Type 'dbo.flag' is used by 'view dbo.v', which no edit changes: drop or change that in the database first", err.Message)
}

func TestTheVersionKnowsTypes(t *testing.T) {
	seen := map[string]string{}
	for _, edit := range []string{`{"op":"set_type","type":{"name":"rig"},"set":{"comment":""}}`,
		`{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["z"]}}`,
		`{"op":"set_type","type":{"name":"rig"},"set":{"values":["sloop","it's","yawl"]}}`,
		`{"op":"add_type","type":{"name":"flag","values":["a"]}}`} {
		s := harbour(t)
		before := s.Version()
		apply(t, s, "["+edit+"]")
		assert.NotEqual(t, before, s.Version(), edit)
		assert.Empty(t, seen[s.Version()])
		seen[s.Version()] = edit
	}
}

func TestADefinitionKeepsTypesAndTheirIDs(t *testing.T) {
	s := harbour(t)
	raw, err := json.Marshal(s.Definition())
	require.NoError(t, err)
	var def Definition
	require.NoError(t, json.Unmarshal(raw, &def))
	next, err := s.Adopt(def)
	require.NoError(t, err)
	assert.Equal(t, s.Version(), next.Version())
	assert.Equal(t, s.NamedTypes(), next.NamedTypes())
	assert.True(t, s.ChangeTo(next).Empty())
	restored, err := Restore(s.Dialect(), s.Tables(), s.Options())
	require.NoError(t, err)
	assert.Equal(t, s.Version(), restored.Version())
}

// A catalog that was stored by a berth without types in designs has them among
// its objects.
func TestTypesOfAnOlderCatalogHaveTheSameIDsEveryTime(t *testing.T) {
	s := harbour(t)
	c := Catalog{Objects: s.Objects()}
	first, err := Restore(s.Dialect(), s.Tables(), &Options{Catalog: c})
	require.NoError(t, err)
	again, err := Restore(s.Dialect(), s.Tables(), &Options{Catalog: c})
	require.NoError(t, err)
	assert.Equal(t, s.Version(), first.Version())
	assert.Equal(t, first.NamedTypes(), again.NamedTypes())
	assert.True(t, DiffOf(first, again).Empty())
}

func TestAnImportBringsTypes(t *testing.T) {
	s := harbour(t)
	def := Definition{Objects: []Object{{Kind: ObjectType, Name: "rig", Values: []string{"sloop", "yawl", "it's", "cat"}}, {Kind: ObjectType, Name: "flag", Values: []string{"a"}}},
		Tables: []TableDefinition{{Name: "Masts", Columns: []Column{{Name: "Id", DataType: "int"}, {Name: "Flag", DataType: "flag"}}}}}
	c, refusal := s.Import(def, false)
	require.Nil(t, refusal)
	require.NoError(t, s.Check())
	assert.Equal(t, Changes{TablesAdded: []TableName{{"dbo", "Masts"}}, TypesAdded: []TableName{{"dbo", "flag"}}, TypesUpdated: []TableName{{"dbo", "rig"}}},
		Summarize(s, []Change{c}))
	assert.Equal(t, "of boats", s.TypesNamed(TableName{Name: "rig"})[0].Comment, "which not every format has")
	again, refusal := s.Import(def, false)
	require.Nil(t, refusal)
	assert.True(t, again.Empty())

	whole := s.Definition()
	whole.Objects = nil
	c, refusal = s.Import(whole, true)
	require.Nil(t, refusal)
	assert.True(t, c.Empty(), "a file that says nothing of types leaves them")

	whole = s.Definition()
	whole.Objects = whole.Objects[:1]
	whole.Tables = keep(whole.Tables, func(td TableDefinition) bool { return td.Name == "Masts" })
	_, refusal = s.Import(whole, true)
	require.Nil(t, refusal)
	assert.Len(t, s.NamedTypes(), 1)
}

func TestAChangeOfATypeIsSaidInWords(t *testing.T) {
	s := harbour(t)
	for edit, want := range map[string]string{
		`{"op":"add_type","type":{"name":"flag","values":["a","b"]}}`:                                     "Add type dbo.flag: values a, b",
		`{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["z"]}}`:                               "Add 'z' to type dbo.rig: values sloop, yawl, it's → sloop, yawl, it's, z",
		`{"op":"set_type","type":{"name":"rig"},"set":{"comment":"new"}}`:                                 "Change type dbo.rig: comment 'of boats' → comment 'new'",
		`{"op":"set_type","type":{"schema":"dbo","name":"rig"},"set":{"values":["it's","sloop","yawl"]}}`: "Change type dbo.rig: values sloop, yawl, it's → it's, sloop, yawl",
	} {
		c := apply(t, s, "["+edit+"]")[0]
		assert.Equal(t, want, c.Words(s.Dialect()))
		s.Undo(c)
	}
	c := apply(t, s, `[{"op":"set_type","type":{"name":"rig"},"set":{"values":["it's","sloop"]}}]`)
	assert.Equal(t, []string{"Type 'dbo.rig' loses values or changes their order: publishing makes another type and rewrites the tables that have it, " +
		"and fails while rows have a value that is none of it"}, s.Warnings(c))
}
