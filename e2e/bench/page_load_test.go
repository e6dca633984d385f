package main_test

import (
	"bytes"
	"image"
	"image/color"
	_ "image/png" // what the browser sends frames as
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// size reports what the first load brings over the wire, the design itself
// left out: documents, scripts and styles, as they are served.
func (p *pages) size(b *testing.B) {
	for _, s := range sides[:2] {
		t := p.tab(s)
		p.prepare(s, view{})
		total := 0.0
		code := map[network.RequestID]bool{}
		t.hears(func(event any) {
			switch e := event.(type) {
			case *network.EventResponseReceived:
				code[e.RequestID] = !strings.Contains(e.Response.MimeType, "json") && !strings.Contains(e.Response.MimeType, "event-stream")
			case *network.EventLoadingFinished:
				if code[e.RequestID] {
					total += e.EncodedDataLength
				}
			}
		})
		t.open(p.address(s, view{}))
		t.until(shown)
		t.rest()
		t.hears(nil)
		b.ReportMetric(total/1000, s.name+"-kB")
		t.open("about:blank")
	}
}

// rounds is how often each side is measured where the best counts, since
// whatever else runs on the machine only ever makes it slower.
const rounds = 3

// load reports the time from the request for the page to the first frame on
// the screen that shows the tables, with nothing in the browser's cache.
func (p *pages) load(b *testing.B) {
	best := map[string]time.Duration{}
	for range rounds {
		for _, s := range sides {
			_, took := p.firstPaint(b, s)
			if best[s.name] == 0 || took < best[s.name] {
				best[s.name] = took
			}
		}
	}
	for _, s := range sides {
		b.ReportMetric(micros(best[s.name])/1e3, s.name+"-ms")
	}
	b.ReportMetric(float64(best["berth"])/float64(best["plain"]), "ratio")
}

// first reports the same of what a person gets who opens the page: the tables
// with most relations, first in rows, then arranged; and how it moves.
func (p *pages) first(b *testing.B) {
	var tables, arranged time.Duration
	var panned, zoomed smoothness
	for round := range rounds {
		some, most := p.firstPaint(b, asOpened)
		t := p.show(asOpened, view{})
		pan := p.during(t, p.pan)
		t.rest()
		zoom := p.during(t, func(t *tab) { p.zoom(t, levels[0].octaves) })
		t.open("about:blank")
		if round == 0 {
			tables, arranged, panned, zoomed = some, most, pan, zoom
			continue
		}
		tables, arranged = min(tables, some), min(arranged, most)
		panned.better(pan)
		zoomed.better(zoom)
	}
	b.ReportMetric(micros(tables)/1e3, "tables-ms")
	b.ReportMetric(micros(arranged)/1e3, "arranged-ms")
	b.ReportMetric(panned.fps, "pan-fps")
	b.ReportMetric(zoomed.fps, "zoom-fps")
}

// frame is one picture that reached the screen.
type frame struct {
	at  cdp.MonotonicTime
	png []byte
}

// firstPaint looks at every frame that the browser puts on the screen: the
// first one that shows half as much as is there in the end, and the first one
// that shows half of what is there in the end, where it is then.
func (p *pages) firstPaint(b testing.TB, s side) (some, most time.Duration) {
	b.Helper()
	t := p.tab(s)
	p.prepare(s, view{})
	var frames []frame
	var asked cdp.MonotonicTime
	acks := make(chan int64, 1000)
	t.hears(func(event any) {
		switch e := event.(type) {
		case *page.EventScreencastFrame:
			frames = append(frames, frame{e.Metadata.MonotonicTimestamp, e.Data})
			acks <- e.SessionID
		case *network.EventRequestWillBeSent:
			if e.Type == network.ResourceTypeDocument && asked == 0 {
				asked = e.Timestamp
			}
		}
	})
	tell(t, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatPng, MaxWidth: 640, MaxHeight: 400})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for id := range acks {
			_, _ = chromedp.Call(t.ctx, page.ScreencastFrameAck, page.ScreencastFrameAckParams{SessionID: id}) // one without it is not sent, and missed below
		}
	}()
	t.open(p.address(s, view{}))
	t.until(shown)
	t.rest()
	tell(t, page.StopScreencast, cdp.Empty{})
	t.hears(nil)
	close(acks)
	<-done
	t.open("about:blank")
	if len(frames) < 2 || asked == 0 {
		b.Fatalf("%s put %d frames on the screen; two at least were to be seen", s.name, len(frames))
	}
	much, half := p.half(b, frames)
	since := func(i int) time.Duration {
		return time.Duration((frames[i].at - asked).Float64() * float64(time.Second))
	}
	return since(much), since(half)
}

// half is the first of the frames that shows half as much as the last, and the
// first that shows half of what the last shows.
func (p *pages) half(b testing.TB, frames []frame) (much, half int) {
	pictures := make([]map[image.Point]bool, len(frames))
	for i, f := range frames {
		picture, _, err := image.Decode(bytes.NewReader(f.png))
		check(b, err)
		pictures[i] = p.drawn(picture)
	}
	last := pictures[len(pictures)-1]
	if len(last) < 1000 {
		b.Fatalf("the last frame shows hardly anything: %d pixels", len(last))
	}
	much = slices.IndexFunc(pictures, func(picture map[image.Point]bool) bool { return 2*len(picture) >= len(last) })
	half = slices.IndexFunc(pictures, func(picture map[image.Point]bool) bool {
		both := 0
		for at := range last {
			if picture[at] {
				both++
			}
		}
		return 2*both >= len(last)
	})
	return much, half
}

// drawn are the pixels of a picture's stage that do not have its commonest
// colour. The lower edge, where berth has its buttons and map, is left out.
func (p *pages) drawn(picture image.Image) map[image.Point]bool {
	const edge = 150
	scale := float64(picture.Bounds().Dx()) / 1280
	at := func(n float64) int { return int(n * scale) }
	stage := image.Rect(at(p.stage.Left), at(p.stage.Top), at(p.stage.Left+p.stage.Width), at(p.stage.Top+p.stage.Height-edge))
	colours := map[image.Point]color.Color{}
	counts := map[color.Color]int{}
	var background color.Color
	for y := stage.Min.Y; y < stage.Max.Y; y++ {
		for x := stage.Min.X; x < stage.Max.X; x++ {
			c := picture.At(x, y)
			colours[image.Pt(x, y)] = c
			counts[c]++
			if counts[c] > counts[background] {
				background = c
			}
		}
	}
	drawn := map[image.Point]bool{}
	for at, c := range colours {
		if c != background {
			drawn[at] = true
		}
	}
	return drawn
}
