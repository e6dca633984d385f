package designer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusal is one edit of the shop that a rule forbids.
type refusal struct {
	rule    string
	edit    string
	reason  Reason
	message string
	hints   *Hints
}

func runRefusals(t *testing.T, tests []refusal) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			err := refuse(t, shop(t, serverDialect()), tt.edit)
			assert.Equal(t, tt.message, err.Message)
			assert.Equal(t, tt.reason, err.Reason)
			assert.Equal(t, tt.hints, err.Hints)
		})
	}
}

func TestTableRules(t *testing.T) {
	long := strings.Repeat("x", 129)
	runRefusals(t, []refusal{
		{"a name must not be empty", `{"op":"add_table","table":{"name":""}}`,
			ValidationError, "Table name is empty: give one", nil},
		{"a name must not be blank", `{"op":"add_table","table":{"name":" \t"}}`,
			ValidationError, "Table name is empty: give one", nil},
		{"a name must not begin with a space", `{"op":"add_table","table":{"name":" T"}}`,
			ValidationError, "Table name ' T' starts or ends with a space: remove it", nil},
		{"a name must not hold control characters", `{"op":"add_table","table":{"name":"a\u0000b"}}`,
			ValidationError, "Table name 'a\ufffdb' holds characters no name may have", nil},
		{"a name must fit the dialect", `{"op":"add_table","table":{"name":"` + long + `"}}`,
			ValidationError, "Table name '" + long[:64] + "…' is too long: at most 128 characters", nil},
		{"a name is unique in its schema whatever its case", `{"op":"add_table","table":{"schema":"DBO","name":"oRDERS"}}`,
			ValidationError, "Table 'dbo.Orders' already exists", nil},
		{"a schema must exist", `{"op":"add_table","table":{"schema":"sales","name":"T"}}`,
			ValidationError, "Schema 'sales' not available", &Hints{AllowedSchemas: []string{"sys", "dbo"}}},
		{"the columns a table starts with follow the rules of columns",
			`{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"a","dataType":"int"},{"name":"A","dataType":"int"}]}`,
			ValidationError, "Column 'A' already exists in table 'dbo.T'", nil},
		{"a new name is unique", `{"op":"set_table","table":{"name":"Orders"},"set":{"name":"customers"}}`,
			ValidationError, "Table 'dbo.Customers' already exists", nil},
		{"a new name must not be empty", `{"op":"set_table","table":{"name":"Orders"},"set":{"name":""}}`,
			ValidationError, "Table name is empty: give one", nil},
		{"a new schema must exist", `{"op":"set_table","table":{"name":"Orders"},"set":{"schema":"db"}}`,
			ValidationError, "Schema 'db' not available", &Hints{AllowedSchemas: []string{"dbo", "sys"}}},
		{"a table must exist", `{"op":"drop_table","table":{"name":"Order"}}`,
			NotFound, "Table 'dbo.Order' not found", &Hints{NearestTables: []string{"dbo.Orders", "dbo.Lines", "dbo.Customers"}}},
		{"a table needs a name", `{"op":"drop_table","table":{"schema":"dbo"}}`,
			InvalidRequest, "table needs a name", nil},
		{"an id that nobody has needs a name", `{"op":"drop_table","table":{"id":"nobody"}}`,
			NotFound, "The table of that id is not in the design: it was dropped, or never there; name the table, or read the design again", nil},
	})
}

func TestANameIsMeasuredAsTheDialectDoes(t *testing.T) {
	umlauts := strings.Repeat("ü", 32) // 64 bytes
	tests := []struct {
		name    string
		dialect func() *Dialect
		message string
	}{
		{"in characters", serverDialect, ""},
		{"in bytes", openDialect, "Table name '" + umlauts + "' is too long: at most 63 bytes"},
		{"without a limit, within reason", func() *Dialect { d := serverDialect(); d.Names.MaxLength = 0; return d }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit := `{"op":"add_table","table":{"name":"` + umlauts + `"}}`
			if tt.message == "" {
				apply(t, emptySchema(tt.dialect()), "["+edit+"]")
				return
			}
			assert.Equal(t, tt.message, refuse(t, emptySchema(tt.dialect()), edit).Message)
		})
	}
}

func TestATableKeepsItsLastColumn(t *testing.T) {
	s := emptySchema(serverDialect())
	apply(t, s, `[{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"a","dataType":"int"}]}]`)
	err := refuse(t, s, `{"op":"drop_column","table":{"name":"T"},"column":{"name":"a"}}`)
	assert.Equal(t, "Column 'a' is the last column of table 'dbo.T': drop the table instead", err.Message)
}

func TestATableMayGoIntoANewSchemaWhereTheDialectLetsIt(t *testing.T) {
	s := shop(t, openDialect())
	apply(t, s, `[{"op":"set_table","createSchema":true,"table":{"name":"Orders"},"set":{"schema":"sales"}},
		{"op":"add_table","table":{"schema":"SALES","name":"Offers"}}]`)
	moved, err := s.Table(TableRef{Schema: "Sales", Name: "orders"})
	assert.Nil(t, err)
	assert.Equal(t, "sales.Orders", moved.fullName())
	assert.Equal(t, []string{"public", "sales"}, s.Schemas())
	offers, err := s.Table(TableRef{Schema: "sales", Name: "Offers"})
	assert.Nil(t, err)
	assert.Equal(t, "sales", offers.Schema, "a schema keeps the spelling it has")
	bad := refuse(t, s, `{"op":"add_table","createSchema":true,"table":{"schema":"a\u0001","name":"T"}}`)
	assert.Equal(t, "Schema name 'a\ufffd' holds characters no name may have", bad.Message)
}

func TestATableTakesItsForeignKeysAlongWhereverItGoes(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, `[{"op":"set_table","table":{"name":"Customers"},"set":{"schema":"sys","name":"Clients"}}]`)
	def := s.DefineTable(tableOf(t, s, "Orders"))
	assert.Equal(t, TableRef{Schema: "sys", Name: "Clients"}, def.ForeignKeys[0].ReferencedTable)
}

func TestNamesThatATableBringsIntoASchemaMustBeFreeThere(t *testing.T) {
	prepare := func(d *Dialect, parts string) *Schema {
		s := emptySchema(d)
		apply(t, s, `[{"op":"add_table","createSchema":true,"table":{"schema":"a","name":"P"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]},
			{"op":"add_table","table":{"schema":"a","name":"T"},"initialColumns":[{"name":"Id","dataType":"int"}]},
			{"op":"add_table","createSchema":true,"table":{"schema":"b","name":"U"},"initialColumns":[{"name":"Id","dataType":"int"}]}`+parts+`]`)
		return s
	}
	for _, tt := range []struct{ name, parts, set, message string }{
		{"foreign keys", `,
			{"op":"add_foreign_key","table":{"schema":"a","name":"T"},"foreignKey":{"name":"k","referencedTable":{"schema":"a","name":"P"},"mappings":[{"column":"Id","referencedColumn":"Id"}]}},
			{"op":"add_foreign_key","table":{"schema":"b","name":"U"},"foreignKey":{"name":"K","referencedTable":{"schema":"a","name":"P"},"mappings":[{"column":"Id","referencedColumn":"Id"}]}}`,
			`{"schema":"b"}`, "Foreign key 'k' already exists in schema 'b': rename it first"},
		{"indexes", `,
			{"op":"add_index","table":{"schema":"a","name":"T"},"index":{"name":"x","columns":["Id"]}},
			{"op":"add_index","table":{"schema":"b","name":"U"},"index":{"name":"X","columns":["Id"]}}`,
			`{"schema":"b"}`, "Index 'x' already exists in schema 'b': rename it first"},
		{"checks", `,
			{"op":"add_check","table":{"schema":"a","name":"T"},"check":{"name":"c","expression":"Id > 0"}},
			{"op":"add_check","table":{"schema":"b","name":"U"},"check":{"name":"C","expression":"Id > 0"}}`,
			`{"schema":"b"}`, "Check 'c' already exists in schema 'b': drop it first"},
		{"an index of the table's new name", `,
			{"op":"add_index","table":{"schema":"a","name":"T"},"index":{"name":"x","columns":["Id"]}}`,
			`{"schema":"b","name":"X"}`, "Index 'x' has the table's new name: rename it first"},
		{"the table", ``, `{"schema":"b","name":"u"}`, "Table 'b.U' already exists"},
		{"an index of another table", `,
			{"op":"add_index","table":{"schema":"b","name":"U"},"index":{"name":"T","columns":["Id"]}}`,
			`{"schema":"b"}`, "Table 'b.T' cannot be named so: an index has that name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := openDialect()
			d.Names.SchemaWideChecks = true
			s := prepare(d, tt.parts)
			err := refuse(t, s, `{"op":"set_table","table":{"schema":"a","name":"T"},"set":`+tt.set+`}`)
			assert.Equal(t, tt.message, err.Message)
		})
	}
}

func TestTablesThatDifferInCaseOnlyAreKeptApart(t *testing.T) {
	s, failed := Build(openDialect(), Definition{Tables: []TableDefinition{
		{Name: "Users", Columns: []Column{{Name: "a", DataType: "int"}}},
		{Name: "users", Columns: []Column{{Name: "a", DataType: "int"}, {Name: "A", DataType: "int"}}},
	}}, &Options{NewID: counted()})
	require.NoError(t, failed)
	require.NoError(t, s.Check())

	err := refuse(t, s, `{"op":"drop_table","table":{"name":"USERS"}}`)
	assert.Equal(t, AmbiguousIdentifier, err.Reason)
	assert.Equal(t, "Table 'public.USERS' matches 2 tables that differ in case only: give the id of one of hints.matches in place of the name", err.Message)

	lower := s.Tables()[1]
	require.Equal(t, "users", lower.Name)
	err = refuse(t, s, `{"op":"drop_column","table":{"id":"`+string(lower.ID)+`"},"column":{"name":"a"}}`)
	assert.Equal(t, AmbiguousIdentifier, err.Reason)
	assert.Equal(t, "Column 'a' of table 'public.users' matches 2 that differ in case only: give the id of one of hints.matches in place of the name", err.Message)

	err = refuse(t, s, `{"op":"set_table","table":{"id":"`+string(lower.ID)+`"},"set":{"name":"Users"}}`)
	assert.Equal(t, "Table 'public.Users' already exists", err.Message)
	apply(t, s, `[{"op":"drop_column","table":{"id":"`+string(lower.ID)+`"},"column":{"id":"`+string(lower.Columns[1].ID)+`"}},
		{"op":"set_table","table":{"id":"`+string(lower.ID)+`"},"set":{"name":"People"}}]`)
}

func TestATablesNameMayChangeInCaseOnly(t *testing.T) {
	s := shop(t, serverDialect())
	version := s.Version()
	changes := apply(t, s, `[{"op":"set_table","table":{"name":"orders"},"set":{"name":"ORDERS"}}]`)
	assert.Equal(t, "dbo.ORDERS", tableOf(t, s, "Orders").fullName())
	assert.Equal(t, version, s.Version())
	assert.Equal(t, []TableName{{"dbo", "ORDERS"}}, Summarize(s, changes).TablesUpdated)
}

func TestATableCannotTakeTheNameOfAView(t *testing.T) {
	s := emptySchema(openDialect())
	s.SetCatalog(Catalog{Views: []View{{Name: "Report"}}})
	apply(t, s, `[{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"a","dataType":"int"}]}]`)
	want := "Table 'public.report' cannot be named so: a view has that name"
	assert.Equal(t, want, refuse(t, s, `{"op":"add_table","table":{"name":"report"}}`).Message)
	assert.Equal(t, want, refuse(t, s, `{"op":"set_table","table":{"name":"T"},"set":{"name":"report"}}`).Message)
	assert.Equal(t, "Index 'report' already exists",
		refuse(t, s, `{"op":"add_index","table":{"name":"T"},"index":{"name":"report","columns":["a"]}}`).Message)
}
