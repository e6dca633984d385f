package driver

import (
	"testing"

	"github.com/berth-dev/berth/tools/db/dial"
)

func FuzzStatementKinds(f *testing.F) {
	for _, text := range []string{"DELETE FROM t; DROP TABLE t", "VACUUM", "WITH x AS (", "CREATE INDEX CONCURRENTLY i ON t (a)", "INSERT INTO t VALUES (1) RETURNING a"} {
		for _, dialect := range []string{dial.SQLite, dial.PostgreSQL, dial.MySQL, dial.SQLServer} {
			f.Add(dialect, text)
		}
	}
	f.Fuzz(func(_ *testing.T, dialect, text string) { // no text panics
		_ = committing(dialect, text)
		_ = givesRows(dialect, text)
	})
}
