package mysql_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/mysql"
)

// manyTables is 1,000 tables of 15 columns with a foreign key and an index
// each.
func manyTables() string {
	var b strings.Builder
	b.WriteString("SET foreign_key_checks = 0;\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "CREATE TABLE table_%04d (id int PRIMARY KEY AUTO_INCREMENT", i)
		for c := range 13 {
			fmt.Fprintf(&b, ", column_%02d varchar(%d) NOT NULL DEFAULT 'x'", c, 10+c)
		}
		fmt.Fprintf(&b, ", parent_id int, KEY ix_%04d (parent_id, column_00 DESC),"+
			" CONSTRAINT fk_%04d FOREIGN KEY (parent_id) REFERENCES table_%04d (id) ON DELETE CASCADE);\n", i, i, i/2)
	}
	return b.String()
}

// BenchmarkInspect reads 1,000 tables as berth does, and beside it in the same
// run the way of a reader that asks for each table. It reports the best time
// of each, which others on the machine disturb least, and the ratio.
func BenchmarkInspect(b *testing.B) {
	db := newDatabase(b)
	load(b, db, manyTables())
	perTable := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		require.Equal(b, 16000, readByTable(b, db), "columns and keys")
		perTable = min(perTable, time.Since(start))
	}
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		def, err := mysql.Inspect(context.Background(), db)
		best = min(best, time.Since(start))
		require.NoError(b, err)
		require.Len(b, def.Tables, 1000)
		require.Len(b, def.Tables[999].Columns, 15)
	}
	b.ReportMetric(float64(best.Milliseconds()), "ms-best")
	b.ReportMetric(float64(perTable.Milliseconds()), "ms-best-per-table-reader")
	b.ReportMetric(float64(perTable)/float64(best), "times-slower-per-table")
}

// readByTable asks for the columns, keys, indexes and checks of one table
// after another and returns how many columns and foreign keys there were.
func readByTable(b *testing.B, db *sql.DB) int {
	n := 0
	for _, table := range values(b, db, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()") {
		where := " WHERE table_schema = DATABASE() AND table_name = '" + table + "'"
		n += len(values(b, db, "SELECT column_name FROM information_schema.columns"+where))
		values(b, db, "SELECT index_name FROM information_schema.statistics"+where)
		n += len(values(b, db, "SELECT constraint_name FROM information_schema.key_column_usage"+where+" AND referenced_table_name IS NOT NULL"))
		values(b, db, "SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() AND table_name = '"+table+"'")
		values(b, db, "SELECT check_clause FROM information_schema.check_constraints WHERE constraint_schema = DATABASE() AND table_name = '"+table+"'")
	}
	return n
}
