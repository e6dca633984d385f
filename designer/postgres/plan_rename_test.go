package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"

	"github.com/berth-dev/berth/e2e/long"
)

// namesNow lists the tables and indexes by their column and kind.
const namesNow = `SELECT format('%s %s', a.attname, c.relkind), format('%s.%s', n.nspname, c.relname)
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('one', 'two') AND a.attnum > 0`

// place of a table with an index: where it is, and how both are called.
type relationNames struct{ schema, table, index string }

// drawNames draws names for tables with an index each. Tables and indexes of a
// schema share names, and there are few.
func drawNames(t *rapid.T, label string, count int) []relationNames {
	free := map[string][]string{}
	for _, schema := range []string{"one", "two"} {
		free[schema] = rapid.Permutation(strings.Fields("a b c d e f g h")).Draw(t, label+" "+schema)
	}
	list := make([]relationNames, count)
	for i := range list {
		schema := rapid.SampledFrom([]string{"one", "two"}).Draw(t, label)
		list[i] = relationNames{schema, free[schema][0], free[schema][1]}
		free[schema] = free[schema][2:]
	}
	return list
}

// tablesNamed returns tables k0, k1, … with these names.
func tablesNamed(t require.TestingT, names []relationNames) *designer.Schema {
	def := designer.Definition{Schemas: []string{"public", "one", "two"}}
	for i, n := range names {
		column := fmt.Sprintf("k%d", i)
		def.Tables = append(def.Tables, designer.TableDefinition{Schema: n.schema, Name: n.table, Columns: []designer.Column{{Name: column, DataType: "integer", IsNullable: true}},
			Indexes: []designer.IndexDefinition{{Name: n.index, Parts: []designer.IndexKeyDefinition{{Column: column}}}}})
	}
	s, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	return s
}

// withNames returns a copy of s in which the table of column k0, k1, … has these
// names.
func withNames(t require.TestingT, s *designer.Schema, names []relationNames) *designer.Schema {
	var tables []*designer.Table
	for _, from := range s.Tables() {
		next := *from
		var i int
		_, err := fmt.Sscanf(from.Columns[0].Name, "k%d", &i)
		require.NoError(t, err)
		next.Indexes = append([]designer.Index(nil), from.Indexes...)
		next.Schema, next.Name, next.Indexes[0].Name = names[i].schema, names[i].table, names[i].index
		tables = append(tables, &next)
	}
	to, err := designer.Restore(s.Dialect(), tables, &designer.Options{Catalog: s.Catalog()})
	require.NoError(t, err)
	return to
}

// However tables and indexes exchange names and schemas, the server takes each
// step, and all have their names in the end.
func TestTablesAndIndexesExchangeNamesAndSchemas(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	long.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 4).Draw(t, "tables")
		before, after := drawNames(t, "before", count), drawNames(t, "after", count)
		from := tablesNamed(t, before)
		script, err := Engine{}.Script(from)
		require.NoError(t, err)
		plan, err := Engine{}.Plan(designer.DiffOf(from, withNames(t, from, after)))
		require.NoError(t, err)
		want := map[string]string{}
		for i, n := range after {
			want[fmt.Sprintf("k%d r", i)], want[fmt.Sprintf("k%d i", i)] = n.schema+"."+n.table, n.schema+"."+n.index
		}
		require.Equal(t, want, namesAfter(t, db, script, plan), plan.Script())
	})
}

// namesAfter makes plans in a transaction that is rolled back.
func namesAfter(t require.TestingT, db *sql.DB, plans ...designer.Plan) map[string]string {
	tx, err := db.Begin()
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }() // which is the point
	for _, p := range plans {
		for _, s := range p.Steps {
			_, err := tx.Exec(s.Statement)
			require.NoError(t, err, p.Script())
		}
	}
	got := map[string]string{}
	require.NoError(t, each(context.Background(), tx, namesNow, func(scan scanner) error {
		var what, name string
		err := scan(&what, &name)
		got[what] = name
		return err
	}))
	return got
}
