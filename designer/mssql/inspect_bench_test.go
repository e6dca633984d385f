package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// manyTables is 1,000 tables of 15 columns with a foreign key and an index
// each, a batch for every hundred.
func manyTables() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "CREATE TABLE table_%04d (id int IDENTITY(1,1) NOT NULL CONSTRAINT pk_%04d PRIMARY KEY", i, i)
		for c := range 13 {
			fmt.Fprintf(&b, ", column_%02d varchar(%d) NOT NULL DEFAULT ('x')", c, 10+c)
		}
		fmt.Fprintf(&b, ", parent_id int NULL, CONSTRAINT fk_%04d FOREIGN KEY (parent_id) REFERENCES table_%04d (id));\n", i, i/2)
		fmt.Fprintf(&b, "CREATE INDEX ix_%04d ON table_%04d (parent_id, column_00 DESC);\n", i, i)
		if i%100 == 99 {
			b.WriteString("GO\n")
		}
	}
	return b.String()
}

// BenchmarkInspect reads 1,000 tables from the server that BERTH_TEST_MSSQL
// names, in a database that the URL's database parameter names and that
// BERTH_TEST_MSSQL_MANY says may be filled.
func BenchmarkInspect(b *testing.B) {
	dsn := os.Getenv("BERTH_TEST_MSSQL")
	if dsn == "" || os.Getenv("BERTH_TEST_MSSQL_MANY") == "" {
		b.Skip("BERTH_TEST_MSSQL and BERTH_TEST_MSSQL_MANY name no server to measure")
	}
	db, err := sql.Open("sqlserver", dsn)
	require.NoError(b, err)
	defer func() { require.NoError(b, db.Close()) }()
	var tables int
	require.NoError(b, db.QueryRow("SELECT COUNT(*) FROM sys.tables").Scan(&tables))
	if tables == 0 {
		for _, batch := range Batches(manyTables()) {
			_, err := db.Exec(batch)
			require.NoError(b, err)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		def, err := Inspect(context.Background(), db)
		require.NoError(b, err)
		require.Len(b, def.Tables, 1000)
	}
}
