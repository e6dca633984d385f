package instance

import (
	"fmt"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// pulseEvery is how often a call that takes long says that it still runs.
const pulseEvery = 2 * time.Second

// pulse reports a call's progress: what its tool says, and whenever it has said
// nothing for a while, that the call still runs. Clients show that, and some wait
// longer for a call that they hear of.
type pulse struct {
	tool  string
	began time.Time
	send  func(wire.Progress)

	mu    sync.Mutex // held while sending: nothing is sent after stop
	timer *time.Timer
	base  float64       // what the tool's own count begins at: above the seconds that were reported before
	last  wire.Progress // of the tool; zero: it has said nothing
	beats int           // since last
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
	if p.ended {
		return
	}
	p.beats++
	p.timer.Reset(pulseEvery)
	seconds := time.Since(p.began).Round(time.Second).Seconds()
	if p.last == (wire.Progress{}) {
		p.base = seconds + 1
		p.send(wire.Progress{Progress: seconds, Message: fmt.Sprintf("%s: %.0f s so far", p.tool, seconds)})
		return
	}
	// Progress may only grow, and must stay below the tool's next step.
	next := p.last
	next.Progress += float64(p.beats) / float64(p.beats+1)
	next.Message = fmt.Sprintf("%s: %.0f s so far", next.Message, seconds)
	p.send(next)
}

// report sends what the tool says.
func (p *pulse) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if total > 0 {
		total += p.base
	}
	p.last, p.beats = wire.Progress{Progress: p.base + done, Total: total, Message: message}, 0
	p.timer.Reset(pulseEvery)
	p.send(p.last)
}

// stop ends the reports. It waits for one that is being sent.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.timer.Stop()
}
