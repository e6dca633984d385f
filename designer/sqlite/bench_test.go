package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// manyTables is 1,000 tables of 15 columns with a foreign key and an index
// each.
func manyTables() string {
	var b strings.Builder
	b.WriteString("BEGIN;\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "CREATE TABLE table_%04d (id INTEGER PRIMARY KEY AUTOINCREMENT", i)
		for c := range 13 {
			fmt.Fprintf(&b, ", column_%02d VARCHAR(%d) NOT NULL DEFAULT 'x'", c, 10+c)
		}
		fmt.Fprintf(&b, ", parent_id INTEGER CONSTRAINT fk_%04d REFERENCES table_%04d(id) ON DELETE CASCADE);\n", i, i/2)
		fmt.Fprintf(&b, "CREATE INDEX ix_%04d ON table_%04d (parent_id, column_00 DESC);\n", i, i)
	}
	b.WriteString("COMMIT;")
	return b.String()
}

// BenchmarkInspect reads 1,000 tables, once as berth does and once the way of
// a reader that asks four pragmas a table and an index.
func BenchmarkInspect(b *testing.B) {
	db := open(b, manyTables())
	b.Run("set-based", func(b *testing.B) {
		for b.Loop() {
			def, err := Inspect(context.Background(), db)
			require.NoError(b, err)
			require.Len(b, def.Tables, 1000)
		}
	})
	b.Run("pragmas-per-table", func(b *testing.B) {
		for b.Loop() {
			readByPragma(b, db)
		}
	})
}

func readByPragma(b *testing.B, db *sql.DB) {
	for _, table := range column(b, db, "SELECT name FROM sqlite_schema WHERE type = 'table'", 0) {
		column(b, db, fmt.Sprintf("PRAGMA table_xinfo(%q)", table), 1)
		column(b, db, fmt.Sprintf("PRAGMA foreign_key_list(%q)", table), 2)
		for _, index := range column(b, db, fmt.Sprintf("PRAGMA index_list(%q)", table), 1) {
			column(b, db, fmt.Sprintf("PRAGMA index_xinfo(%q)", index), 2)
		}
		column(b, db, fmt.Sprintf("SELECT sql FROM sqlite_schema WHERE name = '%s'", table), 0)
	}
}

// column reads a result and returns one of its columns as text.
func column(b *testing.B, db *sql.DB, query string, at int) []string {
	rows, err := db.Query(query)
	require.NoError(b, err)
	defer func() { require.NoError(b, rows.Close()) }()
	names, err := rows.Columns()
	require.NoError(b, err)
	values := make([]any, len(names))
	pointers := make([]any, len(names))
	for i := range values {
		pointers[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		require.NoError(b, rows.Scan(pointers...))
		out = append(out, fmt.Sprint(values[at]))
	}
	require.NoError(b, rows.Err())
	return out
}
