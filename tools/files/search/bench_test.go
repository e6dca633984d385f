package search

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/require"
)

// oneSearch names, in the environment, a folder in which the test binary makes
// one search, writes the most memory it had, and ends: its memory is that of
// one search, and no test's.
const oneSearch = "BERTH_BENCH_ONE_SEARCH"

func TestMain(m *testing.M) {
	if dir := os.Getenv(oneSearch); dir != "" {
		root, err := os.OpenRoot(dir)
		if err == nil {
			_, err = Search(context.Background(), root, Query{Text: "context.withtimeout"}, Options{Budget: time.Hour})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		status, _ := os.ReadFile("/proc/self/status") // Linux has it
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		fmt.Println(strings.Fields(peak + " 0")[0])
		os.Exit(0)
	}
	code := m.Run()
	if dir := synthetic.dir; dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// BenchmarkBesideRipgrep searches two warm trees, Go's own sources and 500 MB
// generated, alternating with ripgrep. What counts is x-ripgrep, our median
// over its median: machines differ. Ripgrep's time has the start of its process
// in it, as anyone who calls it pays for that; ours has not, as a berth that
// serves a project is running.
func BenchmarkBesideRipgrep(b *testing.B) {
	needs.Program(b, "rg")
	for _, tree := range []struct {
		name string
		dir  func(testing.TB) string
	}{
		{"go", goSources},
		{"500MB", madeTree},
	} {
		for _, q := range []struct {
			name string
			Query
		}{
			{"literal", Query{Text: "context.WithTimeout", CaseSensitive: true}},
			{"blind", Query{Text: "context.withtimeout"}},
			{"literal-common", Query{Text: "return", CaseSensitive: true}},
			{"blind-common", Query{Text: "return"}},
			{"regex", Query{Text: `context\.With[A-Z]\w+\(`, Regexp: true, CaseSensitive: true}},
		} {
			b.Run(tree.name+"/"+q.name, func(b *testing.B) { besideRipgrep(b, tree.dir(b), q.Query) })
		}
	}
}

func besideRipgrep(b *testing.B, dir string, q Query) {
	root, err := os.OpenRoot(dir)
	require.NoError(b, err)
	defer root.Close()
	var bytes int64
	search := func() time.Duration {
		bytes = find(b, root, q, Options{Budget: time.Hour}).Bytes
		return 0
	}
	sensitive := func() time.Duration {
		q := q
		q.CaseSensitive = true
		find(b, root, q, Options{Budget: time.Hour})
		return 0
	}
	count := func() time.Duration {
		_, took := ripgrep(b, dir, q, "--count-matches", "--no-unicode")
		return took
	}
	search() // both warm
	count()
	var ours, theirs, seeing cost
	turn := func() {
		ours.pays(search)
		theirs.pays(count)
		if !q.CaseSensitive {
			seeing.pays(sensitive)
		}
	}
	for b.Loop() {
		turn()
	}
	for len(ours.wall) < 5 {
		turn()
	}
	if !q.CaseSensitive {
		b.ReportMetric(median(ours.wall)/median(seeing.wall), "x-sensitive")
	}
	b.ReportMetric(0, "ns/op") // both together say nothing
	b.ReportMetric(median(ours.wall)/1e6, "berth-ms")
	b.ReportMetric(median(theirs.wall)/1e6, "rg-ms")
	b.ReportMetric(median(ours.wall)/median(theirs.wall), "x-ripgrep")
	b.ReportMetric(median(ours.cpu)/median(theirs.cpu), "x-ripgrep-cpu")
	b.ReportMetric(float64(bytes)/median(ours.wall)*1e3, "MB/s")
	b.ReportMetric(peakMiB(b, dir), "berth-MiB")
}

// cost is what some runs took: on the clock, and of processors.
type cost struct{ wall, cpu []time.Duration }

// pays runs f, which returns the processor time of a process it ran, if it did.
func (c *cost) pays(f func() time.Duration) {
	before := cpu()
	var elsewhere time.Duration
	c.wall = append(c.wall, timed(func() { elsewhere = f() }))
	if elsewhere == 0 {
		elsewhere = cpu() - before
	}
	c.cpu = append(c.cpu, elsewhere)
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

func shortestOf(d []time.Duration) float64 { return float64(slices.Min(d)) }

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}

// peakMiB is the most memory a process has that makes one search.
func peakMiB(b *testing.B, dir string) float64 {
	me, err := os.Executable()
	require.NoError(b, err)
	one := exec.Command(me)
	one.Env = append(os.Environ(), oneSearch+"="+dir)
	out, err := one.Output()
	require.NoError(b, err)
	kib, err := strconv.Atoi(strings.TrimSpace(string(out)))
	require.NoError(b, err)
	return float64(kib) / 1024
}

// BenchmarkCase compares the two ways to look for a literal in memory, without
// the reading that is most of a search. Where only the upper case of a letter
// is rare, the ratio is high, and the tree's (x-sensitive of
// BenchmarkBesideRipgrep, which must not be over 2.5) is not.
func BenchmarkCase(b *testing.B) {
	text := source(rand.New(rand.NewPCG(1, 1)), 1<<20)
	for _, word := range []string{"context.WithTimeout", "return", "needle", "sskk", "e", "the", "Benutzer straße"} {
		b.Run(word, func(b *testing.B) { // the best runs: they are short, and machines are busy
			sensitive, blind := newExact(word), newFolded(word)
			var exact, fold []time.Duration
			nothing := func(int, int) {}
			for b.Loop() {
				exact = append(exact, timed(func() { _ = sensitive.each(b.Context(), text, nothing) }))
				fold = append(fold, timed(func() { _ = blind.each(b.Context(), text, nothing) }))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(text))/shortestOf(exact), "sensitive-GB/s")
			b.ReportMetric(float64(len(text))/shortestOf(fold), "blind-GB/s")
			b.ReportMetric(shortestOf(fold)/shortestOf(exact), "x-sensitive")
		})
	}
}

// synthetic is the tree of 500 MB: made once, removed by TestMain.
var synthetic struct {
	once sync.Once
	dir  string
	err  error
}

// madeTree makes 20,000 files in 400 folders, as large as sources are: most
// small, some of 100 KB and more.
func madeTree(t testing.TB) string {
	synthetic.once.Do(func() {
		dir, err := os.MkdirTemp("", "berth-search-")
		synthetic.dir, synthetic.err = dir, err
		r := rand.New(rand.NewPCG(5, 500))
		text := source(r, 8<<20)
		for i := 0; i < 20_000 && synthetic.err == nil; i++ {
			folder := filepath.Join(dir, "d"+strconv.Itoa(i%20), "e"+strconv.Itoa(i/50%20))
			size := min(1000+int(r.ExpFloat64()*24_000), 1<<20)
			from := r.IntN(len(text) - size)
			synthetic.err = cmp.Or(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%d.go", i)), text[from:from+size], 0o644))
		}
	})
	require.NoError(t, synthetic.err)
	return synthetic.dir
}

// source makes text with the words, and about the letters, of Go sources.
func source(r *rand.Rand, size int) []byte {
	words := strings.Fields(`if err != nil { return err } func (s *Server) for i := range list if x == "" { return nil , fmt.Errorf("read %s: %w", name, err) }
		type Config struct { Name string } var ctx context.Context defer mu.Unlock() // the value of that is and not in a switch case default: break package import "os" Strings map[string]int append(all, value) len(buf) int64 bool true false 0x20 make([]byte, 512)`)
	text := make([]byte, 0, size+100)
	for len(text) < size {
		text = append(text, strings.Repeat("\t", r.IntN(4))...)
		for range 3 + r.IntN(8) {
			text = append(append(text, words[r.IntN(len(words))]...), ' ')
		}
		if r.IntN(20_000) == 0 {
			text = append(text, "context.WithTimeout(ctx, time.Second)"...)
		}
		text = append(text, '\n')
	}
	return text[:size]
}
