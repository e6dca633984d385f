package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What an agent dropped is seen on the canvas until a person has reviewed it. It
// is no part of the design, and taken back it is real again.
func TestWhatAnAgentDroppedIsSeenUntilItIsReviewed(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	before := s.grounds()
	column, ghost := tableBox("boat")+" "+button("dropped-name"), button("ghost-main.weather")
	s.apply(map[string]any{"op": "drop_column", "table": map[string]any{"name": "boat"}, "column": map[string]any{"name": "name"}},
		map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}})
	s.has(column)
	s.eventually(`s => document.querySelector(s).textContent.includes("dropped by the agent")`, column)
	s.has(ghost + " del")
	s.shows("bill(id stay_id)", "boat(id)", "stay(id boat_id)")
	at := eval[[]int](s.tab, `s => { const m = new DOMMatrix(getComputedStyle(document.querySelector(s)).transform); return [m.e, m.f].map(Math.round) }`, ghost)
	was := before["table-main.weather"]
	assert.Equal(t, []int{int(was.X), int(was.Y)}, at, "it is where it lay")

	for _, w := range []screen{{390, 844, "light"}, {390, 844, "dark"}, {1280, 800, "light"}, {1280, 800, "dark"}} {
		s.size(w.width, w.height, w.scheme)
		s.do(button("fit"))
		s.looksGood(fmt.Sprintf("%d-%s", w.width, w.scheme), w.width < 720)
		s.hasNoSeriousBarrier()
	}
	s.key("ctrl+a")
	s.selects("bill", "boat", "stay")
	s.key("Escape")
	for range 30 {
		s.key("Tab")
		assert.False(t, eval[bool](s.tab, `document.activeElement.closest(".ghost, .dropped-rows") !== null`), "the keyboard has no business there")
	}
	s.click(button("outline-switch"))
	s.eventually(`() => document.querySelector("[data-testid=outline-found]")?.textContent === "3 tables"`)
	s.click(button("outline-switch"))
	for range 12 {
		s.key("-")
		s.rests()
	}
	s.has(".ghosts.far " + ghost)
	s.looksGood("far", false)
	s.key("1")
	s.rests()

	s.click(ghost + " button")
	s.press(`[data-testid="net-main.weather"] [data-testid=take-back]`)
	s.lacks(ghost)
	s.has(tableBox("weather"))
	s.press(`[data-testid="net-main.boat"] [data-testid=take-back]`)
	s.lacks(column)
	s.shows("bill(id stay_id)", "boat(id name)", "stay(id boat_id)", "weather(day wind)")
	s.agrees()
	s.rests()
	assert.Equal(t, before, s.grounds())

	// What is accepted is no more to be seen either.
	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}})
	s.has(ghost)
	s.press(button("accept-all"))
	s.lacks(ghost)
}
