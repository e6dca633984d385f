package designer

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatCannotBeMeantIsNotBuilt(t *testing.T) {
	column := []Column{{Name: "a"}}
	tests := []struct {
		name  string
		table TableDefinition
		want  string
	}{
		{"a table without a name", TableDefinition{Columns: column}, `table "": the name is empty`},
		{"a column without a name", TableDefinition{Name: "T", Columns: []Column{{}}}, `table "T": column 0 has no name`},
		{"a key on no column", TableDefinition{Name: "T", Columns: column, PrimaryKey: &KeyDefinition{Columns: []string{"b"}}},
			`table "T": primary key: column "b": 0 columns match`},
		{"an index on no column", TableDefinition{Name: "T", Columns: column, Indexes: []IndexDefinition{{Name: "x", Parts: []IndexKeyDefinition{{Column: "b"}}}}},
			`table "T": index "x": column "b": 0 columns match`},
		{"a foreign key from no column", TableDefinition{Name: "T", Columns: column,
			ForeignKeys: []ForeignKeyDefinition{{Name: "k", ReferencedTable: TableRef{Name: "T"}, Mappings: []NameMapping{{"b", "a"}}}}},
			`table "T": foreign key "k": column "b": 0 columns match`},
		{"a name that two columns share", TableDefinition{Name: "T", Columns: []Column{{Name: "a"}, {Name: "A"}, {Name: "b"}},
			PrimaryKey: &KeyDefinition{Columns: []string{"ä", "b"}}}, `table "T": primary key: column "ä": 0 columns match`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Build(serverDialect(), Definition{Tables: []TableDefinition{tt.table}}, nil)
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestADefinitionLeadsBack(t *testing.T) {
	s := built(t, full(), nil)
	text, err := json.Marshal(s.Definition())
	require.NoError(t, err)
	var read Definition
	require.NoError(t, json.Unmarshal(text, &read))
	again := built(t, read, nil)
	assert.Equal(t, s.Definition(), again.Definition())
	assert.Equal(t, s.Definition(), built(t, shuffled(s.Definition(), func(n int) []int { return rangeOf(n) }), nil).Definition())
	assert.Equal(t, full().Views, again.Views())
	assert.Equal(t, []string{"dbo", "public", "sys"}, again.Schemas())
	assert.Equal(t, "public", again.DefaultSchema())
	assert.Equal(t, 5, again.Columns())
	assert.Equal(t, 2, again.Len())
}

func rangeOf(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestASchemaReadAgainKeepsItsIDs(t *testing.T) {
	def := full()
	def.Tables[0].ForeignKeys[0].Name, def.Tables[0].ForeignKeys[1].Name = "", ""
	def.Tables[0].Checks[0].Name, def.Tables[0].Checks[1].Name = "", ""
	s := built(t, def, counted())
	next, err := s.Adopt(shuffled(upper(t, def), reverseInts))
	require.NoError(t, err)
	require.NoError(t, next.Check())
	assert.Equal(t, s.Version(), next.Version())
	for _, old := range s.Tables() {
		table := next.ByID(old.ID)
		require.NotNil(t, table, old.Name)
		assert.ElementsMatch(t, idsOf(old), idsOf(table))
		for id, part := range partsOf(old, nil).byID {
			assert.IsType(t, part.value, partsOf(table, nil).byID[id].value)
		}
		require.ElementsMatch(t, mapEach(old.Checks, func(k Check) string { return string(k.ID) + k.Expression }),
			mapEach(table.Checks, func(k Check) string { return string(k.ID) + k.Expression }), "unnamed ones go by what they say")
	}
}

func idsOf(t *Table) []ID {
	return mapEach(partsOf(t, nil).list, func(p tablePart) ID { return p.id })
}

func TestTwinsGoByTheirExactNames(t *testing.T) {
	def := Definition{Tables: []TableDefinition{{Name: "users", Columns: []Column{{Name: "a"}, {Name: "A"}}}, {Name: "Users"}}}
	s := built(t, def, counted())
	slices.Reverse(def.Tables)
	next, err := s.Adopt(def)
	require.NoError(t, err)
	assert.Empty(t, s.ChangeTo(next).Tables)
}

func TestTheDifferenceToAReadingIsAChange(t *testing.T) {
	s := shop(t, serverDialect())
	def := s.Definition()
	def.Tables = append(def.Tables[1:], TableDefinition{Schema: "dbo", Name: "New", Columns: []Column{{Name: "a", DataType: "int"}}})
	next, err := s.Adopt(def)
	require.NoError(t, err)
	before, version := snapshot(s), s.Version()
	change := s.ChangeTo(next)
	s.Redo(change)
	require.NoError(t, s.Check())
	assert.Equal(t, next.Version(), s.Version())
	got := Summarize(s, []Change{change})
	assert.Equal(t, []TableName{{"dbo", "Customers"}}, got.TablesDropped)
	assert.Equal(t, []TableName{{"dbo", "New"}}, got.TablesAdded)
	s.Undo(change)
	assert.Equal(t, before, snapshot(s))
	assert.Equal(t, version, s.Version())
}

func TestADamagedStoreIsNotRestored(t *testing.T) {
	tests := []struct {
		name   string
		damage func(tables []*Table)
		want   string
	}{
		{"a table without an id", func(ts []*Table) { ts[0].ID = "" }, `id "" is empty or taken`},
		{"a table twice", func(ts []*Table) { ts[1].ID = ts[0].ID }, "is empty or taken"},
		{"a column without an id", func(ts []*Table) { ts[1].Columns[3].ID = "" }, `column id "" is empty or taken`},
		{"a column twice", func(ts []*Table) { ts[1].Columns[3].ID = ts[1].Columns[2].ID }, "is empty or taken"},
		{"an empty key", func(ts []*Table) { ts[1].PrimaryKey.Columns = nil }, "the primary key is empty"},
		{"a key of no column", func(ts []*Table) { ts[1].PrimaryKey.Columns[0] = "x" }, `primary key column "x" does not exist or comes twice`},
		{"an index on no column", func(ts []*Table) { ts[2].Indexes[0].Parts[0].Column = "x" }, `column "x" does not exist`},
		{"an index on nothing", func(ts []*Table) { ts[2].Indexes[0].Parts[0].Column = "" }, "a part needs a column or an expression"},
		{"a check without an id", func(ts []*Table) { ts[2].Checks[0].ID = "" }, `check id "" is empty or taken`},
		{"a foreign key to no table", func(ts []*Table) { ts[2].ForeignKeys[0].RefTable = "x" }, `table "x" does not exist`},
		{"a foreign key to no column", func(ts []*Table) { ts[2].ForeignKeys[0].Mappings[0].RefColumn = "x" }, `referenced column "x" does not exist`},
		{"a foreign key from no column", func(ts []*Table) { ts[2].ForeignKeys[0].Mappings[0].Column = "x" }, `column "x" does not exist`},
		{"a foreign key without an action", func(ts []*Table) { ts[2].ForeignKeys[0].OnDelete = "" }, "an action is missing"},
		{"a missing target of too few columns", func(ts []*Table) {
			ts[2].ForeignKeys[0].RefTable, ts[2].ForeignKeys[0].Dangling = "", &Reference{Table: "Gone"}
		}, "the missing target is not told"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tables := snapshot(shop(t, serverDialect()))
			_, err := Restore(serverDialect(), tables, nil)
			require.NoError(t, err)
			tt.damage(tables)
			_, err = Restore(serverDialect(), tables, nil)
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
