package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// percentages is the harbour with a domain that a column has.
func percentages(t *testing.T) *Schema {
	t.Helper()
	s := harbour(t)
	apply(t, s, `[{"op":"add_type","type":{"name":"percent","dataType":"numeric(5,2)","isNullable":false,"defaultValue":"0","check":"VALUE >= 0"}},
		{"op":"add_column","table":{"name":"Boats"},"column":{"name":"Share","dataType":"percent"}}]`)
	return s
}

func domainOf(t *testing.T, s *Schema, name string) *Domain {
	t.Helper()
	all := s.TypesNamed(TableName{Name: name})
	require.Len(t, all, 1)
	return all[0].Domain
}

func TestDomainsAreAddedAndChanged(t *testing.T) {
	s := percentages(t)
	before := s.Version()
	assert.Equal(t, &Domain{Base: "decimal(5,2)", NotNull: true, Default: "0", Checks: []DomainCheck{{"percent_check", "VALUE >= 0"}}}, domainOf(t, s, "percent"))
	c := apply(t, s, `[{"op":"set_type","type":{"name":"percent"},"set":{"name":"share","isNullable":true,"defaultValue":"","check":"VALUE > 1"}}]`)[0]
	assert.Equal(t, "Rename type dbo.percent to share: Share: percent → share; decimal(5,2) not null default 0 check (VALUE >= 0) → decimal(5,2) check (VALUE > 1)", c.Words(s.Dialect()))
	assert.Equal(t, &Domain{Base: "decimal(5,2)", Checks: []DomainCheck{{"share_check", "VALUE > 1"}}}, domainOf(t, s, "share"))
	assert.Equal(t, "share", columnOf(t, s, "Boats", "Share").DataType)
	require.NoError(t, s.Check())
	assert.NotEqual(t, before, s.Version())
	s.Undo(c)
	assert.Equal(t, before, s.Version())
	c = apply(t, s, `[{"op":"set_type","type":{"name":"percent"},"set":{"dataType":"int"}}]`)[0]
	assert.Len(t, s.Warnings([]Change{c}), 1, "another base costs another type")
}

func TestADefinitionKeepsDomains(t *testing.T) {
	s := percentages(t)
	next, err := s.Adopt(s.Definition())
	require.NoError(t, err)
	assert.True(t, s.ChangeTo(next).Empty())
	assert.Equal(t, s.Version(), next.Version())
}

func TestEditsOfDomainsThatAreRefused(t *testing.T) {
	for edit, want := range map[string][2]string{
		`{"op":"add_type","type":{"name":"x","dataType":"int","values":["a"]}}`:  {"type has values and dataType: an enum has values, a domain has a dataType", "type.values"},
		`{"op":"add_type","type":{"name":"x","check":"VALUE > 0"}}`:              {"type needs dataType, the type that the domain restricts", "type.dataType"},
		`{"op":"add_type","type":{"name":"x","dataType":"rig"}}`:                 {"Data type 'rig' is invalid", "type.dataType"},
		`{"op":"add_type","type":{"name":"x","dataType":"int","check":"a; b"}}`:  {"The check holds a semicolon: give one expression", "type.check"},
		`{"op":"set_type","type":{"name":"percent"},"set":{"addValues":["a"]}}`:  {"Type 'dbo.percent' is a domain: it has no values", "set"},
		`{"op":"set_type","type":{"name":"rig"},"set":{"check":"VALUE > 0"}}`:    {"Type 'dbo.rig' is an enum: it has values, and no dataType, default or check", "set"},
		`{"op":"set_type","type":{"name":"percent"},"set":{"defaultValue":"("}}`: {"The default has unbalanced parentheses", "set.defaultValue"},
		`{"op":"drop_type","type":{"name":"percent"}}`:                           {"Type 'dbo.percent' is the type of 'dbo.Boats.Share': give them another, or drop them, first", "type"},
	} {
		s := percentages(t)
		before := s.Version()
		_, err := s.Apply(decode(t, "["+edit+"]")[0])
		require.NotNil(t, err, edit)
		assert.Equal(t, want, [2]string{err.Message, err.Field}, edit)
		assert.Equal(t, before, s.Version())
	}
}

func TestATypeThatAnotherIsMadeOfIsNotMadeAgain(t *testing.T) {
	s := percentages(t)
	s.SetCatalog(Catalog{Objects: []Object{{Kind: ObjectType, Schema: "dbo", Name: "pair", Uses: []Dependency{{Schema: "dbo", Name: "rig"}}}}})
	_, err := s.Apply(decode(t, `[{"op":"set_type","type":{"name":"rig"},"set":{"values":["it's","yawl","sloop"]}}]`)[0])
	require.NotNil(t, err)
	assert.Equal(t, "Type 'dbo.rig' would have to be made again, and type 'dbo.pair' uses it: add and rename values only, or change that type in the database first", err.Message)
	apply(t, s, `[{"op":"set_type","type":{"name":"rig"},"set":{"addValues":["z"]}}]`)
}

func TestADomainHasTheServersWordsOnceItIsPublished(t *testing.T) {
	base := harbour(t)
	design := percentages(t)
	def := design.Definition()
	for i := range def.Objects {
		if d := def.Objects[i].Domain; d != nil {
			d.Default, d.Checks[0].Expression = "(0)::numeric", "(VALUE >= (0)::numeric)"
		}
	}
	reread, err := design.Adopt(def)
	require.NoError(t, err)
	assert.False(t, DiffOf(design, reread).Empty())
	assert.True(t, DiffOf(TakeSpelling(base, design, reread), reread).Empty())
}
