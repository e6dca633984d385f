package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrayDialect is one whose server has arrays and knows a type by one name.
func arrayDialect() *Dialect {
	d := openDialect()
	d.TypeNames.Arrays, d.TypeNames.Canonical, d.Columns.Computed = true, true, ComputedStored
	return d
}

func TestArrayTypesAreMadeUpFromTheirElements(t *testing.T) {
	d := arrayDialect()
	for given, want := range map[string]string{
		"int[]": "int[]", "integer [ ]": "", "INTEGER[3][3]": "int[]", "int array": "int[]", "int[": "", "int]": "", "nothing[]": "", "int[a]": "",
	} {
		info, known := d.Type(given)
		if assert.Equal(t, want != "", known, "%q", given) && known {
			assert.Equal(t, want, info.Name, "%q", given)
			assert.False(t, info.Identity)
		}
	}
	assert.True(t, d.sameType("int[]", "integer array"))
	assert.False(t, d.sameType("int[]", "int"))
	_, known := openDialect().Type("int[]")
	assert.False(t, known, "where the dialect has none")
}

func TestAColumnOfAnArrayTakesTheElementsLength(t *testing.T) {
	s := shop(t, arrayDialect())
	apply(t, s, `[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Tags","dataType":"character varying(20)[]"}}]`)
	c := columnOf(t, s, "Orders", "Tags")
	assert.Equal(t, []string{"varchar[]", "20"}, []string{c.DataType, c.MaxLength})
}

func TestAnAliasMeansTheNameWhereTheServerKeepsNoAliases(t *testing.T) {
	s := shop(t, arrayDialect())
	version := s.Version()
	apply(t, s, `[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"CustomerId"},"set":{"dataType":"integer"}}]`)
	assert.Equal(t, version, s.Version())
}

func TestAComputedColumnIsStoredAndTypedWhereTheServerHasNoOther(t *testing.T) {
	s := shop(t, arrayDialect())
	apply(t, s, `[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Twice","dataType":"int","isComputed":true,"computedFormula":"Total * 2"}}]`)
	assert.True(t, columnOf(t, s, "Orders", "Twice").ComputedPersisted)
	err := refuse(t, s, `{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Thrice","isComputed":true,"computedFormula":"Total * 3"}}`)
	assert.Contains(t, err.Message, "needs a dataType")
}

func TestTypesThatTheDatabaseHasCanBeUsed(t *testing.T) {
	d := arrayDialect()
	s := shop(t, d)
	const edit = `{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Mood","dataType":"mood"}}`
	refuse(t, s, edit)
	s.SetCatalog(Catalog{Objects: []Object{
		{Kind: ObjectType, Schema: "public", Name: "mood", Values: []string{"sad", "ok"}},
		{Kind: ObjectType, Schema: "app", Name: "email"},
		{Kind: ObjectExtension, Schema: "public", Name: "vector", Values: []string{"vector"}},
	}})
	apply(t, s, `[`+edit+`,
		{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Moods","dataType":"public.mood[]"}},
		{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Email","dataType":"app.email"}},
		{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Place","dataType":"vector(3)"}}]`)
	assert.Equal(t, "mood", columnOf(t, s, "Orders", "Mood").DataType)
	assert.Equal(t, "mood[]", columnOf(t, s, "Orders", "Moods").DataType)
	assert.Equal(t, "app.email", columnOf(t, s, "Orders", "Email").DataType)
	assert.Equal(t, "3", columnOf(t, s, "Orders", "Place").MaxLength)
	refuse(t, s, `{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Other","dataType":"email"}}`)

	again, err := s.Adopt(s.Definition())
	require.NoError(t, err)
	_, known := again.Dialect().Type("mood")
	assert.True(t, known)
	again.SetCatalog(Catalog{})
	assert.Same(t, d, again.Dialect(), "types go with the database that had them")
}

func TestACollationDoesNotOutliveTheFamilyOfItsType(t *testing.T) {
	s, err := Build(arrayDialect(), Definition{Tables: []TableDefinition{{Name: "T", Columns: []Column{
		{Name: "Other", DataType: "varchar", MaxLength: "9", Collation: "C"},
		{Name: "Given", DataType: "varchar", MaxLength: "9", Collation: "C"},
		{Name: "Same", DataType: "varchar", MaxLength: "9", Collation: "C"}}}}}, nil)
	require.NoError(t, err)
	apply(t, s, `[
		{"op":"set_column","table":{"name":"T"},"column":{"name":"Other"},"set":{"dataType":"int"}},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"Given"},"set":{"dataType":"int","collation":"D"}},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"Same"},"set":{"dataType":"nvarchar(9)"}}]`)
	assert.Equal(t, "", columnOf(t, s, "T", "Other").Collation)
	assert.Equal(t, "D", columnOf(t, s, "T", "Given").Collation)
	assert.Equal(t, "C", columnOf(t, s, "T", "Same").Collation)
}
