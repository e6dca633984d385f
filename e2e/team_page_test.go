package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/long"
)

// window is a person's page, in a browser.
func (m *mate) window() *studio {
	m.t.Helper()
	s := &studio{world: m.world, t: m.t, root: m.root, in: m.now.Load(), agent: m.agent}
	s.tab = m.page(s.in)
	s.has(`[data-testid=canvas]`)
	return s
}

// showsColumns waits until the page shows the columns of these tables, as the
// instance's JSON has them: of a long table the first ones, and how many more
// there are.
func (b *tab) showsColumns(tables string) {
	b.t.Helper()
	var list []struct {
		Name    string
		Columns []struct{ Name string }
	}
	require.NoError(b.t, json.Unmarshal([]byte(tables), &list))
	type card struct {
		Columns []string
		More    int
	}
	require.EventuallyWithT(b.t, func(c *assert.CollectT) {
		cards := eval[map[string]card](b, `Object.fromEntries([...document.querySelectorAll("[data-testid^=table-][data-table]")].map(t =>
			[t.dataset.testid.replace(/^table-[^.]*\./, ""), {
				columns: [...t.querySelectorAll("[data-column] .name")].map(c => c.textContent),
				more: Number(t.textContent.match(/… (\d+) more columns/)?.[1] ?? 0)}]))`)
		if !assert.Len(c, cards, len(list)) {
			return
		}
		for _, table := range list {
			shown := cards[table.Name]
			assert.NotEmpty(c, shown.Columns, table.Name)
			if !assert.Len(c, table.Columns, len(shown.Columns)+shown.More, table.Name) {
				return
			}
			for i, name := range shown.Columns {
				assert.Equal(c, table.Columns[i].Name, name, table.Name)
			}
		}
	}, patience, tick)
}

// Two people, each with a page of an instance of their own, see what the other
// does there, and undo their own steps. Without the broker both go on reading,
// and an edit is refused with the reason.
func TestTwoPagesOfATeamShowOneDesign(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	long.Thoroughly(t)
	b := broker.Start(t, always)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	left, right := ann.window(), ben.window()
	both := func(tables ...string) {
		t.Helper()
		left.shows(tables...)
		right.shows(tables...)
	}
	both("customer(id name)", "orders(id customer_id total)", "item(id label)")

	left.rename(tableTitle("item"), "article")
	both("customer(id name)", "orders(id customer_id total)", "article(id label)")
	right.rename(columnRow("article.label")+` .name`, "title")
	both("customer(id name)", "orders(id customer_id total)", "article(id title)")
	right.sees("Proposed")
	right.screenshot("team-other")
	left.key("ctrl+z")
	both("customer(id name)", "orders(id customer_id total)", "item(id title)")
	right.key("ctrl+z")
	both("customer(id name)", "orders(id customer_id total)", "item(id label)")

	// Both at once, each at tables that the other works at, too.
	for range 5 {
		left.rename(columnRow("customer.name")+` .name`, "called")
		right.rename(columnRow("orders.total")+` .name`, "sum")
		both("customer(id called)", "orders(id customer_id sum)", "item(id label)")
		right.rename(columnRow("customer.called")+` .name`, "name")
		left.rename(columnRow("orders.sum")+` .name`, "total")
		both("customer(id name)", "orders(id customer_id total)", "item(id label)")
	}

	b.Kill()
	left.rename(tableTitle("item"), "offline")
	left.sees(`the broker of team design "shop" has been unreachable since`)
	for _, s := range []*studio{left, right} {
		s.has(`[data-testid=team-bar]`)
		s.sees(`Read-only. The broker of team design “shop” has been unreachable since`)
	}
	left.screenshot("team-unreachable")
	both("customer(id name)", "orders(id customer_id total)", "item(id label)")
	b.Start()
	agree(t, b.URL, ann, ben)
	left.lacks(`[data-testid=team-bar]`)
	left.rename(tableTitle("item"), "online")
	both("customer(id name)", "orders(id customer_id total)", "online(id label)")
	_, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Check(entries, nil, nil))
	assert.Len(t, entries, 1+4+20+1, "one for each acknowledged edit")

	ann.team("remove", "ben")
	right.sees("Read-only. ann removed ben from the team")
	ben.team("leave")
	right.lacks(`[data-testid=team-bar]`)
}
