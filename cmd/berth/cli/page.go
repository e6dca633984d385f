package cli

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// reopenAfter is how long a page that was opened has to come up before it
// may be opened again.
const reopenAfter = 15 * time.Second

// A pageOpener opens the designer page on this machine's desktop when the
// designer is shown, unless a page listens already: that one follows the
// event. It opens in the background, since a browser may take its time.
type pageOpener struct {
	doorway   func() (string, error) // writes a file that signs a browser in once
	listeners func() int             // pages that follow the events
	log       *slog.Logger
	open      func(ctx context.Context, path string) error

	opening sync.WaitGroup
	mu      sync.Mutex
	last    time.Time // when a page was last opened
}

// show opens the page. Failing is no error of the designer: the person can
// open the page by hand.
func (p *pageOpener) show(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listeners() > 0 || time.Since(p.last) < reopenAfter {
		return nil
	}
	p.last = time.Now()
	ctx = context.WithoutCancel(ctx)
	p.opening.Go(func() {
		path, err := p.doorway()
		if err == nil {
			err = p.open(ctx, path)
		}
		if err != nil {
			p.log.Info("designer page not opened", "cause", err)
		}
	})
	return nil
}

// wait returns when no opening is under way; each ends by itself.
func (p *pageOpener) wait() { p.opening.Wait() }
