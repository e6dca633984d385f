package instance

import (
	"fmt"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// pulseEvery is how often a call that takes long says that it still runs.
const pulseEvery = 2 * time.Second

// pulse reports a call's progress: what its tool says, and until it says
// something, that the call still runs. Clients show that, and some wait longer
// for a call that they hear of.
type pulse struct {
	tool  string
	began time.Time
	send  func(wire.Progress)

	mu    sync.Mutex // held while sending: nothing is sent after stop
	timer *time.Timer
	heard float64 // seconds that were reported: progress may only grow
	said  bool    // the tool reports for itself
	ended bool
}

func newPulse(tool string, send func(wire.Progress)) *pulse {
	p := &pulse{tool: tool, began: time.Now(), send: send}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(pulseEvery, p.beat)
	return p
}

func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.said {
		return
	}
	p.heard = time.Since(p.began).Round(time.Second).Seconds()
	p.send(wire.Progress{Progress: p.heard, Message: fmt.Sprintf("%s: %.0f s so far", p.tool, p.heard)})
	p.timer.Reset(pulseEvery)
}

// report sends what the tool says.
func (p *pulse) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.said = true
	if total > 0 {
		total += p.heard
	}
	p.send(wire.Progress{Progress: p.heard + done, Total: total, Message: message})
}

// stop ends the reports. It waits for one that is being sent.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.timer.Stop()
}
