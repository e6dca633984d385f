package proxy

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/proxy/wire"
)

// looksAtOnce is how many instances are looked at at once.
const looksAtOnce = 64

// Entry is an entry of the port map and what was found there.
type Entry struct {
	Root     string
	Port     int
	State    State
	Instance *wire.Instance // as [Client.Probe] returns it
	Status   *wire.Status   // nil: it is not live, or did not say
}

// Look looks at entries of the port map, many at once, and returns them sorted
// by root. Looking at one takes a second at most, and all end with ctx: what was
// not looked at until then is [Hung].
func (c *Client) Look(ctx context.Context, entries map[string]int) []Entry {
	list := make([]Entry, 0, len(entries))
	for root, port := range entries {
		list = append(list, Entry{Root: root, Port: port})
	}
	slices.SortFunc(list, func(x, y Entry) int { return strings.Compare(x.Root, y.Root) })
	each(len(list), func(i int) {
		ctx, cancel := context.WithTimeout(ctx, c.waits.look)
		defer cancel()
		c.lookAt(ctx, &list[i])
	})
	return list
}

// each calls look with 0 to n-1, at most looksAtOnce at a time, and returns when
// all are done.
func each(n int, look func(i int)) {
	var group sync.WaitGroup
	room := make(chan struct{}, looksAtOnce)
	for i := range n {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			look(i)
		})
	}
	group.Wait()
}

func (c *Client) lookAt(ctx context.Context, e *Entry) {
	var opened net.Conn
	e.State, e.Instance, opened = c.probe(ctx, e.Root, e.Port)
	if opened == nil {
		return
	}
	defer func() { _ = opened.Close() }()
	if status, err := c.status(ctx, opened, *e.Instance); err == nil { // else it ended meanwhile, or is too busy
		e.Status = &status
	}
}

// status asks for the status on a connection that was proven. Asking on that
// one takes no place of a call and adds nothing to the connections kept.
func (c *Client) status(ctx context.Context, opened net.Conn, inst wire.Instance) (wire.Status, error) {
	stop := context.AfterFunc(ctx, func() { _ = opened.Close() })
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, wire.URL(inst.Port)+wire.StatusPath, nil)
	if err != nil {
		return wire.Status{}, err
	}
	req.Header.Set("Authorization", inst.Token.Header())
	req.Header.Set("User-Agent", wire.ServerName+"/"+c.opts.Version)
	resp, err := newConn(opened).exchange(req)
	if err != nil {
		return wire.Status{}, err
	}
	if resp.StatusCode != http.StatusOK {
		return wire.Status{}, readFailure(resp)
	}
	var status wire.Status
	resp.Body = io.NopCloser(io.LimitReader(resp.Body, maxStatusBytes))
	return status, readInto(resp, &status)
}

// maxStatusBytes bounds the body of a status.
const maxStatusBytes = 1 << 20
