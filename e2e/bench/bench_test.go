package main_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the project's database
)

// BenchmarkStart measures a process from its start to its first answer
// (initialize), alternating with the bare server's.
func BenchmarkStart(b *testing.B) {
	env := append(os.Environ(), "BERTH_HOME="+filepath.Join(b.TempDir(), "home"))
	var ours, bare []time.Duration
	var oursRSS, bareRSS int64
	once := func(program string, args ...string) (time.Duration, int64) {
		began := time.Now()
		p := start(b, env, program, args...)
		p.handshake(b)
		took := time.Since(began)
		return took, p.stop(b)
	}
	once(programs.berth, "mcp") // both warm in the page cache
	once(programs.bare)
	for b.Loop() {
		d, rss := once(programs.berth, "mcp")
		ours, oursRSS = append(ours, d), max(oursRSS, rss)
		d, rss = once(programs.bare)
		bare, bareRSS = append(bare, d), max(bareRSS, rss)
	}
	b.ReportMetric(0, "ns/op") // both together say nothing
	b.ReportMetric(micros(quantile(ours, .5))/1e3, "berth-ms")
	b.ReportMetric(micros(quantile(bare, .5))/1e3, "bare-ms")
	b.ReportMetric(float64(quantile(ours, .5))/float64(quantile(bare, .5)), "ratio")
	b.ReportMetric(float64(oursRSS)/(1<<20), "berth-MiB")
	b.ReportMetric(float64(bareRSS)/(1<<20), "bare-MiB")
}

// BenchmarkOverview measures get_overview of 15 tables through stdio, the
// loopback hop and the designer, alternating with an echo of the same bytes by
// the bare server.
func BenchmarkOverview(b *testing.B) {
	root, env, _ := project(b, smallTables(15))
	p := start(b, env, programs.berth, "mcp")
	defer p.stop(b)
	p.handshake(b)
	p.tool(b, "mssql_schema_designer", map[string]any{"projectRoot": root, "operation": "show"})
	bareServer := start(b, env, programs.bare)
	defer bareServer.stop(b)
	bareServer.handshake(b)

	args := map[string]any{"projectRoot": root, "operation": "get_overview"}
	line := p.tool(b, "mssql_schema_designer", args)
	if !bytes.Contains(line, []byte(`\"success\":true`)) {
		b.Fatalf("get_overview answered %.300s", line)
	}
	same := map[string]any{"text": textOf(b, line)}
	var ours, bare []time.Duration
	for b.Loop() {
		began := time.Now()
		p.tool(b, "mssql_schema_designer", args)
		ours = append(ours, time.Since(began))
		began = time.Now()
		bareServer.tool(b, "echo", same)
		bare = append(bare, time.Since(began))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(textOf(b, line))), "bytes")
	b.ReportMetric(micros(quantile(ours, .5)), "berth-p50-µs")
	b.ReportMetric(micros(quantile(ours, .99)), "berth-p99-µs")
	b.ReportMetric(micros(quantile(bare, .5)), "bare-p50-µs")
	b.ReportMetric(micros(quantile(bare, .99)), "bare-p99-µs")
	b.ReportMetric(float64(quantile(ours, .5))/float64(quantile(bare, .5)), "ratio")
}

// textOf is the first content item's text of a tools/call answer.
func textOf(b testing.TB, line []byte) string {
	b.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	check(b, json.Unmarshal(line, &m))
	if len(m.Result.Content) == 0 {
		b.Fatalf("no content in %.300s", line)
	}
	return m.Result.Content[0].Text
}

// smallTables is the script of n tables without much in them.
func smallTables(n int) string {
	var script strings.Builder
	for i := range n {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount DECIMAL(10,2), made_at DATETIME, note TEXT, other_id INTEGER REFERENCES t%d (id), flag BOOLEAN, kind VARCHAR(20));\n", i, i)
	}
	return script.String()
}

// project makes a project whose database is what the script makes, and serves
// it until the benchmark ends. It returns the root, the environment for berth
// and the instance's address.
func project(b testing.TB, script string) (root string, env []string, url string) {
	b.Helper()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	check(b, err)
	root = filepath.Join(dir, "project")
	check(b, os.MkdirAll(root, 0o755))
	db, err := sql.Open("sqlite", filepath.Join(root, "app.db"))
	check(b, err)
	_, err = db.Exec(script)
	check(b, err)
	check(b, db.Close())
	env, url = serve(b, dir, root)
	return root, env, url
}

// serve serves the project at root until the benchmark ends, with a home of
// its own in dir.
func serve(b testing.TB, dir, root string) (env []string, url string) {
	b.Helper()
	home := filepath.Join(dir, "home")
	check(b, os.MkdirAll(home, 0o700))
	check(b, os.WriteFile(filepath.Join(home, "config.yaml"), []byte("designer: {openBrowser: false}\n"), 0o600))
	env = append(os.Environ(), "BERTH_HOME="+home, "BERTH_FIRST_PORT=28000")
	instance := exec.Command(programs.berth, "serve", root, "--json")
	instance.Env = env
	instance.Stderr = os.Stderr
	out, err := instance.StdoutPipe()
	check(b, err)
	check(b, instance.Start())
	b.Cleanup(func() {
		_ = instance.Process.Signal(syscall.SIGTERM)
		_ = instance.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	check(b, err)
	var ready struct{ URL string }
	check(b, json.Unmarshal(line, &ready))
	return env, ready.URL
}
