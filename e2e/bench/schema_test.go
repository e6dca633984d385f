package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/e2e/schemas"
)

// BenchmarkRealSchema measures what reads the schema of a database of 1,028
// tables of the shapes that real ones have, in turn with pg_dump -s of the
// same: opening the designer after the schema changed, get-schema of one table
// and search-schema. What counts are the ratios to pg_dump.
func BenchmarkRealSchema(b *testing.B) {
	needs.Program(b, "pg_dump")
	db, dsn := enginetest.Postgres().New(b)
	tables := makeMany(b, db)
	root, env := served(b, dsn)
	p := start(b, env, programs.berth, "mcp")
	defer p.stop(b)
	p.handshake(b)
	call := func(name string, args map[string]any) time.Duration {
		args["projectRoot"] = root
		began := time.Now()
		line := p.tool(b, name, args)
		took := time.Since(began)
		if strings.Contains(string(line), `"isError":true`) {
			b.Fatalf("%s answered %.300s", name, line)
		}
		return took
	}
	one := tables[len(tables)/2]
	measured := []struct {
		name string
		once func() time.Duration
	}{
		{"show", func() time.Duration {
			_, err := db.ExecContext(context.Background(), fmt.Sprintf("COMMENT ON TABLE %s IS 'changed at %d'", one, time.Now().UnixNano()))
			check(b, err)
			return call("mssql_schema_designer", map[string]any{"operation": "show"})
		}},
		{"get-schema", func() time.Duration { return call("get-schema", map[string]any{"table": one}) }},
		{"search-schema", func() time.Duration { return call("search-schema", map[string]any{"pattern": one}) }},
		{"get-tables", func() time.Duration { return call("get-tables", map[string]any{}) }},
		{"pg_dump", func() time.Duration {
			began := time.Now()
			out, err := exec.Command("pg_dump", "-s", dsn).CombinedOutput()
			if err != nil {
				b.Fatalf("pg_dump: %v: %.300s", err, out)
			}
			return time.Since(began)
		}},
	}
	times := make([][]time.Duration, len(measured))
	for _, m := range measured {
		m.once() // both warm
	}
	for b.Loop() {
		for i, m := range measured {
			times[i] = append(times[i], m.once())
		}
	}
	b.ReportMetric(0, "ns/op") // all together say nothing
	b.ReportMetric(float64(len(tables)), "tables")
	peer := quantile(times[len(times)-1], .5)
	for i, m := range measured {
		median := quantile(times[i], .5)
		b.ReportMetric(micros(median)/1e3, m.name+"-ms")
		if m.name != "pg_dump" {
			b.ReportMetric(float64(median)/float64(peer), m.name+"/pg_dump")
		}
	}
}

// makeMany makes the schema and returns the names of its tables.
func makeMany(b *testing.B, db *sql.DB) (tables []string) {
	b.Helper()
	for _, statement := range schemas.Make(schemas.Options{Dialect: "postgres", Seed: 1, Tables: 1028}) {
		_, err := db.ExecContext(context.Background(), statement)
		check(b, err)
	}
	_, err := db.ExecContext(context.Background(), "ANALYZE")
	check(b, err)
	rows, err := db.QueryContext(context.Background(), "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY relname")
	check(b, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		check(b, rows.Scan(&name))
		tables = append(tables, name)
	}
	check(b, rows.Err())
	return tables
}

// served serves a project whose database is the one of the DSN.
func served(b *testing.B, dsn string) (root string, env []string) {
	b.Helper()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	check(b, err)
	root = filepath.Join(dir, "project")
	check(b, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	check(b, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(fmt.Sprintf("connections:\n  main: {url: %q}\n", dsn)), 0o600))
	env, _ = serve(b, dir, root)
	return root, env
}
