package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/e2e/bench/table"
)

// patience is how long a server may take to end, or to end a query.
const patience = 5 * time.Second

var (
	startTime = table.Measure{Section: "Processes", Name: "start to the first answer", Unit: "ms"}
	idleAlone = table.Measure{Section: "Processes", Name: "RSS before any work, the client's process", Unit: "MiB"}
	endOfFile = table.Measure{Section: "Processes", Name: "exit after the end of its input", Unit: "ms"}
	terminate = table.Measure{Section: "Processes", Name: "exit after SIGTERM", Unit: "ms"}
	hello     = table.Measure{Section: "Processes", Name: "answer to initialize", Unit: "bytes"}
	toolsList = table.Measure{Section: "Processes", Name: "answer to tools/list", Unit: "bytes"}
)

// processes measures what a server costs before it is asked anything: each is
// started several times, in turn.
func (r *turn) processes() {
	r.say("starting and ending")
	starts := r.calls(10)
	took := map[string][]float64{}
	ends := map[table.Measure]map[string][]float64{endOfFile: {}, terminate: {}}
	for i := range starts {
		for _, s := range r.present() {
			one, err := r.start(s)
			if errors.Is(err, errNotItsWork) {
				continue
			}
			if err != nil {
				r.fail(startTime, s.name, err)
				continue
			}
			took[s.name] = append(took[s.name], millis(one.started))
			if i == 0 {
				r.fresh(s.name, one)
			}
			r.end(i, s.name, one, ends)
			one.close()
		}
	}
	r.medians(startTime, took)
	r.medians(endOfFile, ends[endOfFile])
	r.medians(terminate, ends[terminate])
}

// start opens a server on the least that it can be started on: nothing, the
// first of the small databases that is its work, or a folder.
func (r *turn) start(s server) (*session, error) {
	if s.start != nil {
		return s.start(r.ctx)
	}
	if s.folder != nil {
		return s.folder(r.ctx, r.dir)
	}
	for i := range r.databases {
		one, err := s.database(r.ctx, &r.databases[i])
		if !errors.Is(err, errNotItsWork) {
			return one, err
		}
	}
	return nil, errNotItsWork // its database is not there
}

// fresh notes the memory and the bytes of a fresh session.
func (r *turn) fresh(name string, s *session) {
	r.table.Add(hello, name, r.n, float64(s.first.Bytes))
	if list, err := s.Request("tools/list", map[string]any{}); err != nil {
		r.fail(toolsList, name, err)
	} else {
		r.table.Add(toolsList, name, r.n, float64(list.Bytes))
	}
	time.Sleep(300 * time.Millisecond) // it settles
	if rss, ok := residentMiB(s.PID()); ok {
		r.table.Add(idleAlone, name, r.n, rss)
	}
}

// end ends a session, every other time by SIGTERM.
func (r *turn) end(i int, name string, s *session, ends map[table.Measure]map[string][]float64) {
	m, ask := endOfFile, s.CloseInput
	if i%2 == 1 {
		m, ask = terminate, s.Terminate
	}
	d, ok := ask(patience)
	if !ok {
		r.table.Say(m, name, fmt.Sprintf("still there after %v", patience))
		return
	}
	ends[m][name] = append(ends[m][name], millis(d))
}

// medians notes the median of the values of each server, in the servers'
// order.
func (r *turn) medians(m table.Measure, by map[string][]float64) {
	for _, s := range r.servers {
		if values := by[s.name]; len(values) > 0 {
			r.table.Add(m, s.name, r.n, table.Median(values))
		}
	}
}

// present are the servers that could be had, beginning with another one in
// each round: who is first has no advantage in all of them.
func (r *turn) present() []server {
	var all []server
	for i := range r.servers {
		if s := r.servers[(i+r.n)%len(r.servers)]; s.missing == "" {
			all = append(all, s)
		}
	}
	return all
}

// calls is how often something is done, of which a quick try does a tenth.
func (r *turn) calls(n int) int {
	if r.short {
		return max(n/10, 2)
	}
	return n
}

// fail notes why a server has no figure.
func (r *turn) fail(m table.Measure, server string, err error) {
	if r.ctx.Err() != nil {
		return // the run ends; the server did nothing wrong
	}
	r.table.Say(m, server, "failed: "+shorten(err.Error()))
	r.say("%s, %s, %s: %v", m.Section, m.Name, server, err)
}

// shorten makes a message fit into a cell. Of a JSON object it takes the error.
func shorten(message string) string {
	var object struct{ Error string }
	if json.Unmarshal([]byte(message), &object) == nil && object.Error != "" {
		message = object.Error
	}
	if runes := []rune(message); len(runes) > 120 {
		message = string(runes[:120]) + "…"
	}
	return message
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
