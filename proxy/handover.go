package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// A Handover is the connection to the instance that made room for this process.
// That instance waits, ready to serve again, until this process confirms that it
// serves; if the connection ends first, it resumes. The methods of a nil
// Handover do nothing.
type Handover struct {
	conn io.WriteCloser // nil: the predecessor is of an older berth and has ended
	once sync.Once
}

// Confirm tells the predecessor that this process serves the project, so that it
// ends. Later calls of Confirm and Close do nothing.
func (h *Handover) Confirm() { h.end(wire.HandoverDone) }

// Close gives the project back: the predecessor resumes serving.
func (h *Handover) Close() { h.end("") }

func (h *Handover) end(word string) {
	if h == nil {
		return
	}
	h.once.Do(func() {
		if h.conn == nil {
			return
		}
		_, _ = io.WriteString(h.conn, word) // on an error the predecessor finds out itself
		_ = h.conn.Close()
	})
}

// TakeOver asks the running instance of root to make room. It returns once the
// project's state and port are free. Errors are those of [Client.Do].
func (c *Client) TakeOver(ctx context.Context, root string) (*Handover, error) {
	canonical, err := c.keyOf(root)
	if err != nil {
		return nil, err
	}
	p, err := c.find(canonical)
	if err != nil {
		return nil, fmt.Errorf("take over %s: %w", canonical, err)
	}
	h, err := p.takeOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("take over %s: %w", canonical, err)
	}
	c.pool.drop(p)
	return h, nil
}

func (p *peer) takeOver(ctx context.Context) (*Handover, error) {
	req, err := p.request(ctx, http.MethodPost, wire.HandoverPath, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", wire.HandoverProtocol)
	resp, err := p.requests.roundTrip(req, time.Now())
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		conn, ok := resp.Body.(io.WriteCloser) // as roundTrip documents it
		if !ok {
			return nil, fmt.Errorf("take over: the connection cannot be written to")
		}
		return &Handover{conn: conn}, nil
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, readFailure(resp)
	}
	return &Handover{}, causeOf(ctx, readInto(resp, nil))
}
