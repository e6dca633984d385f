package serve

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// reopenAfter is how long a page that was opened has to come up before it
// may be opened again.
const reopenAfter = 15 * time.Second

// pageRequests are the designer's wishes that a person see its page.
type pageRequests chan struct{}

func newPageRequests() pageRequests { return make(pageRequests, 1) }

// show asks for the page and does not wait: a browser may take its time.
// Failing is no error of the designer, since the person can open the page by
// hand.
func (p pageRequests) show(context.Context) error {
	select {
	case p <- struct{}{}:
	default: // it is asked for already
	}
	return nil
}

// A pageOpener opens the designer page on this machine's desktop when it is
// asked for, unless a page listens already: that one follows the event.
type pageOpener struct {
	requests   pageRequests
	signInFile func() (string, error) // writes a file that signs a browser in once
	listeners  func() int             // pages that follow the events
	open       func(ctx context.Context, path string) error
	log        *slog.Logger

	last    time.Time // when a page was last opened; the loop's own
	end     chan struct{}
	running sync.WaitGroup
}

// start opens pages until stop.
func (p *pageOpener) start() *pageOpener {
	p.end = make(chan struct{})
	p.running.Go(func() {
		for {
			select {
			case <-p.requests:
				p.openOnce()
			case <-p.end:
				return
			}
		}
	})
	return p
}

// stop returns when no opening is under way; each ends by itself.
func (p *pageOpener) stop() {
	close(p.end)
	p.running.Wait()
}

func (p *pageOpener) openOnce() {
	if p.listeners() > 0 || time.Since(p.last) < reopenAfter {
		return
	}
	p.last = time.Now()
	path, err := p.signInFile()
	if err == nil {
		err = p.open(context.Background(), path)
	}
	if err != nil {
		p.log.Info("designer page not opened", "cause", err)
	}
}
