package merge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/postgres"
)

// fleet is a schema with two enums, one of which columns have.
func fleet(t testing.TB) *designer.Schema {
	t.Helper()
	s := designer.New(postgres.Dialect(), nil)
	apply(t, s, `[
		{"op":"add_type","type":{"name":"rig","values":["sloop","yawl"]}},
		{"op":"add_type","type":{"name":"spare","values":["a"]}},
		{"op":"add_table","table":{"name":"boats"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true},
			{"name":"rig","dataType":"rig","defaultValue":"'sloop'::rig"},{"name":"rigs","dataType":"rig[]"}]}]`)
	return s
}

// mergedFleet edits the fleet on both sides and joins them.
func mergedFleet(t *testing.T, ours, theirs string, choose func(Conflict) Side) *Result {
	t.Helper()
	base := fleet(t)
	design, err := base.Adopt(base.Definition())
	require.NoError(t, err)
	database, err := base.Adopt(base.Definition())
	require.NoError(t, err)
	apply(t, design, ours)
	apply(t, database, theirs)
	m, err := Definition(base, design, database.Definition(), choose)
	require.NoError(t, err)
	require.NoError(t, m.Design.Check())
	return m
}

// typesIn lists the types of a schema with their values.
func typesIn(s *designer.Schema) map[string][]string {
	out := map[string][]string{}
	for _, t := range s.NamedTypes() {
		out[t.Name] = t.ValueNames()
	}
	return out
}

func typeIn(t *testing.T, s *designer.Schema, table, column string) string {
	t.Helper()
	at, refusal := s.Table(designer.TableRef{Name: table})
	require.Nil(t, refusal)
	c, refusal := at.Column(designer.ObjectRef{Name: column})
	require.Nil(t, refusal)
	return c.DataType + " " + c.DefaultValue
}

func TestTypesOfBothSidesAreJoined(t *testing.T) {
	m := mergedFleet(t, `[{"op":"set_type","type":{"name":"rig"},"set":{"name":"rigging","renameValues":{"sloop":"cutter"}}},
		{"op":"add_type","type":{"name":"both","values":["x"]}}]`,
		`[{"op":"add_table","table":{"name":"masts"},"initialColumns":[{"name":"of","dataType":"rig","defaultValue":"'yawl'"}]},
		{"op":"drop_type","type":{"name":"spare"}},{"op":"add_type","type":{"name":"both","values":["x"]}}]`, nil)
	assert.Empty(t, m.Conflicts)
	assert.Equal(t, map[string][]string{"rigging": {"cutter", "yawl"}, "both": {"x"}}, typesIn(m.Design))
	assert.Equal(t, "rigging 'cutter'::rigging", typeIn(t, m.Design, "boats", "rig"))
	assert.Equal(t, "rigging[] ", typeIn(t, m.Design, "boats", "rigs"))
	assert.Equal(t, "rigging 'yawl'", typeIn(t, m.Design, "masts", "of"), "what only the database has follows the design's name")
	assert.Equal(t, []designer.DiffKind{designer.DiffAlterType, designer.DiffAlterColumn, designer.DiffAlterColumn, designer.DiffAlterColumn},
		kindsOf(designer.DiffOf(m.Database, m.Design).Items()), "the type that both added is one")
}

func kindsOf(items []designer.DiffItem) (kinds []designer.DiffKind) {
	for _, i := range items {
		kinds = append(kinds, i.Kind)
	}
	return kinds
}

func TestATypeThatBothChangedIsAConflict(t *testing.T) {
	ours := `[{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["ketch"]}}]`
	theirs := `[{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["cat"]}}]`
	m := mergedFleet(t, ours, theirs, nil)
	require.Len(t, m.Conflicts, 1)
	c := m.Conflicts[0]
	assert.Equal(t, Conflict{ID: "public.rig/type/values", Table: designer.TableName{Schema: "public", Name: "rig"}, Part: "type", What: "values",
		Base: "sloop, yawl", Design: "sloop, yawl, ketch", Database: "sloop, yawl, cat"}, c)
	assert.Equal(t, 1, m.Open)

	m = mergedFleet(t, ours, theirs, func(Conflict) Side { return SideDatabase })
	assert.Equal(t, []string{"sloop", "yawl", "cat"}, typesIn(m.Design)["rig"])
}

func TestATypeThatColumnsNeedStays(t *testing.T) {
	m := mergedFleet(t, `[{"op":"drop_type","type":{"name":"spare"}}]`,
		`[{"op":"add_column","table":{"name":"boats"},"column":{"name":"s","dataType":"spare"}}]`, nil)
	assert.Empty(t, m.Conflicts)
	assert.Equal(t, []string{"a"}, typesIn(m.Design)["spare"], "the database has a column of it now")
	assert.True(t, designer.DiffOf(m.Database, m.Design).Empty())
}

func TestStepsOfTypesAreRebased(t *testing.T) {
	base := fleet(t)
	design, err := base.Adopt(base.Definition())
	require.NoError(t, err)
	var changes []designer.Change
	for _, e := range []designer.Edit{
		{Op: designer.AddType, Type: designer.TypeSpec{Name: "flag", Values: []string{"red"}}},
		{Op: designer.SetType, TypeRef: designer.TableRef{Name: "rig"}, SetType: designer.TypeSet{AddValues: []string{"ketch"}}},
	} {
		c, refusal := design.Apply(e)
		require.Nil(t, refusal)
		changes = append(changes, c)
	}
	database, err := base.Adopt(base.Definition())
	require.NoError(t, err)
	apply(t, database, `[{"op":"add_table","table":{"name":"masts"},"initialColumns":[{"name":"id","dataType":"int"}]}]`)
	joined, err := Definition(base, design, database.Definition(), nil)
	require.NoError(t, err)

	rebase := NewRebase(base, joined.Database, joined.Design)
	back, refusal := rebase.Change(changes[1].Inverse())
	require.Nil(t, refusal)
	assert.Equal(t, []string{"sloop", "yawl"}, back.Types[0].After.ValueNames())
	back, refusal = rebase.Change(changes[0].Inverse())
	require.Nil(t, refusal)
	assert.Nil(t, back.Types[0].After)
	assert.Equal(t, joined.Database.Version(), joined.Design.Version(), "undoing all leads to the database")
}

func TestStepsOfTypesAreRefusedWhereTheDatabaseTookTheirNames(t *testing.T) {
	base := fleet(t)
	after, err := base.Adopt(base.Definition())
	require.NoError(t, err)
	apply(t, after, `[{"op":"add_type","type":{"name":"flag","values":["green"]}}]`)
	joined, err := after.Adopt(after.Definition())
	require.NoError(t, err)
	_, refusal := NewRebase(base, after, joined).Change(designer.Change{Types: []designer.TypeChange{
		{After: &designer.NamedType{ID: "new", Schema: "public", Name: "Flag", Kind: designer.ClassEnum}}}})
	require.NotNil(t, refusal)
	assert.Equal(t, "The database has another type 'public.Flag'", refusal.Message)
}
