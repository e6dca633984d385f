package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/assert"
)

// close ends the tab as a person does.
func (b *tab) close() {
	b.t.Helper()
	tell(b, page.Close, cdp.Empty{})
}

// oneStream waits until one of so many tabs holds the event stream and the
// others wait for it.
func (b *tab) oneStream(tabs int) {
	b.t.Helper()
	b.eventually(`async waiting => {
		const { held, pending } = await navigator.locks.query();
		return held.length === 1 && pending.length === waiting;
	}`, tabs-1)
}

// crowded opens so many tabs of one browser on a design of as many tables.
func crowded(t *testing.T, n int) (*studio, []*tab, []string) {
	t.Helper()
	var script strings.Builder
	var tables []string
	for i := range n {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER PRIMARY KEY);\n", i)
		tables = append(tables, fmt.Sprintf("t%d(id)", i))
	}
	s := newStudio(t, script.String())
	tabs := []*tab{s.tab}
	for range n - 1 {
		b := s.another()
		b.goTo(s.in.URL)
		tabs = append(tabs, b)
	}
	for _, b := range tabs {
		b.shows(tables...)
	}
	return s, tabs, tables
}

func TestEightTabsFollowOneDesignAndEachCanEditIt(t *testing.T) {
	const n = 8 // a browser opens six connections to an origin
	s, tabs, tables := crowded(t, n)
	s.oneStream(n)
	s.apply(addTable("agents"))
	tables = append(tables, "agents(id)")
	for _, b := range tabs {
		b.key("1")
		b.shows(tables...)
	}
	for i, b := range tabs {
		b.rename(tableTitle(fmt.Sprintf("t%d", i)), fmt.Sprintf("u%d", i))
		tables[i] = fmt.Sprintf("u%d(id)", i)
	}
	for _, b := range tabs {
		b.shows(tables...)
	}
	assert.ElementsMatch(t, tables, s.tables())
}

func TestTabsGoOnWithoutTheOneThatHeldTheStream(t *testing.T) {
	s, tabs, tables := crowded(t, 3)
	s.oneStream(3)
	tabs[0].close() // the first one leads
	tabs[1].oneStream(2)
	s.apply(addTable("after_close"))
	tables = append(tables, "after_close(id)")
	for _, b := range tabs[1:] {
		b.key("1")
		b.shows(tables...)
	}

	tell(tabs[1], page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateFrozen})
	tabs[2].oneStream(1)
	s.apply(addTable("after_freeze"))
	tables = append(tables, "after_freeze(id)")
	tabs[2].key("1")
	tabs[2].shows(tables...)
	tabs[2].rename(tableTitle("t2"), "u2")
	tables[2] = "u2(id)"
	tabs[2].shows(tables...)

	tell(tabs[1], page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateActive})
	tabs[2].oneStream(2)
	tabs[1].key("1")
	tabs[1].shows(tables...)
}

func TestATabOfALaterSignInSharesTheStream(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	other := s.another()
	other.goTo(s.address(s.in)) // a key of its own
	other.shows("customer(id name)", "purchase(id customer_id)")
	other.oneStream(2)
	s.rename(tableTitle("customer"), "client")
	other.shows("client(id name)", "purchase(id customer_id)")
}

func TestTabsComeBackTogetherWhenTheirInstanceDoes(t *testing.T) {
	s, tabs, tables := crowded(t, 3)
	for _, b := range tabs {
		b.expectOffline()
	}
	s.in.kill()
	for _, b := range tabs {
		b.has(button("offline"))
	}
	s.in = s.serve(s.root)
	for _, b := range tabs {
		b.lacks(button("offline"))
	}
	s.oneStream(3)
	s.apply(addTable("after"))
	for _, b := range tabs {
		b.key("1")
		b.shows(append(tables, "after(id)")...)
	}
}
