package main_test

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

// A level is a view to move about in.
type level struct {
	name    string
	zoom    float64   // 0: everything in view
	octaves []float64 // where zooming goes, from 0, doubling at each 1
}

// From far away, where only names can be read; where the most tables are seen
// in full, going through every way they are drawn; and as they are.
var levels = []level{
	{"everything", 0, []float64{1.2, 0}},
	{"45%", 0.45, []float64{1.2, -1.6, 0}},
	{"100%", 1, []float64{-1.2, 0}},
}

// at is a level's view about the middle of the design.
func (p *pages) at(l level) view {
	if l.zoom == 0 {
		return view{}
	}
	w, h := p.stage.Width/2, p.stage.Height/2
	x, y := (w-p.fit.X)/p.fit.Zoom, (h-p.fit.Y)/p.fit.Zoom
	return view{w - x*l.zoom, h - y*l.zoom, l.zoom}
}

const gesture = 2 * time.Second

// move reports frames a second while the mouse drags the view about, and
// while its wheel zooms, and the longest time between two.
func (p *pages) move(b *testing.B, l level) {
	type figures struct{ pan, zoom smoothness }
	best := map[string]*figures{}
	for range rounds - 1 {
		for _, s := range sides {
			t := p.show(s, p.at(l))
			panned := p.during(t, p.pan)
			t.rest()
			zoomed := p.during(t, func(t *tab) { p.zoom(t, l.octaves) })
			t.open("about:blank")
			if best[s.name] == nil {
				best[s.name] = &figures{panned, zoomed}
				continue
			}
			best[s.name].pan.better(panned)
			best[s.name].zoom.better(zoomed)
		}
	}
	for _, s := range sides {
		f := best[s.name]
		b.ReportMetric(f.pan.fps, s.name+"-pan-fps")
		b.ReportMetric(f.pan.longest, s.name+"-pan-longest-ms")
		b.ReportMetric(f.zoom.fps, s.name+"-zoom-fps")
		b.ReportMetric(f.zoom.longest, s.name+"-zoom-longest-ms")
	}
}

// smoothness is how a page drew while something went on.
type smoothness struct {
	fps     float64
	longest float64 // milliseconds between two frames
	task    float64 // the longest of the main thread's, in milliseconds; 0: none of 50 or more
}

func (s *smoothness) better(other smoothness) {
	s.fps, s.longest, s.task = max(s.fps, other.fps), min(s.longest, other.longest), min(s.task, other.task)
}

// during measures a page's frames while something happens in it.
func (p *pages) during(t *tab, do func(*tab)) smoothness {
	t.b.Helper()
	eval[bool](t, `bench.frames()`)
	do(t)
	noted := eval[struct{ Gaps, Tasks []float64 }](t, `bench.ended()`)
	if len(noted.Gaps) == 0 {
		t.b.Fatal("the page drew no frames")
	}
	sum := 0.0
	for _, gap := range noted.Gaps {
		sum += gap
	}
	s := smoothness{fps: 1000 * float64(len(noted.Gaps)) / sum, longest: slices.Max(noted.Gaps)}
	if len(noted.Tasks) > 0 {
		s.task = slices.Max(noted.Tasks)
	}
	return s
}

// pan takes the canvas by a spot where no table is and drags it about, as
// fast on every page: a slow page sees fewer of the mouse's places.
func (p *pages) pan(t *tab) {
	at := eval[[]float64](t, `s => {
		for (let d = 0; d < 300; d += 3) for (const [x, y] of [[d, 0], [0, d], [-d, 0], [0, -d], [d, d], [-d, d]]) {
			const [px, py] = [s.Left + s.Width / 2 + x, s.Top + s.Height / 2 + y];
			if (document.elementFromPoint(px, py)?.matches(".react-flow__pane")) return [px, py];
		}
		return [];
	}`, p.stage)
	if len(at) == 0 {
		t.b.Fatal("there is no spot without a table to take the canvas by")
	}
	x, y := at[0], at[1]
	mouse := func(kind input.DispatchMouseEventType, x, y float64, buttons int64) {
		tell(t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1})
	}
	mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	corners := [][2]float64{{0, 0}, {-360, -180}, {240, -120}, {300, 220}, {-300, 160}, {0, 0}}
	p.overTime(func(done float64) {
		leg := min(int(done*float64(len(corners)-1)), len(corners)-2)
		part := done*float64(len(corners)-1) - float64(leg)
		from, to := corners[leg], corners[leg+1]
		mouse(input.DispatchMouseEventTypeMouseMoved, x+from[0]+(to[0]-from[0])*part, y+from[1]+(to[1]-from[1])*part, 1)
	})
	mouse(input.DispatchMouseEventTypeMouseReleased, x, y, 0)
}

// zoom turns the wheel over the stage's middle, through the octaves given.
func (p *pages) zoom(t *tab, octaves []float64) {
	const octave = 500 // of the wheel, in pixels, as React Flow counts it
	turned := 0.0
	stops := append([]float64{0}, octaves...)
	p.overTime(func(done float64) {
		leg := min(int(done*float64(len(stops)-1)), len(stops)-2)
		part := done*float64(len(stops)-1) - float64(leg)
		want := stops[leg] + (stops[leg+1]-stops[leg])*part
		if turned == want {
			return
		}
		// The browser wants both deltas, and a plain zero would not be sent.
		tell(t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel,
			X: p.stage.Left + p.stage.Width/2, Y: p.stage.Top + p.stage.Height/2, DeltaX: 1e-9, DeltaY: (turned - want) * octave})
		turned = want
	})
}

// overTime calls step with the part of the gesture that is over, 125 times a
// second at most, as a mouse reports, and no faster than the page takes it.
func (p *pages) overTime(step func(done float64)) {
	const report = 8 * time.Millisecond
	began := time.Now()
	for {
		now := time.Now()
		done := min(1, now.Sub(began).Seconds()/gesture.Seconds())
		step(done)
		if done == 1 {
			return
		}
		time.Sleep(report - time.Since(now)) // the hand's own pace
	}
}
