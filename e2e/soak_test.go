package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
)

// soakProject is one project of the soak test with a model of what its instance
// must answer. Its fields belong to the worker, except the instance, which
// belongs to the chaos goroutine.
type soakProject struct {
	servedDatabase
	name  string
	agent *agent
	dice  *rand.Rand

	now atomic.Pointer[instance] // the one that was started last

	version string          // the last one acknowledged; "" while an edit's outcome is unknown
	columns map[string]bool // those of boats that are acknowledged
	doubt   map[string]bool // those that an unanswered edit may have added or dropped
	next    int             // number of the next column

	written int  // what counter.txt holds, by its last acknowledged edit
	late    bool // an edit without an answer may have counted one further

	soaked
}

// soaked counts what was done to a project.
type soaked struct{ calls, edits, pageEdits, fileEdits, unanswered, publishes, compares int }

func (s *soaked) add(more soaked) {
	s.calls, s.edits, s.pageEdits, s.fileEdits = s.calls+more.calls, s.edits+more.edits, s.pageEdits+more.pageEdits, s.fileEdits+more.fileEdits
	s.unanswered, s.publishes, s.compares = s.unanswered+more.unanswered, s.publishes+more.publishes, s.compares+more.compares
}

// passing are the reasons for which an instance that comes or goes refuses.
var passing = []string{"stale_state", "no_active_designer", "internal_error"}

// chaos counts what was done to the instances.
type chaos struct{ kills, terms, takeovers, refused atomic.Int64 }

// The soak runs projects of every dialect under agents that edit, query, read
// and edit files and publish, and under pages that edit beside them, while
// their instances are killed, ended and taken over.
// Each project is compared with a model: what was acknowledged is there, what
// was not asked for is not, and no answer is another project's.
func TestSoak(t *testing.T) {
	long.Thoroughly(t)
	w := newWorld(t)
	w.own("trust: all\nfiles: {mode: fast}\n") // once: the first project's instance follows it
	dice := long.Dice(t)
	shared := w.agent() // one front-end for all of them, as a user has it
	var all []*soakProject
	for _, dialect := range slices.Sorted(maps.Keys(dialects)) {
		if dialect == "mssql" && !needs.HasSQLServer() {
			continue // asking for it would skip the soak of all others
		}
		for i := range long.Rounds(1, 3) {
			all = append(all, newSoaked(t, w, shared, dialect, i, dice.Uint64()))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), long.For(10*time.Second, 30*time.Minute))
	defer cancel()
	var done chaos
	var wg sync.WaitGroup
	for _, s := range all {
		moments := rand.New(rand.NewPCG(s.dice.Uint64(), 1))
		wg.Go(func() { s.disturb(ctx, moments, &done) })
		wg.Go(func() { s.work(ctx) })
	}
	wg.Wait()

	var sum soaked
	for _, s := range all {
		s.serve(s.root)
		s.version = ""
		s.compare()
		s.compareFile()
		sum.add(s.soaked)
		assert.NotEmpty(t, s.version, "%s was never compared", s.name)
	}
	require.Positive(t, sum.edits)
	require.Positive(t, sum.pageEdits)
	require.Positive(t, sum.fileEdits)
	assert.Less(t, done.refused.Load(), max(done.takeovers.Load()/4, 2), "takeovers refused")
	t.Logf("%d projects: %d calls; acknowledged %d edits of agents, %d of pages, %d of files; %d edits without an answer, %d publishes, %d times compared; %d killed, %d ended, %d taken over (%d of these refused)",
		len(all), sum.calls, sum.edits, sum.pageEdits, sum.fileEdits, sum.unanswered, sum.publishes, sum.compares, done.kills.Load(), done.terms.Load(), done.takeovers.Load(), done.refused.Load())
}

func newSoaked(t *testing.T, w *world, shared *agent, dialect string, i int, seed uint64) *soakProject {
	name := fmt.Sprintf("%s-%d", dialect, i)
	own := *w // the same home and ports, a folder of its own for its project
	own.dir = filepath.Join(w.dir, name)
	s := &soakProject{servedDatabase: dialects[dialect](t, &own), name: name, agent: shared, dice: rand.New(rand.NewPCG(seed, 0)),
		columns: map[string]bool{"id": true, "berth_id": true, "label": true}, doubt: map[string]bool{}}
	s.exec("CREATE TABLE whoami (name VARCHAR(40))", "INSERT INTO whoami VALUES ('"+name+"')")
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "who.txt"), []byte(name+"\n"), 0o644))
	require.NoError(t, os.WriteFile(s.counter(), counted(0), 0o644))
	s.now.Store(s.serve(s.root))
	r := s.agent.design(s.root, map[string]any{"operation": "show"})
	require.True(t, r.Success, r.text)
	s.version = r.Version
	return s
}

// disturb replaces the instance again and again: after a kill, after an end,
// by taking over.
func (s *soakProject) disturb(ctx context.Context, dice *rand.Rand, done *chaos) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(100+dice.IntN(1500)) * time.Millisecond): // the random moment itself
		}
		pid := s.running()
		switch dice.IntN(3) {
		case 0:
			if signal(pid, os.Kill) {
				done.kills.Add(1)
			}
		case 1:
			if signal(pid, syscall.SIGTERM) {
				done.terms.Add(1)
			}
		default:
			done.takeovers.Add(1)
		}
		switch in, err := s.tryServe(s.root); {
		case err == nil:
			s.now.Store(in)
		case strings.Contains(err.Error(), "does not hand over"):
			done.refused.Add(1) // a call takes its time, and the instance serves on
		default:
			assert.NoError(s.t, err, "%s does not start again", s.name)
			return
		}
	}
}

// signal reports whether the process was there to be sent one.
func signal(pid int, sig os.Signal) bool {
	if pid == 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	return err == nil && process.Signal(sig) == nil
}

// running is the process that serves the project by what berth ls says, or 0.
func (s *soakProject) running() int {
	var rows []struct {
		ProjectRoot string `json:"projectRoot"`
		PID         int    `json:"pid"`
		State       string `json:"state"`
	}
	got := s.berth("ls", "--json")
	if !assert.NoError(s.t, json.Unmarshal([]byte(got.stdout), &rows), got.stdout) {
		return 0
	}
	for _, row := range rows {
		if row.ProjectRoot == s.root && row.State == "live" {
			return row.PID
		}
	}
	return 0
}

func (s *soakProject) work(ctx context.Context) {
	for ctx.Err() == nil && !s.t.Failed() {
		switch n := s.dice.IntN(24); {
		case s.version == "" || n == 0:
			s.compare()
		case n < 10:
			s.edit()
		case n < 12:
			s.pageEdit()
		case n < 14:
			s.fileEdit()
		case n < 19:
			s.marker("run-query", map[string]any{"query": "SELECT name FROM whoami"})
		case n < 23:
			s.marker("fs_read_file", map[string]any{"path": "who.txt"})
		default:
			s.publish()
		}
	}
}

// call returns the reply to one call and counts it, or false where the
// instance went away.
func (s *soakProject) call(tool string, args map[string]any) (answer, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := s.agent.try(ctx, s.root, tool, args)
	if !assert.NoError(s.t, err, "%s: %s", s.name, tool) {
		return answer{}, false
	}
	if got.isError && !strings.HasPrefix(got.text(), "{") {
		time.Sleep(10 * time.Millisecond) // nobody serves it right now; the next call finds out
		return got, false
	}
	s.calls++
	return got, true
}

// marker asks for what only this project can answer.
func (s *soakProject) marker(tool string, args map[string]any) {
	if got, ok := s.call(tool, args); ok && !got.isError {
		assert.Contains(s.t, strings.Join(got.items, "\n"), s.name, "another project's answer")
	}
}

// change is an edit of the design that the model can follow.
type change struct{ op, column string }

// newChange adds a column or drops one of those it added.
func (s *soakProject) newChange() (c change, arguments map[string]any) {
	c.op = "drop_column"
	for name := range s.columns {
		if strings.HasPrefix(name, "c") && s.dice.IntN(3) == 0 {
			c.column = name
			break
		}
	}
	body := map[string]any{"name": c.column}
	if c.column == "" || len(s.columns) < 10 {
		s.next++
		c = change{"add_column", fmt.Sprint("c", s.next)}
		body = map[string]any{"name": c.column, "dataType": "int", "isNullable": true}
	}
	return c, edits(s.version, map[string]any{"op": c.op, "table": map[string]any{"name": "boats"}, "column": body})
}

// edit changes the design as an agent.
func (s *soakProject) edit() {
	c, arguments := s.newChange()
	got, ok := s.call(designer, arguments)
	if s.outcome(c, got.text(), ok) {
		s.edits++
	}
}

// outcome takes over into the model what became of a change, by the designer's
// reply. It reports whether the change was acknowledged.
func (s *soakProject) outcome(c change, text string, answered bool) bool {
	var r reply
	if !answered || json.Unmarshal([]byte(text), &r) != nil || r.Reason == "internal_error" {
		s.unanswered++
		s.doubt[c.column], s.version = true, ""
		return false
	}
	if !r.Success {
		s.version = ""
		assert.Contains(s.t, passing, r.Reason, "%s: %s", s.name, text)
		return false
	}
	s.version = r.Version
	if c.op == "add_column" {
		s.columns[c.column] = true
	} else {
		delete(s.columns, c.column)
	}
	return true
}

// compare holds the design against the model and takes from it what became of
// edits without an answer.
func (s *soakProject) compare() {
	got, ok := s.call(designer, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "boats"}}})
	if !ok {
		return
	}
	var r struct {
		Success bool   `json:"success"`
		Reason  string `json:"reason"`
		Version string `json:"version"`
		Table   struct {
			Columns []struct {
				Name string `json:"name"`
			} `json:"columns"`
		} `json:"table"`
	}
	if !assert.NoError(s.t, json.Unmarshal([]byte(got.text()), &r), got.text()) {
		return
	}
	if !r.Success {
		assert.Contains(s.t, passing, r.Reason, "%s: %s", s.name, got.text())
		return
	}
	s.compares++
	have := map[string]bool{}
	for _, c := range r.Table.Columns {
		have[c.Name] = true
	}
	for name := range s.doubt {
		s.columns[name] = have[name]
		if !have[name] {
			delete(s.columns, name)
		}
	}
	s.doubt = map[string]bool{}
	assert.Equal(s.t, slices.Sorted(maps.Keys(s.columns)), slices.Sorted(maps.Keys(have)), "%s: the design is not what was acknowledged", s.name)
	s.version = r.Version
}

// publish brings the design into the database. A kill may come in between; the
// next one finishes it.
func (s *soakProject) publish() {
	if got := s.berthIn(s.root, "publish", "--yes"); got.code == 0 {
		s.publishes++
	}
}
