package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// mouse does one thing with the left button.
func (b *tab) mouse(kind input.DispatchMouseEventType, x, y float64) {
	b.t.Helper()
	b.run(chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft))
}

// A canvas follows a table that is dragged beyond its edge. It stops when the
// drag ends, also if the agent dropped the table meanwhile.
func TestTheCanvasRestsAfterADragWhoseTableIsGone(t *testing.T) {
	s := newStudio(t, quay)
	s.arranged()
	s.rests()
	view := func() string {
		return eval[string](s.tab, `document.querySelector(".react-flow__viewport").style.transform`)
	}
	x, y := s.point(tableBox("weather") + " .head")
	bottom := eval[float64](s.tab, `document.querySelector(".react-flow").getBoundingClientRect().bottom`)
	before := view()
	s.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	s.mouse(input.DispatchMouseEventTypeMouseMoved, x+10, y+10)
	s.mouse(input.DispatchMouseEventTypeMouseMoved, x+10, bottom-4)
	s.mouse(input.DispatchMouseEventTypeMouseMoved, x+11, bottom-4)
	s.eventually(`before => document.querySelector(".react-flow__viewport").style.transform !== before`, before)
	s.apply(map[string]any{"op": "drop_table", "table": map[string]any{"name": "weather"}})
	s.lacks(tableBox("weather"))
	s.mouse(input.DispatchMouseEventTypeMouseMoved, x+12, bottom-4)
	s.mouse(input.DispatchMouseEventTypeMouseReleased, x+12, bottom-4)
	s.rests()
}
