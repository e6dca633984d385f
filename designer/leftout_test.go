package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func told(list []Omission) []string {
	var out []string
	for _, l := range list {
		out = append(out, l.String())
	}
	return out
}

func TestWhatIsLeftOutIsCountedAndNamed(t *testing.T) {
	var l LoadResult
	l.Omit("row", "users", 3)
	l.Omit("row", "orders", 0)
	l.Omit("policy", "p", 1)
	l.Omit("policy", "q", 1)
	l.Omit("GRANT statement", "", 1)
	l.Omit("batch about databases", "", 2)
	for _, name := range []string{"a", "b", "c", "b", "d", "e", "f", "g"} {
		l.Omit("view", name, 1)
	}
	assert.Equal(t, []string{"3 rows are left out: users", "2 policies are left out: p, q", "1 GRANT statement is left out",
		"2 batches about databases are left out", "8 views are left out: a, b, c, d, e and 2 more"}, told(l.LeftOut))
}

func TestAnImportTellsWhatItDoesNotTakeOver(t *testing.T) {
	s, def := shopDefinition(t, serverDialect())
	c := s.Catalog()
	c.Views = []View{{Schema: "dbo", Name: "Recent", Definition: "CREATE VIEW Recent AS SELECT 1"}}
	c.Objects = []Object{{Kind: ObjectType, Schema: "dbo", Name: "mood", Values: []string{"good"}}, {Kind: ObjectExtension, Name: "citext", Definition: "1.6"}}
	s.SetCatalog(c)
	def.Views = []View{{Name: "recent", Definition: "CREATE VIEW Recent AS SELECT 1\n"}, {Schema: "sales", Name: "Old"}}
	def.Objects = []Object{{Kind: ObjectType, Name: "mood", Definition: "another text", Values: []string{"good"}}, {Kind: ObjectExtension, Name: "citext", Definition: "1.7"},
		{Kind: ObjectTrigger, Name: "tr", Table: "Orders", Definition: "x"}, {Kind: ObjectRoutine, Schema: "dbo", Name: "f(int)"}}
	definedTable(&def, "Orders").Triggers = []string{"tr", "unlisted"}
	assert.Equal(t, []string{"1 view is left out: sales.Old", "2 triggers are left out: tr of Orders, unlisted of Orders",
		"1 routine is left out: f(int)"}, told(s.NotImported(def)))

	def.Views[0].Definition = "CREATE VIEW Recent AS SELECT 2"
	assert.Contains(t, told(s.NotImported(def)), "2 views are left out: recent, sales.Old", "one that is another")
}

func TestATableKeepsItsOwnTriggersThroughAnImport(t *testing.T) {
	_, def := shopDefinition(t, serverDialect())
	definedTable(&def, "Orders").Triggers = []string{"own"}
	s, err := Build(serverDialect(), def, nil)
	require.NoError(t, err)
	definedTable(&def, "Orders").Triggers = []string{"foreign"}
	def.Tables = append(def.Tables, TableDefinition{Name: "New", Columns: []Column{{Name: "a", DataType: "int"}}, Triggers: []string{"foreign"}})
	c, refused := s.Import(def, false)
	require.Nil(t, refused)
	require.Len(t, c.Tables, 1, "no more than the new table")
	assert.Empty(t, tableOf(t, s, "New").Triggers)
	assert.Equal(t, []string{"own"}, tableOf(t, s, "Orders").Triggers)
}

func TestCommentsAreToldWhereTheDialectKeepsNone(t *testing.T) {
	d := serverDialect()
	d.Settle = func(t *Table) { t.Comment = "" }
	s, def := shopDefinition(t, d)
	orders := definedTable(&def, "Orders")
	orders.Comment, orders.Columns[0].Comment = "what was bought", "its number"
	assert.Equal(t, []string{"2 comments are left out: Orders"}, told(s.NotImported(def)))
}
