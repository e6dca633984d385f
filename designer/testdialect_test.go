package designer

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/stretchr/testify/require"
)

// serverDialect is a dialect like SQL Server's: the one the tool contract's
// examples are written for.
func serverDialect() *Dialect {
	return &Dialect{
		Name: "mssql", Title: "SQL Server", Types: serverTypes(),
		Reserved:    map[string]bool{"ORDER": true, "USER": true, "END": true},
		Names:       NameRules{MaxLength: 128, SchemaWideChecks: true},
		Schemas:     SchemaRules{Common: []string{"dbo", "sys"}, Fixed: true},
		ForeignKeys: ForeignKeyRules{Actions: []Action{Cascade, NoAction, SetNull, SetDefault}, RefuseCascades: true},
		SQL:         sqltext.TSQL(),
	}
}

// enums are the rules of a database whose edits make enums.
func enums() NamedTypeRules {
	return NamedTypeRules{Classes: []TypeClass{ClassEnum, ClassDomain}, LongestValue: 63, Define: func(t *NamedType) string {
		return fmt.Sprintf("CREATE TYPE %s.%s AS ENUM %q", t.Schema, t.Name, t.ValueNames())
	}}
}

func serverTypes() []TypeInfo {
	integer := func(name string, aliases ...string) TypeInfo {
		return TypeInfo{Name: name, Aliases: aliases, Family: "integer", Identity: true}
	}
	text := func(name string, aliases ...string) TypeInfo {
		return TypeInfo{Name: name, Aliases: aliases, Family: "text", Length: Required, MaxLength: 4000, AllowsMax: true}
	}
	binary := text("varbinary")
	binary.Family, binary.Length, binary.DefaultLength = "binary", Optional, "MAX"
	return []TypeInfo{
		integer("int", "integer"), integer("bigint"), text("nvarchar", "national varchar"), text("varchar", "character varying"),
		{Name: "decimal", Aliases: []string{"dec", "numeric"}, Family: "decimal", Identity: true,
			Precision: Range{Min: 1, Max: 38, Default: 18}, Scale: Range{Min: 0, Max: 38, Default: 2}},
		{Name: "datetime2", Family: "time", Scale: Range{Min: 0, Max: 7, Default: 7}},
		{Name: "bit", Family: "bit"}, {Name: "uniqueidentifier", Family: "guid"}, binary,
		{Name: "float", Family: "float", Precision: Range{Min: 1, Max: 53, Unset: true}},
		integer("smallint"), integer("tinyint"), {Name: "date", Family: "date"},
	}
}

// openDialect is one like PostgreSQL's: designs may bring schemas of their
// own, cascades are free, checks are the table's own and indexes share their
// names with tables.
func openDialect() *Dialect {
	d := serverDialect()
	d.Name, d.Title = "postgres", "PostgreSQL"
	d.Schemas.Common, d.Schemas.Fixed = []string{"public"}, false
	d.Names.MaxLength, d.Names.InBytes = 63, true
	d.ForeignKeys.Actions = append(d.ForeignKeys.Actions, Restrict)
	d.ForeignKeys.RefuseCascades, d.Names.SchemaWideChecks, d.Names.SchemaWideIndexes = false, false, true
	d.SQL = sqltext.PostgreSQL()
	return d
}

// counted returns ids that a reader of a failure can follow.
func counted() func() ID {
	n := 0
	return func() ID {
		n++
		return ID(fmt.Sprintf("id%d", n))
	}
}

func emptySchema(d *Dialect) *Schema { return New(d, &Options{NewID: counted()}) }

// shop is the schema most tests start from: customers, orders with a key to
// them, and order lines with a composite key.
func shop(t testing.TB, d *Dialect) *Schema {
	t.Helper()
	s := emptySchema(d)
	apply(t, s, `[
		{"op":"add_table","table":{"name":"Customers"},"initialColumns":[
			{"name":"Id","dataType":"int","isPrimaryKey":true,"isIdentity":true},
			{"name":"Email","dataType":"nvarchar(200)","isNullable":false},
			{"name":"Region","dataType":"int"}]},
		{"op":"add_index","table":{"name":"Customers"},"index":{"name":"UQ_Email","unique":true,"columns":["Email"]}},
		{"op":"add_table","table":{"name":"Orders"},"initialColumns":[
			{"name":"OrderId","dataType":"int","isPrimaryKey":true},
			{"name":"CustomerId","dataType":"int"},
			{"name":"Total","dataType":"decimal(10,2)","defaultValue":"0"},
			{"name":"Note","dataType":"nvarchar(max)"}]},
		{"op":"add_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers",
			"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}},
		{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX_Total","columns":[{"name":"Total","descending":true}],"where":"Total > 0"}},
		{"op":"add_check","table":{"name":"Orders"},"check":{"name":"CK_Total","expression":"Total >= 0"}},
		{"op":"add_table","table":{"name":"Lines"},"initialColumns":[
			{"name":"OrderId","dataType":"int","isPrimaryKey":true},
			{"name":"Line","dataType":"int","isPrimaryKey":true},
			{"name":"Parent","dataType":"int"},
			{"name":"Quantity","dataType":"int","isNullable":false}]},
		{"op":"add_foreign_key","table":{"name":"Lines"},"foreignKey":{"name":"FK_Lines_Orders",
			"referencedTable":{"name":"Orders"},"mappings":[{"column":"OrderId","referencedColumn":"OrderId"}]}}
	]`)
	return s
}

// ReadEdits is edits.Decode, which imports this package: the external test
// package sets it.
var ReadEdits func(json.RawMessage) ([]Edit, *Error)

// decode reads edits as a caller writes them.
func decode(t testing.TB, edits string) []Edit {
	t.Helper()
	list, err := ReadEdits(json.RawMessage(edits))
	if err != nil {
		require.FailNow(t, "the edits do not decode", "%v", err)
	}
	return list
}

// apply makes edits that have to be valid.
func apply(t testing.TB, s *Schema, edits string) []Change {
	t.Helper()
	var changes []Change
	for i, e := range decode(t, edits) {
		c, err := s.Apply(e)
		if err != nil {
			require.FailNow(t, "the edit was refused", "edits[%d]: %v", i, err)
		}
		changes = append(changes, c)
	}
	require.NoError(t, s.Check())
	return changes
}

// refuse makes an edit that must not be valid, and sees that it leaves no
// trace.
func refuse(t testing.TB, s *Schema, edit string) *Error {
	t.Helper()
	edits := decode(t, "["+edit+"]")
	version, tables := s.Version(), snapshot(s)
	_, err := s.Apply(edits[0])
	require.NotNil(t, err, "the edit was accepted")
	requireMember(t, edits[0].Op, err.Field)
	require.Equal(t, version, s.Version(), "a refused edit changed the version")
	require.Equal(t, tables, snapshot(s), "a refused edit left a trace")
	require.NoError(t, s.Check())
	return err
}

// snapshot copies every table, so that one modified in place is noticed.
func snapshot(s *Schema) []*Table { return mapEach(s.Tables(), (*Table).Clone) }

// tableOf returns a table that has to be there.
func tableOf(t testing.TB, s *Schema, name string) *Table {
	t.Helper()
	table, err := s.Table(TableRef{Name: name})
	require.Nil(t, err)
	return table
}

// columnOf returns a column that has to be there.
func columnOf(t testing.TB, s *Schema, table, column string) Column {
	t.Helper()
	c, err := tableOf(t, s, table).Column(ObjectRef{Name: column})
	require.Nil(t, err)
	return *c
}
