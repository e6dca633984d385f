package e2e

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ground is where something lies on the canvas, in pixels of it.
type ground struct{ X, Y, Width, Height float64 }

func (a ground) overlaps(b ground) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

func (a ground) holds(b ground) bool {
	return b.X >= a.X && b.Y >= a.Y && b.X+b.Width <= a.X+a.Width && b.Y+b.Height <= a.Y+a.Height
}

// lies reports whether the middle of b is in a.
func (a ground) lies(b ground) bool {
	return a.holds(ground{X: b.X + b.Width/2, Y: b.Y + b.Height/2})
}

// grounds are those of tables, areas and notes, by their test ids.
func (b *tab) grounds() map[string]ground {
	b.t.Helper()
	return eval[map[string]ground](b, `Object.fromEntries([...document.querySelectorAll(".react-flow__node, [data-item]")].map(e => {
		const at = new DOMMatrix(getComputedStyle(e).transform);
		const [x, y, width, height] = [at.e, at.f, parseFloat(e.style.width), parseFloat(e.style.height)].map(Math.round);
		return [(e.querySelector("[data-table]") ?? e).dataset.testid, { x, y, width, height }];
	}))`)
}

// Arranging keeps an area's tables in it, moves no note, and is one step.
func TestArrangingKeepsTablesInTheirAreas(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.selectsBut([]string{"bill", "boat"}, "stay", "weather")
	s.shore()
	s.click(button("show-all"))
	s.has(tableBox("bill"))
	s.note("Ask Ann")
	s.click(button("fit"))
	s.rests()
	x, y := s.point(button("note-body"))
	s.dragTo(x, y, x+20, y+280) // out of the area
	x, y = s.point(tableBox("weather") + " .head")
	s.dragTo(x, y, x+60, y+30) // so that what is in the area is in some disorder
	s.rests()
	before := s.grounds()

	s.click(button("arrange"))
	s.sees("Arranged 4 tables.")
	require.Eventually(t, func() bool { return !reflect.DeepEqual(before, s.grounds()) }, patience, tick) // it has begun
	s.rests()
	after := s.grounds()
	area := after["area-Shore"]
	inside := 0
	for name, g := range after {
		if name == "area-Shore" {
			continue
		}
		if before["area-Shore"].lies(before[name]) {
			inside++
			assert.True(t, area.holds(g), "%s stays in its area: %v in %v", name, g, area)
		} else {
			assert.False(t, area.overlaps(g), "%s is beside the area: %v and %v", name, g, area)
		}
		for other, o := range after {
			if name < other && other != "area-Shore" {
				assert.False(t, g.overlaps(o), "%s lies on %s: %v and %v", name, other, g, o)
			}
		}
	}
	assert.Equal(t, 3, inside, "stay, boat and weather, as the quay is arranged first")
	assert.Equal(t, before["note-card"], after["note-card"])
	require.NotEqual(t, before, after)
	other := s.another()
	other.goTo(s.in.URL)
	other.has(button("area-Shore"))
	s.agree(other)
	for _, w := range []screen{{1280, 800, "light"}, {1280, 800, "dark"}} {
		s.size(w.width, w.height, w.scheme)
		s.click(button("fit"))
		s.looksGood(fmt.Sprintf("arranged-areas-%s", w.scheme), false)
	}

	stands := func(want map[string]ground) {
		t.Helper()
		require.Eventually(t, func() bool { return reflect.DeepEqual(want, s.grounds()) }, patience, tick)
		s.agree(other)
	}
	s.key("ctrl+z")
	stands(before)
	s.key("ctrl+shift+z")
	stands(after)
}
