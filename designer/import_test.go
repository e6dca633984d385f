package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shopDefinition is the shop's definition, to change and import.
func shopDefinition(t testing.TB, d *Dialect) (*Schema, Definition) {
	t.Helper()
	s := shop(t, d)
	return s, s.Definition()
}

func definedTable(def *Definition, name string) *TableDefinition {
	for i := range def.Tables {
		if def.Tables[i].Name == name {
			return &def.Tables[i]
		}
	}
	return nil
}

func TestImportingADesignsOwnDefinitionChangesNothing(t *testing.T) {
	s, def := shopDefinition(t, serverDialect())
	for _, replace := range []bool{true, false} {
		c, err := s.Import(def, replace)
		require.Nil(t, err)
		assert.Empty(t, c.Tables)
	}
}

func TestWhatAnImportAddsGetsTheNamesAnEditWouldGive(t *testing.T) {
	s, def := shopDefinition(t, serverDialect())
	orders := definedTable(&def, "Orders")
	orders.ForeignKeys = append(orders.ForeignKeys, ForeignKeyDefinition{ReferencedTable: TableRef{Name: "Customers"},
		Mappings: []NameMapping{{Column: "Note", ReferencedColumn: "Email"}}})
	orders.Indexes = append(orders.Indexes, IndexDefinition{Parts: []IndexKeyDefinition{{Column: "Total"}, {Expression: "lower(Note)"}}},
		IndexDefinition{Unique: true, Constraint: true, Parts: []IndexKeyDefinition{{Column: "Note"}}})
	orders.Checks = append(orders.Checks, CheckDefinition{Expression: "Total < 9"}, CheckDefinition{Expression: "Total < 8"})
	before := s.Version()
	c, err := s.Import(def, true)
	require.Nil(t, err)
	require.NoError(t, s.Check())
	got := s.DefineTable(tableOf(t, s, "Orders"))
	var names []string
	for _, k := range got.ForeignKeys {
		names = append(names, k.Name)
	}
	for _, x := range got.Indexes {
		names = append(names, x.Name)
	}
	for _, k := range got.Checks {
		names = append(names, k.Name)
	}
	assert.ElementsMatch(t, []string{"FK_Orders_Customers", "FK_Orders_Customers_2", "IX_Total", "IX_Orders_Total", "UQ_Orders_Note", "CK_Total", "CK_Orders_1", "CK_Orders_2"}, names)
	s.Undo(c)
	assert.Equal(t, before, s.Version())
}

func TestWhatIsUnnamedInTheDesignStaysSo(t *testing.T) {
	def := Definition{Tables: []TableDefinition{{Name: "T", Columns: []Column{{Name: "a", DataType: "int"}},
		Indexes: []IndexDefinition{{Unique: true, Constraint: true, Parts: []IndexKeyDefinition{{Column: "a"}}}},
		Checks:  []CheckDefinition{{Expression: "a > 0"}}}}}
	s, err := Build(serverDialect(), def, nil)
	require.NoError(t, err)
	def.Tables[0].Columns = append(def.Tables[0].Columns, Column{Name: "b", DataType: "int"})
	_, refused := s.Import(def, true)
	require.Nil(t, refused)
	got := s.DefineTable(tableOf(t, s, "T"))
	assert.Equal(t, []string{"", ""}, []string{got.Indexes[0].Name, got.Checks[0].Name})
}

func TestAPrimaryKeyWithoutANameKeepsTheOneItHas(t *testing.T) {
	def := Definition{Tables: []TableDefinition{{Name: "T", Columns: []Column{{Name: "a", DataType: "int"}},
		PrimaryKey: &KeyDefinition{Name: "PK_T", Columns: []string{"a"}, Options: map[string]string{"clustered": "false"}}}}}
	s, err := Build(serverDialect(), def, nil)
	require.NoError(t, err)
	c, refused := s.Import(Definition{Tables: []TableDefinition{{Name: "T", Columns: def.Tables[0].Columns,
		PrimaryKey: &KeyDefinition{Columns: []string{"a"}}}}}, false)
	require.Nil(t, refused)
	assert.Empty(t, c.Tables)
}

func TestAnImportedForeignKeyBringsTheIndexThatTheServerWouldMake(t *testing.T) {
	d := serverDialect()
	d.ForeignKeys.Indexed = true
	s, def := shopDefinition(t, d)
	lines := definedTable(&def, "Lines")
	lines.ForeignKeys = append(lines.ForeignKeys, ForeignKeyDefinition{Name: "FK_Parent", ReferencedTable: TableRef{Name: "Orders"},
		Mappings: []NameMapping{{Column: "Parent", ReferencedColumn: "OrderId"}}})
	_, err := s.Import(def, true)
	require.Nil(t, err)
	got := s.DefineTable(tableOf(t, s, "Lines"))
	assert.Equal(t, []IndexDefinition{{Name: "FK_Parent", Parts: []IndexKeyDefinition{{Column: "Parent"}}}}, got.Indexes)
}

func TestAnImportThatCannotBeMeantIsRefusedWhole(t *testing.T) {
	type change func(def *Definition, orders *TableDefinition)
	for name, c := range map[string]struct {
		change change
		says   string
	}{
		"a name that is none": {func(_ *Definition, o *TableDefinition) { o.Columns[3].Name = " x" }, "starts or ends with a space"},
		"an unknown type":     {func(_ *Definition, o *TableDefinition) { o.Columns[1].DataType = "nothing" }, "Data type 'nothing' is invalid"},
		"a key that leads nowhere": {func(_ *Definition, o *TableDefinition) {
			o.ForeignKeys[0].ReferencedTable.Name = "Gone"
		}, "which the design does not have"},
		"a key to no key": {func(_ *Definition, o *TableDefinition) {
			o.ForeignKeys[0].Mappings[0].ReferencedColumn = "Region"
		}, "primary or unique key"},
		"an action that cannot be": {func(_ *Definition, o *TableDefinition) { o.ForeignKeys[0].OnDelete = SetDefault }, "set_default needs a default value"},
		"two identities": {func(_ *Definition, o *TableDefinition) {
			o.Columns[0].IsIdentity, o.Columns[1].IsIdentity = true, true
		}, "identity"},
		"two tables of one name": {func(def *Definition, o *TableDefinition) {
			def.Tables = append(def.Tables, TableDefinition{Name: "orders", Columns: o.Columns})
		}, "already exists"},
		"a column that is not there": {func(_ *Definition, o *TableDefinition) { o.PrimaryKey.Columns = []string{"gone"} }, "0 columns match"},
		"a default of two statements": {func(_ *Definition, o *TableDefinition) {
			o.Columns[1].DefaultValue = "0; DROP TABLE Orders"
		}, "SQL text of column 'CustomerId' holds a semicolon"},
		"a type of two statements": {func(_ *Definition, o *TableDefinition) { o.Columns[1].TypeText = "int; DROP TABLE x" }, "holds a semicolon"},
		"a check that ends early":  {func(_ *Definition, o *TableDefinition) { o.Checks[0].Expression = "1 = 1 -- " }, "does not end"},
		"an index that goes on":    {func(_ *Definition, o *TableDefinition) { o.Indexes[0].Where = "Total > 0 /* x */" }, "holds a comment"},
		"an option with a comment": {func(_ *Definition, o *TableDefinition) { o.Options = map[string]string{"x": "a /* b"} }, "does not end"},
		"escapes that hide an end": {func(_ *Definition, o *TableDefinition) {
			o.Checks[0].Expression = `Note <> E'\' ; DROP TABLE x; --'`
		}, "SQL text of table 'Orders'"},
	} {
		t.Run(name, func(t *testing.T) {
			s, def := shopDefinition(t, serverDialect())
			version := s.Version()
			c.change(&def, definedTable(&def, "Orders"))
			_, err := s.Import(def, true)
			require.NotNil(t, err)
			assert.Equal(t, ValidationError, err.Reason)
			assert.Contains(t, err.Message, c.says)
			assert.Equal(t, version, s.Version())
			assert.NoError(t, s.Check())
		})
	}
}

func TestTextThatTheServerWroteWithEscapesCanBeImported(t *testing.T) {
	s, def := shopDefinition(t, openDialect())
	definedTable(&def, "Orders").Checks[0].Expression = `"Note" <> E'a\\b\n'`
	_, err := s.Import(def, true)
	assert.Nil(t, err)
}
