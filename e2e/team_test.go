package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/long"
)

const shopTables = `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), total NUMERIC);
CREATE TABLE item (id INTEGER PRIMARY KEY, label TEXT);`

// mate is one person on a machine of their own, with a project whose design the
// team shares.
type mate struct {
	*world
	name  string
	root  string
	agent *agent
	now   atomic.Pointer[instance]
	id    string // of the connection

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
	m := &mate{world: newWorld(t), name: name, acked: map[string]bool{}, gone: map[string]bool{}, doubt: map[string]bool{}}
	m.own(fmt.Sprintf("trust: all\nteam: {url: %q, name: %s}\n", url, name))
	return m
}

// open starts the project's instance and shows its design.
func (m *mate) open() {
	m.t.Helper()
	m.now.Store(m.serve(m.root))
	m.agent = m.world.agent()
	r := m.agent.design(m.root, map[string]any{"operation": "show"})
	require.True(m.t, r.Success, r.text)
	var list struct{ Designs []struct{ Connection string } }
	status, body := m.get(m.now.Load(), "/designs")
	require.Equal(m.t, 200, status)
	require.NoError(m.t, json.Unmarshal([]byte(body), &list))
	m.id = list.Designs[0].Connection
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

// asPage calls the designer as the page does.
func (m *mate) asPage(credential string, args map[string]any) (text string, err error) {
	full := map[string]any{"projectRoot": m.root}
	for k, v := range args {
		full[k] = v
	}
	body, err := json.Marshal(map[string]any{"arguments": full})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequest("POST", m.now.Load().URL+"/tools/"+designer, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", credential)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return string(raw), err
}

// designReply is the designer's answer to an agent's call; an error means that
// there was none.
func (m *mate) designReply(args map[string]any) (r reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := m.agent.try(ctx, m.root, designer, args)
	if err != nil {
		return r, err
	}
	r.text = got.text()
	return r, json.Unmarshal([]byte(r.text), &r)
}

// edit adds a column of a name that nobody else has, to any table.
func (m *mate) edit(dice *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	view, err := m.designReply(map[string]any{"operation": "get_overview"})
	if err != nil || view.Version == "" {
		return // the instance is away
	}
	m.next++
	column := fmt.Sprintf("%s_%d", m.name, m.next)
	table := []string{"customer", "orders", "item"}[dice.IntN(3)]
	r, err := m.designReply(edits(view.Version, map[string]any{"op": "add_column", "table": map[string]any{"name": table},
		"column": map[string]any{"name": column, "dataType": "INTEGER", "isNullable": true}}))
	switch {
	case err == nil && r.Success:
		m.acked[column], m.stack = true, append(m.stack, column)
		m.counts.agent++
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

// undo takes the last own edit back.
func (m *mate) undo() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.stack) == 0 {
		return // what an unanswered edit did may be on top
	}
	last := m.stack[len(m.stack)-1]
	r, err := m.designReply(map[string]any{"operation": "undo"})
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
			m.undo()
		} else {
			m.edit(dice)
		}
	}
}

// replace kills the instance and starts the next.
func (m *mate) replace() {
	m.now.Load().kill()
	m.now.Store(m.serve(m.root))
}

// agree waits until all have all entries, and returns the design. What was not
// answered in time is waited for first: it may become an entry yet.
func agree(t *testing.T, url string, mates ...*mate) (tables string, entries []journal.Entry) {
	t.Helper()
	for _, m := range mates {
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			s := m.state().Team
			assert.True(c, s != nil && s.Unknown == "", "%s waits for an outcome: %+v", m.name, s)
		}, patience, 50*time.Millisecond)
	}
	team, err := stream.Dial(context.Background(), stream.Options{URL: url, User: "checker"})
	require.NoError(t, err)
	defer team.Close()
	j, err := team.Open(context.Background(), "shop")
	require.NoError(t, err)
	require.NoError(t, j.Read(context.Background(), journal.Position{}, func(e journal.Entry) error { entries = append(entries, e); return nil }))
	versions := map[string]string{}
	for _, m := range mates {
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			s := m.state().Team
			assert.True(c, s != nil && s.Seq == uint64(len(entries)), "%s has all %d entries: %+v", m.name, len(entries), s)
		}, patience, 50*time.Millisecond)
		own, version := m.design()
		versions[version] = m.name
		if tables == "" {
			tables = own
		}
		require.Equal(t, tables, own, "the design of %s, ids included", m.name)
	}
	require.Len(t, versions, 1)
	return tables, entries
}

func TestTwoPeopleShareADesign(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	assert.Contains(t, ann.team(), "not shared; berth team init NAME shares it")
	got := ben.berthIn(ben.root, "team", "attach", "shop")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "there is none yet: berth team init makes one")

	assert.Contains(t, ann.team("init", "shop"), "team design shop begins with 3 tables; others join it with: berth team attach shop")
	got = ben.berthIn(ben.root, "team", "attach", "chop")
	assert.Contains(t, got.stderr, "there are: shop")
	assert.Contains(t, ben.team("attach", "shop"), "joined team design shop with 3 tables")
	agree(t, b.URL, ann, ben)
	people := []string{}
	for _, p := range ann.state().People {
		people = append(people, p.Person)
	}
	assert.Equal(t, []string{"ann", "ben"}, people)
	assert.Contains(t, ann.team(), "team design shop, as ann, at entry 1\nPERSON")

	page := ben.signIn(ben.now.Load())
	heard := events(t, ben.now.Load(), page)
	dice := rand.New(rand.NewPCG(1, 1))
	ann.edit(dice)
	require.Len(t, ann.acked, 1)
	assert.Eventually(t, func() bool { e := <-heard; return e["author"] == "ann" && e["type"] == "committed" }, patience, time.Millisecond, "ben's page hears of it")
	ben.edit(dice)
	agree(t, b.URL, ann, ben)

	_, version := ben.design()
	text, err := ben.asPage(page, edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "by_page", "dataType": "INTEGER", "isNullable": true}}))
	require.NoError(t, err)
	assert.Contains(t, text, `\"success\":true`)
	tables, _ := agree(t, b.URL, ann, ben)
	assert.Contains(t, tables, "by_page")
	ann.undo()
	tables, entries := agree(t, b.URL, ann, ben)
	assert.NotContains(t, tables, "ann_1", "ann's own last")
	assert.Contains(t, tables, "by_page")
	assert.Empty(t, journal.Check(entries, nil, nil))

	got = ann.berthIn(ann.root, "doctor")
	assert.Contains(t, got.stdout, "the team's broker answers: nats-server "+broker.Version[1:])
	assert.Contains(t, got.stdout, "(sync_interval: always) cannot be seen with your login")

	// Without the broker reading goes on, and what does not is said.
	b.Kill()
	require.Eventually(t, func() bool { return !ann.state().Team.Connected }, patience, 10*time.Millisecond)
	r := ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_table", "table": map[string]any{"name": "x"}}))
	assert.False(t, r.Success)
	_, version = ann.design()
	r = ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "offline", "dataType": "INTEGER", "isNullable": true}}))
	assert.Equal(t, "team_unreachable", r.Reason, r.text)
	assert.Contains(t, r.Message, `the broker of team design "shop" cannot be reached since `)
	assert.Contains(t, ann.team(), "read-only: the broker is not reached since ")
	assert.Equal(t, 0, ann.berthIn(ann.root, "diff").code)
	assert.Equal(t, 0, ann.berthIn(ann.root, "verify").code)
	ann.replace()
	assert.Contains(t, ann.agent.ask(ann.root, designer, map[string]any{"operation": "get_overview"}).text(), "by_page", "after a restart, too")
	b.Start()
	agree(t, b.URL, ann, ben)

	assert.Contains(t, ann.team("remove", "ben"), "ben is no longer one of the team; end their login on the broker, too")
	require.Eventually(t, func() bool { return ben.state().Team.Stopped != "" }, patience, 10*time.Millisecond)
	assert.Contains(t, ben.team(), "read-only: ann removed ben from the team")
	assert.Contains(t, ben.team("leave"), "left the team; the design is this project's alone now")
	assert.Nil(t, ben.state().Team)
	ben.edit(dice)
	assert.Contains(t, ben.acked, fmt.Sprintf("ben_%d", ben.next))
	ann.edit(dice)
	agree(t, b.URL, ann)
}

// Two people and their agents edit at once for a minute, while the broker and
// the instances are killed and stopped: what was acknowledged is on both, and
// both are one.
func TestATeamUnderKills(t *testing.T) {
	t.Parallel()
	long.Thoroughly(t)
	b := broker.Start(t)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	dice := long.Dice(t)
	ctx, cancel := context.WithTimeout(context.Background(), long.For(time.Minute, 10*time.Minute))
	defer cancel()
	var people sync.WaitGroup
	for _, m := range []*mate{ann, ben} {
		own := rand.New(rand.NewPCG(dice.Uint64(), 1))
		people.Go(func() { m.work(ctx, own) })
	}
	kills := map[string]int{}
	pause := func(most int) { time.Sleep(time.Duration(dice.IntN(most)) * time.Millisecond) }
	for ctx.Err() == nil {
		pause(3000)
		switch dice.IntN(4) {
		case 0:
			kills["broker killed"]++
			b.Kill()
			pause(2000)
			b.Start()
		case 1:
			kills["broker stopped"]++
			b.Stop()
			pause(3000)
			b.Continue()
		case 2:
			kills["instance killed"]++
			ann.replace()
		case 3:
			kills["instance killed"]++
			ben.replace()
		}
	}
	people.Wait()
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Report(journal.Check(entries, nil, nil), 20))
	for _, m := range []*mate{ann, ben} {
		m.holds(t, tables)
		require.NotEmpty(t, m.acked, "%s: %+v", m.name, m.counts)
		t.Logf("%s: %d edits acknowledged, %d undone, %d refused, %d without an answer", m.name, m.counts.agent, m.counts.undone, m.counts.refused, m.counts.unanswered)
	}
	t.Logf("%d entries; %v", len(entries), kills)
}

// Without a team nothing of one is there: no field, no file.
func TestWithoutATeamThereIsNone(t *testing.T) {
	w := newWorld(t)
	root := w.project("shop", shopTables)
	in := w.serve(root)
	a := w.agent()
	require.True(t, a.design(root, map[string]any{"operation": "show"}).Success)
	status, body := w.get(in, "/designs")
	require.Equal(t, 200, status)
	assert.NotContains(t, body, "team")
	got := w.berthIn(root, "team", "init", "shop")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "your config.yaml names no team")
	files, err := filepath.Glob(filepath.Join(w.home, "*"))
	require.NoError(t, err)
	for _, f := range files {
		assert.NotContains(t, strings.ToLower(filepath.Base(f)), "team")
	}
}
