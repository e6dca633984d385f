package files_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/rows"
)

// benchFiles is how many files of 8 kB the benchmarks of rows have;
// BERTH_BENCH_FILES sets another number, such as the 100,000 of issue 13.
func benchFiles() int {
	n, _ := strconv.Atoi(os.Getenv("BERTH_BENCH_FILES"))
	return cmp.Or(n, 2000)
}

// rareWord is in one of the files.
const rareWord = "zyxwvuquokka"

// source returns text like that of programs.
func source(r *rand.Rand) string {
	words := []string{"return", "const", "scene", "player", "update", "this.physics.add", "if (x > 0) {", "}", "//", "sprite", "velocity", "let", "=", "(a, b)", "=>", "await", "load"}
	var b strings.Builder
	for b.Len() < 8<<10 {
		for range 8 {
			b.WriteString(words[r.IntN(len(words))])
			fmt.Fprintf(&b, "%d ", r.IntN(5000))
		}
		b.WriteByte('\n')
	}
	return b.String()[:8<<10]
}

// fillBench writes the files into the table and a folder.
func fillBench(b *testing.B, r *table, dir string) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	tx, err := r.owner.BeginTx(b.Context(), nil)
	require.NoError(b, err)
	for i := range benchFiles() {
		content := source(rnd)
		if i == benchFiles()/2 {
			content = content[:4000] + rareWord + content[4000+len(rareWord):]
		}
		name := fmt.Sprintf("src/d%03d/file%06d.js", i/100, i)
		_, err := tx.ExecContext(b.Context(), "INSERT INTO files (project_id, path, content) VALUES ('p1', $1, $2)", "/"+name, content)
		require.NoError(b, err)
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(b, os.WriteFile(file, []byte(content), 0o644))
	}
	require.NoError(b, tx.Commit())
	if r.Dialect == "postgres" {
		_, err = r.owner.ExecContext(b.Context(), "VACUUM ANALYZE files")
		require.NoError(b, err)
	}
}

// side is one of two ways that are measured in turns.
type side struct {
	name string
	run  func() error
}

// inTurns runs the sides one after the other and reports the times of each, and
// how many times that of the last the first takes. Each runs once before, so
// that neither is measured on cold pages.
func inTurns(b *testing.B, sides ...side) {
	took := make([]time.Duration, len(sides))
	for _, s := range sides {
		require.NoError(b, s.run())
	}
	for b.Loop() {
		for i, s := range sides {
			start := time.Now()
			require.NoError(b, s.run())
			took[i] += time.Since(start)
		}
	}
	for i, s := range sides {
		b.ReportMetric(float64(took[i].Microseconds())/float64(b.N), s.name+"-µs")
	}
	b.ReportMetric(float64(took[0])/float64(took[len(took)-1]), "×")
}

// BenchmarkRows compares the tools with the same SQL through the bare driver,
// and a search with ripgrep on the same files on disk.
func BenchmarkRows(b *testing.B) {
	needs.Program(b, "rg")
	for name, r := range map[string]*table{"sqlite": sqliteTable(b), "postgres": postgresTable(b)} {
		dir := b.TempDir()
		fillBench(b, r, dir)
		ledger, err := approval.New(approval.Options{URL: "http://127.0.0.1:1"})
		require.NoError(b, err)
		tool, err := files.New(files.Options{Root: b.TempDir(), Ledger: ledger, Settings: files.Settings{Store: rows.New(r.rowsConnection, r.Options)}})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, tool.Close()) })
		call := func(name string, a arguments) func() error {
			raw, err := json.Marshal(a)
			require.NoError(b, err)
			return func() error {
				if reply := tool.Handlers()[name](context.Background(), tools.Call{Tool: name, Arguments: raw}); reply.IsError {
					return fmt.Errorf("%s", reply.Content)
				}
				return nil
			}
		}
		one := fmt.Sprintf("src/d%03d/file%06d.js", benchFiles()/200, benchFiles()/2)
		b.Run(name+"/list", func(b *testing.B) {
			inTurns(b, side{"tool", call(catalog.ListEntries, arguments{})}, side{"bare", r.bareList})
		})
		b.Run(name+"/read", func(b *testing.B) {
			inTurns(b, side{"tool", call(catalog.ReadFile, arguments{"path": one, "head": 40})}, side{"bare", func() error { return r.bareRead("/" + one) }})
		})
		b.Run(name+"/search", func(b *testing.B) {
			inTurns(b, side{"tool", call(catalog.SearchContent, arguments{"query": rareWord})}, side{"ripgrep", func() error {
				return exec.Command("rg", "-i", "-F", rareWord, dir).Run()
			}})
		})
	}
}

func (r *table) bareList() error {
	list, err := r.reader.Query("SELECT path, updated_at FROM files WHERE project_id = $1 ORDER BY path", "p1")
	if err != nil {
		return err
	}
	defer func() { _ = list.Close() }()
	for list.Next() {
		var path string
		var at time.Time
		if err := list.Scan(&path, &at); err != nil {
			return err
		}
	}
	return list.Err()
}

func (r *table) bareRead(path string) error {
	var content []byte
	var at time.Time
	return r.reader.QueryRow("SELECT content, updated_at FROM files WHERE project_id = $1 AND path = $2", "p1", path).Scan(&content, &at)
}
