package instance_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// fakeTools offers the catalogue's tools; all of them run handle.
type fakeTools struct {
	handle tools.Handler
	calls  atomic.Int64
}

func (f *fakeTools) Definitions() []catalog.Definition { return catalog.All() }

func (f *fakeTools) Has(name string) bool {
	_, ok := catalog.Lookup(name)
	return ok
}

func (f *fakeTools) Call(ctx context.Context, call tools.Call) tools.Reply {
	f.calls.Add(1)
	return f.handle(ctx, call)
}

// echo answers with what reached the handler.
func echo(_ context.Context, call tools.Call) tools.Reply {
	text, err := json.Marshal(map[string]any{
		"tool": call.Tool, "arguments": call.Arguments, "origin": call.Origin,
		"client": call.Client, "answers": call.Answers, "state": call.State,
	})
	if err != nil {
		return tools.Reply{Content: []string{err.Error()}, IsError: true}
	}
	return tools.Reply{Content: []string{string(text)}}
}

// fakeDatabase answers from its fields and remembers what it was asked.
type fakeDatabase struct {
	mu    sync.Mutex
	asked []string
	err   error
}

func (f *fakeDatabase) ask(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, what)
	return f.err
}

func (f *fakeDatabase) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

func (f *fakeDatabase) Tables(context.Context) ([]string, error) {
	return []string{"Customers", "Orders"}, f.ask("tables")
}

func (f *fakeDatabase) TableSchema(_ context.Context, table string) (string, error) {
	return "CREATE TABLE " + table, f.ask("schema " + table)
}

func (f *fakeDatabase) Query(_ context.Context, sql string) (any, error) {
	return []map[string]any{{"n": 1}}, f.ask("query " + sql)
}

func (f *fakeDatabase) DatabaseType(context.Context) (string, error) {
	return "sqlite", f.ask("type")
}

// fakeEvents replays what is in log and then what publish adds.
type fakeEvents struct {
	mu   sync.Mutex
	log  []instance.Event
	subs map[chan instance.Event]struct{}
}

func (f *fakeEvents) Subscribe(after uint64) (<-chan instance.Event, func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan instance.Event, 64)
	for _, e := range f.log {
		if e.Seq > after {
			ch <- e
		}
	}
	if f.subs == nil {
		f.subs = map[chan instance.Event]struct{}{}
	}
	f.subs[ch] = struct{}{}
	return ch, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, ch)
	}
}

func (f *fakeEvents) publish(data string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := instance.Event{Seq: uint64(len(f.log) + 1), Data: json.RawMessage(data)}
	f.log = append(f.log, e)
	f.sendLocked(e)
}

// notify sends what is not kept.
func (f *fakeEvents) notify(data string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sendLocked(instance.Event{Data: json.RawMessage(data)})
}

func (f *fakeEvents) sendLocked(e instance.Event) {
	for ch := range f.subs {
		select {
		case ch <- e:
		default: // a reader that does not keep up loses events here
		}
	}
}

func (f *fakeEvents) closeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ch := range f.subs {
		close(ch)
		delete(f.subs, ch)
	}
}

func (f *fakeEvents) subscribers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.subs)
}

// fakeKeys is a KeyStore in memory.
type fakeKeys struct {
	mu      sync.Mutex
	secrets map[string][]byte
	broken  error // of looking one up
}

func (f *fakeKeys) AddPageKey(_ context.Context, id string, secret []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.secrets == nil {
		f.secrets = map[string][]byte{}
	}
	if _, ok := f.secrets[id]; ok {
		return errors.New("page key id is not new")
	}
	f.secrets[id] = slices.Clone(secret)
	return nil
}

func (f *fakeKeys) PageKey(_ context.Context, id string) ([]byte, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	secret, ok := f.secrets[id]
	return secret, ok && f.broken == nil, f.broken
}

func (f *fakeKeys) RevokePageKey(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.secrets, id)
	return nil
}

func (f *fakeKeys) PageKeys(context.Context) (map[string]time.Time, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]time.Time{}
	for i, id := range slices.Sorted(maps.Keys(f.secrets)) {
		out[id] = time.Unix(int64(i), 0).UTC()
	}
	return out, nil
}

// clock is a time that only moves by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_800_000_000, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
