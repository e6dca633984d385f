package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/long"
)

// always has the broker write to the disk before it acknowledges.
const always = `jetstream { store_dir: "{store}", sync_interval: always }`

// linked is two people, of whom ann has the broker behind a link.
func linked(t *testing.T, b *broker.Broker) (link *broker.Link, ann, ben *mate) {
	t.Helper()
	link = broker.NewLink(t, b)
	ann, ben = newMate(t, link.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	return link, ann, ben
}

// A link that is held while an edit is on its way: the agent is told that the
// outcome is unknown, the design is read and not edited, and berth finds out by
// itself. What was acknowledged to ben meanwhile stays.
func TestAnEditWhoseLinkIsHeldIsUnknownAndThenDecided(t *testing.T) {
	t.Parallel()
	long.Thoroughly(t) // an edit's patience is seconds
	for held, wants := range map[broker.Direction]string{broker.Requests: "ben was first", broker.Answers: "ann was first"} {
		t.Run(held.String(), func(t *testing.T) {
			b := broker.Start(t)
			link, ann, ben := linked(t, b)
			dice := rand.New(rand.NewPCG(1, 1))
			_, before := agree(t, b.URL, ann, ben)
			link.Hold(held)
			ann.edit(dice)
			require.True(t, ann.doubt["ann_1"], "%+v", ann.counts)
			assert.NotEmpty(t, ann.state().Team.Unknown)
			_, version := ann.design()
			r := ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_table", "table": map[string]any{"name": "later"},
				"initialColumns": []any{map[string]any{"name": "id", "dataType": "INTEGER", "isPrimaryKey": true}}}))
			assert.Equal(t, "team_unknown", r.Reason, "the design is read-only: %s", r.text)
			assert.Contains(t, ann.agent.ask(ann.root, designer, map[string]any{"operation": "get_overview"}).text(), "customer", "and read")
			ben.edit(dice)
			if held == broker.Answers { // ben may not have had the entry yet when he edited
				for !ben.acked[fmt.Sprintf("ben_%d", ben.next)] && !t.Failed() {
					ben.edit(dice)
				}
			}
			link.Cut()
			link.Mend()
			tables, entries := agree(t, b.URL, ann, ben)
			assert.Empty(t, journal.Check(entries, nil, nil))
			assert.Contains(t, tables, fmt.Sprintf(`"ben_%d"`, ben.next))
			if held == broker.Answers {
				assert.Contains(t, tables, `"ann_1"`, wants)
				assert.Len(t, entries, len(before)+2, "each edit once")
			} else {
				assert.NotContains(t, tables, `"ann_1"`, wants)
				assert.Len(t, entries, len(before)+1)
			}
			ann.edit(dice)
			assert.True(t, ann.acked["ann_2"], "edits are taken again")
		})
	}
}

// Fifty edits of one person over a broker that is killed and started again in
// their middle: each acknowledged one is in the journal, once.
func TestFiftyEditsOverABrokerThatIsKilled(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, always)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	dice := long.Dice(t)
	var kills sync.WaitGroup
	for _, next := range []int{10, 25, 40, 50} {
		ann.editUntil(next, dice)
		kills.Wait()
		if next < 50 {
			kills.Go(func() { b.Kill(); b.Start() })
		}
	}
	kills.Wait()
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Check(entries, nil, nil))
	ann.holds(t, tables)
	t.Logf("50 edits acknowledged, %d refused, %d without an answer; %d entries", ann.counts.refused, ann.counts.unanswered, len(entries))
}

// holds requires what a person was told of the design.
func (m *mate) holds(t *testing.T, tables string) {
	t.Helper()
	for column := range m.acked {
		assert.Contains(t, tables, `"`+column+`"`, "acknowledged to %s", m.name)
	}
	for column := range m.gone {
		assert.NotContains(t, tables, `"`+column+`"`, "taken back by %s", m.name)
	}
}

// Two people edit and undo while the link of each is held, cut and mended at
// random moments: what was acknowledged is on both, both are one, and so are the
// pages that they have open all the time.
func TestATeamUnderCutLinks(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	long.Thoroughly(t)
	b := broker.Start(t, always)
	links := []*broker.Link{broker.NewLink(t, b), broker.NewLink(t, b)}
	ann, ben := newMate(t, links[0].URL, "ann"), newMate(t, links[1].URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	pages := []*studio{ann.window(), ben.window()}
	dice := long.Dice(t)
	ctx, cancel := context.WithTimeout(context.Background(), long.For(30*time.Second, 10*time.Minute))
	defer cancel()
	var people sync.WaitGroup
	for _, m := range []*mate{ann, ben} {
		own := rand.New(rand.NewPCG(dice.Uint64(), 1))
		people.Go(func() { m.work(ctx, own) })
	}
	faults := map[string]int{}
	pause := func(most int) { time.Sleep(time.Duration(dice.IntN(most)) * time.Millisecond) } // the random moment itself
	for ctx.Err() == nil {
		pause(1500)
		link := links[dice.IntN(2)]
		switch fault := dice.IntN(3); fault {
		case 0:
			faults["cut"]++
			link.Cut()
		default:
			d := broker.Direction(fault - 1)
			faults["held "+d.String()]++
			link.Hold(d)
			if pause(3000); dice.IntN(2) == 0 {
				faults["cut while held"]++
				link.Cut()
			}
		}
		pause(1000)
		link.Mend()
	}
	people.Wait()
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Report(journal.Check(entries, nil, nil), 20))
	for _, page := range pages {
		page.showsColumns(tables)
	}
	for _, m := range []*mate{ann, ben} {
		m.holds(t, tables)
		require.NotEmpty(t, m.acked, "%s: %+v", m.name, m.counts)
		m.undoes(t, b.URL, entries)
		t.Log(m)
	}
	t.Logf("%d entries; %v", len(entries), faults)
}
