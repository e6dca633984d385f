package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
)

// mate is one person on a machine of their own, with a project whose design the
// team shares.
type mate struct {
	*world
	name    string
	program string // whose "serve" is the instance
	root    string
	agent   *agent
	now     atomic.Pointer[instance]
	key     atomic.Pointer[string] // of the page at that instance
	id      string                 // of the connection

	mu     sync.Mutex // a person does one thing at a time, whatever they do it with
	next   int
	acked  map[string]bool // columns whose edit was acknowledged and is not taken back
	gone   map[string]bool // columns whose undoing was acknowledged
	doubt  map[string]bool // columns that an unanswered edit may have added, or undone
	stack  []string        // acknowledged ones, in order, since the last unanswered edit
	counts struct{ agent, page, undone, refused, unanswered int }
}

// newMate is a person with a SQLite database of their own.
func newMate(t *testing.T, url, name string) *mate {
	t.Helper()
	m := mateOf(t, url, name)
	m.root = m.project("shop", shopTables)
	m.open()
	return m
}

// mateOf is a person who has no project yet.
func mateOf(t *testing.T, url, name string) *mate {
	t.Helper()
	m := &mate{world: newWorld(t), name: name, program: binary, acked: map[string]bool{}, gone: map[string]bool{}, doubt: map[string]bool{}}
	m.own(fmt.Sprintf("trust: all\nteam: {url: %q, name: %s}\n", url, name))
	return m
}

// open starts the project's instance and shows its design.
func (m *mate) open() {
	m.t.Helper()
	m.start()
	m.agent = m.world.agent()
	r := m.agent.design(m.root, map[string]any{"operation": "show"})
	require.True(m.t, r.Success, r.text)
	var list struct{ Designs []struct{ Connection string } }
	status, body := m.get(m.now.Load(), "/designs")
	require.Equal(m.t, 200, status)
	require.NoError(m.t, json.Unmarshal([]byte(body), &list))
	m.id = list.Designs[0].Connection
}

// start starts an instance, and signs a page in.
func (m *mate) start() {
	m.t.Helper()
	in, err := m.starting(exec.Command(m.program, "serve", m.root, "--json"))
	require.NoError(m.t, err)
	key := m.signIn(in)
	m.key.Store(&key)
	m.now.Store(in)
}

// replace kills the instance and starts the next.
func (m *mate) replace() {
	m.t.Helper()
	m.now.Load().kill()
	m.start()
}

// team runs berth team and requires success.
func (m *mate) team(args ...string) string {
	m.t.Helper()
	got := m.berthIn(m.root, append([]string{"team"}, args...)...)
	require.Equal(m.t, 0, got.code, got.stdout+got.stderr)
	return got.stdout
}

// design is all of the design that has to be the same everywhere.
func (m *mate) design() (tables string, version string) {
	m.t.Helper()
	status, body := m.get(m.now.Load(), "/designs/"+m.id)
	require.Equal(m.t, 200, status, body)
	var d struct {
		Version string
		Tables  json.RawMessage
	}
	require.NoError(m.t, json.Unmarshal([]byte(body), &d))
	return string(d.Tables), d.Version
}

// state is what berth team --json says.
func (m *mate) state() (s struct {
	Team *struct {
		Name, Reason, Stopped, Unknown string
		Seq                            uint64
		Connected                      bool
	}
	People []struct{ Person, Project string }
}) {
	m.t.Helper()
	require.NoError(m.t, json.Unmarshal([]byte(m.team("--json")), &s))
	return s
}

// designerCall makes a call of the designer; an error means that there was no answer.
type designerCall func(args map[string]any) (reply, error)

// byAgent is a [designerCall] by the person's agent.
func (m *mate) byAgent(args map[string]any) (r reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := m.agent.try(ctx, m.root, designer, args)
	if err != nil {
		return r, err
	}
	r.text = got.text()
	return r, json.Unmarshal([]byte(r.text), &r)
}

// byPage is a [designerCall] by the person, as their page makes it.
func (m *mate) byPage(args map[string]any) (r reply, err error) {
	full := map[string]any{"projectRoot": m.root}
	maps.Copy(full, args)
	body, err := json.Marshal(map[string]any{"arguments": full})
	if err != nil {
		return r, err
	}
	req, err := http.NewRequest("POST", m.now.Load().URL+"/tools/"+designer, bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	req.Header.Set("Authorization", *m.key.Load())
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line struct {
			Result *struct{ Content []string }
		}
		if err := lines.Decode(&line); err != nil {
			return r, err
		}
		if line.Result != nil && len(line.Result.Content) > 0 {
			r.text = line.Result.Content[0]
			return r, json.Unmarshal([]byte(r.text), &r)
		}
	}
}

// by chooses who makes the next call: the agent, or in one of three the person.
func (m *mate) by(dice *rand.Rand) (call designerCall, count *int) {
	if dice.IntN(3) == 0 {
		return m.byPage, &m.counts.page
	}
	return m.byAgent, &m.counts.agent
}

// edited returns how many edits were acknowledged.
func (m *mate) edited() int { return m.counts.agent + m.counts.page }

// edit adds a column of a name that nobody else has, to any table.
func (m *mate) edit(dice *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	call, count := m.by(dice)
	view, err := call(map[string]any{"operation": "get_overview"})
	if err != nil || view.Version == "" {
		return // the instance is away
	}
	m.next++
	column := fmt.Sprintf("%s_%d", m.name, m.next)
	table := []string{"customer", "orders", "item"}[dice.IntN(3)]
	r, err := call(edits(view.Version, map[string]any{"op": "add_column", "table": map[string]any{"name": table},
		"column": map[string]any{"name": column, "dataType": "INTEGER", "isNullable": true}}))
	switch {
	case err == nil && r.Success:
		m.acked[column], m.stack = true, append(m.stack, column)
		*count++
	case err == nil && slices.Contains([]string{"stale_state", "team_unreachable", "no_active_designer"}, r.Reason):
		m.counts.refused++
	default: // team_unknown, or no answer of an instance that was killed
		m.doubt[column], m.stack = true, nil
		m.counts.unanswered++
	}
}

// editUntil edits until so many edits are acknowledged.
func (m *mate) editUntil(n int, dice *rand.Rand) {
	m.t.Helper()
	require.Eventually(m.t, func() bool {
		if len(m.acked) < n {
			m.edit(dice)
		}
		return len(m.acked) >= n
	}, patience, time.Millisecond, "%s: %+v", m.name, &m.counts)
}

// undo takes the last own edit back, whichever of the two made it.
func (m *mate) undo(dice *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.stack) == 0 {
		return // what an unanswered edit did may be on top
	}
	last := m.stack[len(m.stack)-1]
	call, _ := m.by(dice)
	r, err := call(map[string]any{"operation": "undo"})
	switch {
	case err == nil && r.Success:
		m.stack = m.stack[:len(m.stack)-1]
		delete(m.acked, last)
		m.gone[last] = true
		m.counts.undone++
	case err == nil && slices.Contains([]string{"stale_state", "team_unreachable", "no_active_designer", "validation_error"}, r.Reason):
		m.counts.refused++
	default:
		delete(m.acked, last)
		m.doubt[last], m.stack = true, nil
		m.counts.unanswered++
	}
}

// work edits and undoes until ctx ends.
func (m *mate) work(ctx context.Context, dice *rand.Rand) {
	for ctx.Err() == nil && !m.t.Failed() {
		if dice.IntN(5) == 0 {
			m.undo(dice)
		} else {
			m.edit(dice)
		}
	}
}

// history is what undo would take back of this person's steps, the next one
// first.
func (m *mate) history() (steps []string) {
	m.t.Helper()
	status, body := m.get(m.now.Load(), "/designs/"+m.id+"/history?limit=10000")
	require.Equal(m.t, 200, status, body)
	var list struct {
		Undo []struct{ Origin, Description string }
	}
	require.NoError(m.t, json.Unmarshal([]byte(body), &list))
	for _, s := range list.Undo {
		steps = append(steps, s.Origin+": "+s.Description)
	}
	return steps
}

// undoes requires that undo would take back what this person knows of, in its
// order, as far as a team keeps steps, and the same at another machine of theirs.
func (m *mate) undoes(t *testing.T, url string, entries []journal.Entry) {
	t.Helper()
	steps, kept := m.history(), m.kept(t, entries)
	require.GreaterOrEqual(t, len(steps), kept, "of %d", len(m.stack))
	for i, column := range slices.Backward(m.stack[len(m.stack)-kept:]) {
		step := steps[kept-1-i]
		assert.Contains(t, step+" ", column+" ", "%s undoes it as number %d", m.name, kept-i)
	}
	other := newMate(t, url, m.name)
	other.team("attach", "shop")
	assert.Equal(t, steps, other.history(), "what %s can undo elsewhere", m.name)
	other.now.Load().stop()
}

// kept is how many of the newest on this person's stack are among the last
// 1,000 steps of the journal, which is what a team keeps.
func (m *mate) kept(t *testing.T, entries []journal.Entry) (n int) {
	t.Helper()
	var last []string
	for _, e := range slices.Backward(entries) {
		var body struct {
			Steps []struct{ Description string }
		}
		require.NoError(t, json.Unmarshal(e.Body, &body))
		for _, s := range slices.Backward(body.Steps) {
			last = append(last, s.Description+" ")
		}
	}
	last = last[:min(1000, len(last))]
	for _, column := range slices.Backward(m.stack) {
		if !slices.ContainsFunc(last, func(d string) bool { return !strings.HasPrefix(d, "Undo: ") && strings.Contains(d, column+" ") }) {
			break
		}
		n++
	}
	require.True(t, n == len(m.stack) || len(last) == 1000, "%d of %d among %d steps", n, len(m.stack), len(last))
	return n
}

// String says what came of a person's calls.
func (m *mate) String() string {
	return fmt.Sprintf("%s: %d edits acknowledged to the agent and %d to the page, %d undone, %d refused, %d without an answer; undo has %d steps",
		m.name, m.counts.agent, m.counts.page, m.counts.undone, m.counts.refused, m.counts.unanswered, len(m.history()))
}
