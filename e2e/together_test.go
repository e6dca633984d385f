package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTwoTabsAndAnAgentEditAtOnceAndEndAlike has two people and an agent work
// on one design with nobody waiting for anybody. All see the same in the end,
// and none of the edits that went through is lost.
func TestTwoTabsAndAnAgentEditAtOnceAndEndAlike(t *testing.T) {
	const rounds = 6
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	other := s.another()
	other.goTo(s.in.URL)
	other.shows("customer(id name)", "purchase(id customer_id)")

	want := []string{"customer", "purchase"}
	turns := make(chan struct{}, 2*rounds) // while a person's edit is on its way, the agent makes two
	var people, agent sync.WaitGroup
	for b, name := range map[*tab]string{s.tab: "first", other: "second"} {
		for i := range rounds {
			want = append(want, fmt.Sprintf("%s_%d", name, i))
		}
		people.Go(func() {
			for i := range rounds {
				b.click(button("add-table"))
				b.has(button("table-name") + ":focus")
				b.typed(fmt.Sprintf("%s_%d", name, i))
				b.key("Enter")
				turns <- struct{}{}
				b.lacks(button("new-table"))
			}
		})
	}
	made, stale := 0, 0
	agent.Go(func() {
		for range turns {
			for done := 0; done < 2; {
				got := s.agent.design(s.root, edits(s.version(), addTable(fmt.Sprintf("agent_%d", made))))
				if got.Success {
					made++
					done++
				} else if assert.Equal(t, "stale_state", got.Reason, got.text) {
					stale++
				} else {
					return
				}
			}
		}
	})
	people.Wait()
	close(turns)
	agent.Wait()
	if t.Failed() {
		return
	}
	t.Logf("%d edits of the agent were made, %d were stale at first", made, stale)
	for i := range made {
		want = append(want, fmt.Sprintf("agent_%d", i))
	}

	for _, b := range []*tab{s.tab, other} {
		b.eventually(`version => document.querySelector("[data-testid=sync]").dataset.version === version`, s.version())
		b.press(button("done")) // beside the new table's columns there is room for names only where they stand close
		b.names(want)           // brings into view what is there by now
	}
	assert.Len(t, s.tables(), len(want))
	s.reload()
	s.names(want)
	require.Equal(t, s.version(), eval[string](s.tab, `document.querySelector("[data-testid=sync]").dataset.version`))
}

// names waits until a tab that shows everything has exactly these tables. It
// asks for everything once a second: the table a person has just made, or a
// place another tab had for one first, can move the view a moment later.
func (b *tab) names(want []string) {
	b.t.Helper()
	require.EventuallyWithT(b.t, func(c *assert.CollectT) {
		got := eval[[]string](b, `[...document.querySelectorAll(".table .head .name")].map(n => n.textContent)`)
		if !assert.ElementsMatch(c, want, got) {
			b.key("1")
		}
	}, patience, time.Second)
}
