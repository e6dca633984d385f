package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/clock"
	"github.com/berth-dev/berth/e2e/long"
)

const shopTables = `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), total NUMERIC);
CREATE TABLE item (id INTEGER PRIMARY KEY, label TEXT);`

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

	heard := events(t, ben.now.Load(), *ben.key.Load())
	dice := rand.New(rand.NewPCG(1, 1))
	ann.edit(dice)
	require.Len(t, ann.acked, 1)
	assert.Eventually(t, func() bool { e := <-heard; return e["author"] == "ann" && e["type"] == "committed" }, patience, time.Millisecond, "ben's page hears of it")
	ben.edit(dice)
	agree(t, b.URL, ann, ben)

	_, version := ben.design()
	r, err := ben.byPage(edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "by_page", "dataType": "INTEGER", "isNullable": true}}))
	require.NoError(t, err)
	assert.True(t, r.Success, r.text)
	tables, _ := agree(t, b.URL, ann, ben)
	assert.Contains(t, tables, "by_page")
	ann.undo(dice)
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
	r = ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_table", "table": map[string]any{"name": "x"}}))
	assert.False(t, r.Success)
	_, version = ann.design()
	r = ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "offline", "dataType": "INTEGER", "isNullable": true}}))
	assert.Equal(t, "team_unreachable", r.Reason, r.text)
	assert.Contains(t, r.Message, `the broker of team design "shop" has been unreachable since `)
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
// the instances are killed and stopped: what was acknowledged is on both, both
// are one, and each undoes their own steps wherever they are.
func TestATeamUnderKills(t *testing.T) {
	t.Parallel()
	long.Thoroughly(t)
	b := broker.Start(t)
	underKills(t, b, newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben"))
}

// The same with ben's instance an hour ahead.
func TestATeamUnderKillsWithAClockThatIsAnHourOff(t *testing.T) {
	if !long.On() {
		return // a berth with another clock takes minutes to build; the replicas of package session have one at every length
	}
	t.Parallel()
	b := broker.Start(t)
	ann, ben := newMate(t, b.URL, "ann"), mateOf(t, b.URL, "ben")
	ben.program = clock.Build(t, "github.com/berth-dev/berth/cmd/berth")
	ben.env = append(ben.env, clock.Off(time.Hour))
	ben.root = ben.project("shop", shopTables)
	ben.open()
	entries := underKills(t, b, ann, ben)
	newest := map[string]time.Time{}
	for _, e := range entries {
		var body struct {
			Author string
			At     time.Time
		}
		require.NoError(t, json.Unmarshal(e.Body, &body))
		newest[body.Author] = body.At
	}
	assert.InDelta(t, 1, newest["ben"].Sub(newest["ann"]).Hours(), 0.1, "it is an hour off: %v", newest)
}

func underKills(t *testing.T, b *broker.Broker, ann, ben *mate) []journal.Entry {
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
		switch dice.IntN(6) {
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
		default:
			kills["instance stopped"]++
			in := []*mate{ann, ben}[dice.IntN(2)].now.Load()
			freeze(t, in)
			pause(3000)
			thaw(t, in)
		}
	}
	people.Wait()
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Report(journal.Check(entries, nil, nil), 20))
	for _, m := range []*mate{ann, ben} {
		m.holds(t, tables)
		require.NotEmpty(t, m.acked, "%s: %+v", m.name, m.counts)
		m.undoes(t, b.URL, entries)
		t.Log(m)
	}
	t.Logf("%d entries; %v", len(entries), kills)
	return entries
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
