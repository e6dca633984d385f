package main_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// crowd is a kind of database with queries that take up its lane.
type crowd struct {
	// open makes a database; dsn is what the project's settings name it by.
	open func(b *testing.B) (db *sql.DB, dsn string)
	// computing keeps a processor busy without end. waiting stands still for
	// a lock that hold takes, in a session of its own.
	computing, waiting, hold string
}

func crowds() map[string]crowd {
	return map[string]crowd{
		"SQLite": {
			open:      func(*testing.B) (*sql.DB, string) { return nil, "" },
			computing: "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d) SELECT count(*) FROM d WHERE n < 0",
		},
		"PostgreSQL": {
			open:      func(b *testing.B) (*sql.DB, string) { return enginetest.Postgres().New(b) },
			computing: "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c WHERE a + b + c < 0", // one long series would be written to disk
			waiting:   "SELECT count(*) FROM held",
			hold:      "BEGIN; LOCK TABLE held",
		},
		"MariaDB": {
			open: func(b *testing.B) (*sql.DB, string) {
				db, dsn := enginetest.MySQL().New(b)
				c, err := mysql.ParseDSN(dsn)
				check(b, err)
				u := url.URL{Scheme: "mysql", User: url.UserPassword(c.User, c.Passwd), Host: c.Addr, Path: "/" + c.DBName}
				return db, u.String()
			},
			computing: "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 900) SELECT COUNT(*) FROM d a, d b, d c, d e WHERE a.n + b.n + c.n + e.n < 0",
			waiting:   "SELECT COUNT(*) FROM held",
			hold:      "LOCK TABLES held WRITE",
		},
	}
}

// BenchmarkLanes measures a SELECT 1 alone and beside slow queries of another
// front-end: those that compute, and where the database has locks, those that
// wait for one. Queries that compute share the machine's processors with it,
// and on a server they do so whoever asks: direct-x is what they cost a
// SELECT 1 that goes to the server without berth.
func BenchmarkLanes(b *testing.B) {
	for name, c := range crowds() {
		for kind, slow := range map[string]string{"computing": c.computing, "waiting": c.waiting} {
			if slow == "" {
				continue
			}
			b.Run(name+"/"+kind, func(b *testing.B) { c.measure(b, slow) })
		}
	}
}

func (c crowd) measure(b *testing.B, slow string) {
	db, dsn := c.open(b)
	var root string
	var env []string
	if db == nil {
		root, env, _ = project(b, "CREATE TABLE held (id INTEGER PRIMARY KEY)")
	} else {
		root, env = c.serve(b, db, dsn)
	}
	quick := start(b, env, programs.berth, "mcp")
	defer quick.stop(b)
	quick.handshake(b)
	for b.Loop() {
		alone, directAlone, _ := quicks(b, quick, root, db)
		b.ReportMetric(micros(alone)/1e3, "alone-ms")
		for _, n := range []int{4, 16, 64} {
			beside, direct, overloaded := c.beside(b, quick, root, env, db, slow, n)
			b.ReportMetric(float64(beside)/float64(alone), fmt.Sprintf("beside-%d-x", n))
			if n == 64 {
				b.ReportMetric(float64(overloaded), "overloaded-%")
			}
			if db != nil {
				b.ReportMetric(float64(direct)/float64(directAlone), fmt.Sprintf("direct-%d-x", n))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
}

// serve serves a project whose one connection is dsn.
func (c crowd) serve(b *testing.B, db *sql.DB, dsn string) (root string, env []string) {
	_, err := db.Exec("CREATE TABLE held (id INT PRIMARY KEY)")
	check(b, err)
	dir, err := filepath.EvalSymlinks(b.TempDir())
	check(b, err)
	root = filepath.Join(dir, "project")
	check(b, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	check(b, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("connections:\n  app: {url: "+dsn+"}\n"), 0o600))
	env, _ = serve(b, dir, root)
	return root, env
}

// beside measures while n slow queries are in progress.
func (c crowd) beside(b *testing.B, quick *stdio, root string, env []string, db *sql.DB, slow string, n int) (berth, direct time.Duration, overloaded int) {
	if slow == c.waiting {
		ctx, cancel := context.WithCancel(b.Context())
		holder, err := db.Conn(ctx)
		check(b, err)
		_, err = holder.ExecContext(ctx, c.hold)
		check(b, err)
		defer func() {
			_ = holder.Raw(func(any) error { return errEnded }) // which ends its lock
			_ = holder.Close()
			cancel()
		}()
	}
	slower := start(b, env, programs.berth, "mcp")
	slower.handshake(b)
	for i := range n {
		slower.send(b, map[string]any{"jsonrpc": "2.0", "id": 1000 + i, "method": "tools/call",
			"params": map[string]any{"name": "run-query", "arguments": map[string]any{"projectRoot": root, "query": slow}}})
	}
	defer func() {
		_ = slower.cmd.Process.Kill() // the instance ends its queries
		_ = slower.cmd.Wait()
		time.Sleep(3 * time.Second) // the database too
	}()
	time.Sleep(time.Second) // all are under way
	return quicks(b, quick, root, db)
}

// quicks is the median of a few quick calls, and of the same statement sent to
// the server itself, alternating. overloaded is the share of calls refused, in
// percent.
func quicks(b *testing.B, p *stdio, root string, db *sql.DB) (berth, direct time.Duration, overloaded int) {
	const rounds = 21
	var ours, servers []time.Duration
	args := map[string]any{"projectRoot": root, "query": "SELECT 1 AS one"}
	full := 0
	for range rounds {
		began := time.Now()
		line := p.tool(b, "run-query", args)
		ours = append(ours, time.Since(began))
		if bytes.Contains(line, []byte("overloaded: ")) {
			if full++; full == 3 {
				break // each takes seconds
			}
		}
		if db != nil {
			began = time.Now()
			var one int
			check(b, db.QueryRow("SELECT 1").Scan(&one))
			servers = append(servers, time.Since(began))
		}
		time.Sleep(50 * time.Millisecond) // an agent thinks between its calls
	}
	overloaded = 100 * full / len(ours)
	if len(servers) > 0 {
		direct = quantile(servers, .5)
	}
	return quantile(ours, .5), direct, overloaded
}

// errEnded has a pool throw a connection away.
var errEnded = fmt.Errorf("done with: %w", sql.ErrConnDone)
