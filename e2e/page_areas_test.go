package e2e

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn are the areas and notes on the canvas: where they lie and how large
// they are, in pixels of it.
func (b *tab) drawn() map[string][4]float64 {
	b.t.Helper()
	return eval[map[string][4]float64](b, `Object.fromEntries([...document.querySelectorAll("[data-item]")].map(e => {
		const at = new DOMMatrix(getComputedStyle(e).transform);
		return [e.dataset.testid, [at.e, at.f, parseFloat(e.style.width), parseFloat(e.style.height)].map(Math.round)];
	}))`)
}

// agree waits until another page has the tables, areas and notes where this one has.
func (b *tab) agree(other *tab) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		return reflect.DeepEqual(b.drawn(), other.drawn()) && reflect.DeepEqual(b.places(), other.places())
	}, patience, tick)
}

// selectsBut selects all tables but some, which are hidden for it.
func (s *studio) selectsBut(hidden []string, left ...string) {
	s.t.Helper()
	for _, table := range hidden {
		s.click(tableTitle(table))
		s.click(button("hide-table"))
	}
	s.key("ctrl+a") // of what is shown
	s.selects(left...)
}

// shore draws the area Shore around what is selected.
func (s *studio) shore() {
	s.t.Helper()
	s.click(button("area-around"))
	s.has(button("item-text") + ":focus")
	s.typed("Shore")
	s.key("Enter")
	s.has(button("area-Shore") + ":focus")
}

// An area takes along what lies in it, a note says what a person wrote, and both
// are there after a reload, in a second page and after the instance was killed.
func TestAreasAndNotesAreKeptAndSeenByOtherPages(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.selectsBut([]string{"bill", "stay"}, "boat", "weather")
	s.shore()
	s.click(button("fit"))
	s.rests()
	tables, area := s.places(), s.drawn()["area-Shore"]
	require.Len(t, tables, 2)

	x, y := s.point(button("area-title"))
	s.dragTo(x, y, x+50, y+30)
	s.rests()
	moved := s.drawn()["area-Shore"]
	for id, at := range s.places() {
		assert.InDelta(t, moved[0]-area[0], at[0]-tables[id][0], 1.5, "a table goes along")
		assert.InDelta(t, moved[1]-area[1], at[1]-tables[id][1], 1.5, "a table goes along")
	}
	assert.Greater(t, moved[0], area[0]+10)
	s.click(button("undo"))
	require.Eventually(t, func() bool { return reflect.DeepEqual(tables, s.places()) && s.drawn()["area-Shore"] == area }, patience, tick)
	s.click(button("redo"))
	require.Eventually(t, func() bool { return s.drawn()["area-Shore"] == moved }, patience, tick)
	s.click(button("area-title"))
	s.click(button("paint-red"))
	x, y = s.point(button("item-handle-1-1"))
	s.dragTo(x, y, x+20, y+20)
	s.has(".item.paint-red")
	s.rests()
	assert.Greater(t, s.drawn()["area-Shore"][2], area[2])

	other := s.another()
	other.goTo(s.in.URL)
	s.reload()
	s.has(tableBox("bill")) // nothing is hidden now
	s.agree(other)

	s.note("Ask Ann\nabout <b>berths</b>")
	other.has(button("note-card"))
	s.agree(other)
	other.eventually(`() => document.querySelector("[data-testid=note-body]").innerText.trim() === "Ask Ann\nabout <b>berths</b>"`)
	s.key("shift+ArrowDown")
	s.key("ctrl+shift+ArrowRight")
	s.agree(other)
	s.looksAtItems()

	before := s.drawn()
	s.click(button("note-body"))
	s.key("Delete")
	other.lacks(button("note-card"))
	s.key("ctrl+z")
	other.has(button("note-card"))
	s.agree(other)
	assert.Equal(t, before, s.drawn())

	s.expectOffline()
	other.expectOffline()
	s.in.kill()
	s.in = s.serve(s.root)
	s.goTo(s.address(s.in))
	s.has(button("note-card"))
	assert.Equal(t, before, s.drawn())
}

// note makes a note by keys; what it cannot hold is said.
func (s *studio) note(text string) {
	s.t.Helper()
	s.key("alt+m")
	s.has(button("item-text") + ":focus")
	s.typed(strings.Repeat("x", 1_200))
	s.sees("Full: 1,000 characters")
	s.key("ctrl+a")
	s.typed(text)
	s.key("ctrl+Enter")
	s.has(button("note-card") + ":focus")
}

func (s *studio) looksAtItems() {
	s.t.Helper()
	for _, w := range slices.Concat(windows, []screen{{700, 800, "dark"}}) {
		s.size(w.width, w.height, w.scheme)
		s.click(button("fit"))
		s.looksGood(fmt.Sprintf("areas-%d-%s", w.width, w.scheme), w.width < 720)
		s.hasNoSeriousBarrier()
	}
	s.size(1280, 800, "light")
	s.click(button("add-item"))
	s.has(button("add-menu-note"))
	s.screenshot("add-menu")
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.lacks(button("add-menu"))
	s.click(button("fit"))
	s.rests()
}

// A saved view has areas of its own, which Update keeps.
func TestASavedViewHasItsOwnAreas(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.key("ctrl+a")
	s.click(button("only-these"))
	s.click(button("save-view"))
	s.savedAs("Quay")
	s.key("alt+a") // around what is selected
	s.has(button("item-text") + ":focus")
	s.typed("Money")
	s.key("Enter")
	s.opened("Quay, changed")
	s.click(button("update-view"))
	s.lacks(button("update-view"))
	other := s.another()
	other.goTo(s.in.URL)
	other.has(tableBox("bill"))
	other.has(button("area-Money")) // the view is open in this browser
	other.click(button("show-all"))
	other.lacks(button("area-Money")) // it is none of the layout's
	other.click(button("view-Quay"))
	other.has(button("area-Money"))
	s.key("Delete")
	s.toasts("Removed Area Money.")
	s.opened("Quay, changed")
	s.press(button("toast-action"))
	s.has(button("area-Money"))
	s.opened("Quay")
}
