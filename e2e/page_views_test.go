package e2e

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// savedAs saves what the canvas shows under a name.
func (b *tab) savedAs(name string) {
	b.t.Helper()
	b.has(button("view-name") + ":focus")
	b.write(button("view-name"), name)
	b.key("Enter")
	b.has(button("view-"+name) + "[aria-current=true]")
}

// opened waits for what the line above the canvas says of the view that is open.
func (b *tab) opened(text string) {
	b.t.Helper()
	b.eventually(`text => document.querySelector("[data-testid=shown-view]")?.textContent === "view " + text`, text)
}

// inView waits until the outline lists these views, with how many tables each has.
func (b *tab) inView(views ...string) {
	b.t.Helper()
	if views == nil {
		views = []string{}
	}
	b.eventually(`views => JSON.stringify([...document.querySelectorAll("[data-testid=views] .view-name")].map(e => e.textContent)) === JSON.stringify(views)`, views)
}

// A saved view has its tables and their places after a reload, in a second page
// and after the instance was killed.
func TestASavedViewIsKeptAndSeenByOtherPages(t *testing.T) {
	s := newStudio(t, thousandTables())
	s.arranged()
	s.click(button("outline-switch"))
	s.write(button("outline-search"), "oslo_production")
	s.click(outlineRow("oslo_production"))
	s.click(button("related-only"))
	s.rests()
	s.click(button("save-view"))
	s.savedAs("Stage")
	s.inView("Stage, 12")
	s.opened("Stage")
	s.hasNoSeriousBarrier()
	x, y := s.point(tableTitle("oslo_production"))
	s.dragTo(x, y, x+40, y+90)
	s.opened("Stage, changed")
	for _, w := range slices.Concat(windows, []screen{{700, 800, "dark"}}) {
		s.size(w.width, w.height, w.scheme)
		if w.width > 720 {
			s.fits(button("outline"), fmt.Sprintf("outline-%d-%s", w.width, w.scheme))
		}
		s.looksGood(fmt.Sprintf("changed-%d-%s", w.width, w.scheme), w.width < 720)
	}
	s.size(1280, 800, "light")
	s.click(button("update-view"))
	s.lacks(button("update-view"))
	s.key("Escape") // a table that is selected is brought into view by the address
	s.click(button("fit"))
	s.rests()
	places, shown := s.places(), s.shown()

	s.reload()
	s.opened("Stage")
	s.rests()
	assert.Equal(t, places, s.places())
	assert.Equal(t, shown, s.shown())

	other := s.another()
	other.goTo(s.in.URL)
	other.inView("Stage, 12")
	other.click(button("view-Stage"))
	other.opened("Stage")
	other.rests()
	assert.Equal(t, places, other.places())

	// What one page makes of it the other has, unless it made something of it too.
	x, y = other.point(tableTitle("oslo_production"))
	other.dragTo(x, y, x-40, y)
	other.click(button("update-view"))
	other.lacks(button("update-view"))
	require.Eventually(t, func() bool { return reflect.DeepEqual(s.places(), other.places()) }, patience, tick)
	s.lacks(button("update-view"))

	s.click(button("rename-view"))
	s.savedAs("The stage")
	other.inView("The stage, 12")
	other.opened("The stage")
	other.click(button("show-all"))
	s.click(button("remove-view"))
	other.inView()
	s.sees("12 of 1,000 tables shown")
	s.toasts("Removed the view The stage.")
	s.press(button("toast-action"))
	other.inView("The stage, 12")

	s.expectOffline()
	other.expectOffline()
	s.in.kill()
	s.in = s.serve(s.root)
	s.goTo(s.address(s.in))
	s.inView("The stage, 12")
}

func TestAViewOfWhatIsSelectedHasADroppedTableAgainAfterUndo(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.selectsBut([]string{"bill", "stay"}, "boat", "weather")
	s.click(button("only-these"))
	s.shows("boat(id name)", "weather(day wind)")
	s.counts("2 of 4 tables shown")
	s.looksGood("only", false)
	s.click(button("save-view"))
	s.savedAs("Quay")
	s.inView("Quay, 2")
	s.click(button("add-view"))
	s.has(button("view-name") + ":focus")
	s.write(button("view-name"), "quay")
	s.key("Enter")
	s.sees("another view is called that")
	s.expect("400 (Bad Request)")
	s.fits(button("outline"), "refused")
	s.key("Escape")
	s.lacks(button("view-name"))
	s.has(button("add-view") + ":focus")

	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}})
	s.shows("boat(id name)")
	s.inView("Quay, 1")
	s.lacks(button("update-view"))
	s.click(button("undo"))
	s.shows("boat(id name)", "weather(day wind)")
	s.inView("Quay, 2")
	s.key("Escape")
	s.click(tableTitle("weather"))
	s.click(button("hide-table"))
	s.opened("Quay, changed")
	s.reload()               // it was not kept
	s.has(button("outline")) // which moves what is clicked
	s.shows("boat(id name)", "weather(day wind)")
	s.click(tableTitle("weather"))
	s.click(button("hide-table"))
	s.click(button("update-view"))
	s.inView("Quay, 1")
	s.reload()
	s.shows("boat(id name)")
}
