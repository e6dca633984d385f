package db

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
)

// BenchmarkQuery is one small query through all the guards.
func BenchmarkQuery(b *testing.B) {
	for _, e := range endureds() {
		b.Run(e.name, func(b *testing.B) {
			c := e.make(b).connect(b, settings{})
			for b.Loop() {
				r := ask(b, c, "SELECT 1")
				require.False(b, r.IsError, r.Content)
			}
		})
	}
}

// BenchmarkTenMillionRowsToAFile exports ten million rows.
func BenchmarkTenMillionRowsToAFile(b *testing.B) {
	for _, e := range endureds() {
		b.Run(e.name, func(b *testing.B) {
			c := e.make(b).connect(b, settings{Timeout: 5 * dial.Timeout * 60})
			for b.Loop() {
				var r tools.Reply
				heap := peak(func() { r = c.call(b.Context(), "run-query", args(map[string]any{"query": e.rows, "toFile": true})) })
				require.False(b, r.IsError, r.Content)
				require.Contains(b, r.Content[0], `"rows":10000000`)
				b.ReportMetric(float64(heap)/(1<<20), "MiB-heap")
			}
		})
	}
}

// BenchmarkTenThousandTables lists the tables of a database that has many,
// and queries one.
func BenchmarkTenThousandTables(b *testing.B) {
	for _, e := range endureds() {
		b.Run(e.name, func(b *testing.B) {
			s := e.make(b)
			const portion = 500 // a transaction of PostgreSQL has so many locks
			engine := ""
			if s.config.Dialect == dial.MySQL {
				engine = " ENGINE=MyISAM" // makes them without waiting for the disk
			}
			for from := 0; from < 10_000; from += portion {
				var script []string
				for n := range portion {
					script = append(script, fmt.Sprintf("CREATE TABLE table_%05d (id INT, name VARCHAR(20))%s", from+n, engine))
				}
				if engine == "" {
					script = []string{strings.Join(script, ";")}
				}
				for _, statement := range script {
					s.Exec(b, statement)
				}
			}
			c := s.connect(b, settings{})
			b.Run("get-tables", func(b *testing.B) {
				for b.Loop() {
					var r tools.Reply
					heap := peak(func() { r = c.call(b.Context(), "get-tables", "{}") })
					require.Contains(b, r.Content[1], "1000 of 10000 names are listed")
					b.ReportMetric(float64(heap)/(1<<20), "MiB-heap")
				}
			})
			b.Run("inspect", func(b *testing.B) {
				d, err := c.Database(s.config)
				require.NoError(b, err)
				for b.Loop() {
					heap := peak(func() {
						def, err := d.Definition(b.Context())
						require.NoError(b, err)
						require.Len(b, def.Tables, 10_000)
					})
					b.ReportMetric(float64(heap)/(1<<20), "MiB-heap")
				}
			})
			b.Run("run-query", func(b *testing.B) {
				for b.Loop() {
					r := ask(b, c, "SELECT t.name, COUNT(*) AS n FROM table_00001 t JOIN table_00002 u ON t.id = u.id AND t.name = u.name GROUP BY t.name")
					require.False(b, r.IsError, r.Content)
				}
			})
		})
	}
}
