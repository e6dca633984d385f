// Package driver is a small MCP client on stdio: newline-delimited JSON-RPC,
// the initialize handshake and tools/call, without an SDK and without a
// goroutine of its own, so that what it measures is the server.
//
// Start runs a server; a Client is one caller's, or with Load that of many
// callers in one goroutine. A Client is not for use by several goroutines.
// Every wait ends: with the context, or with Options.Patience.
package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Protocol is the protocol version that Handshake asks for.
const Protocol = "2025-11-25"

// Command is how to start a server. Env is the whole environment.
type Command struct {
	Path string
	Args []string
	Env  []string
	Dir  string
}

// Options are a client's settings; the zero value is useful.
type Options struct {
	// Patience bounds the wait for one reply; 0 means 60 seconds. A server
	// that takes longer is killed, since its later replies have no reader.
	Patience time.Duration
}

// Client is the connection to one server process.
type Client struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	stderr   tail
	patience time.Duration
	id       int
	ended    bool
}

// Call is a tool and its arguments.
type Call struct {
	Tool string
	Args map[string]any
}

// Reply is a server's answer to one request.
type Reply struct {
	Took   time.Duration // from the first byte written to the last one read
	Bytes  int           // of the line, without its end
	Text   string        // the first content item's text of a tools/call
	Result json.RawMessage
}

// A RefusedError is an answer that reports a failure: a JSON-RPC error, or a
// tool's result with isError. Its text is the server's.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// Start starts a server. It is killed when ctx ends.
func Start(ctx context.Context, c Command, o Options) (*Client, error) {
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	p := &Client{cmd: exec.CommandContext(ctx, c.Path, c.Args...), patience: o.Patience}
	p.cmd.Env, p.cmd.Dir, p.cmd.Stderr = c.Env, c.Dir, &p.stderr
	p.cmd.WaitDelay = time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	return p, nil
}

// PID is the server's process.
func (c *Client) PID() int { return c.cmd.Process.Pid }

// Handshake opens the session as clients up to 2025-11-25 do, and returns the
// answer to initialize.
func (c *Client) Handshake() (Reply, error) {
	reply, err := c.Request("initialize", map[string]any{"protocolVersion": Protocol, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "berth-bench", "version": "1"}})
	if err != nil {
		return reply, err
	}
	return reply, c.send(message{Method: "notifications/initialized"})
}

// Request sends one request and waits for its answer. The error is a
// *RefusedError where the server answered with one.
func (c *Client) Request(method string, params any) (Reply, error) {
	defer c.guard()()
	c.id++
	began := time.Now()
	if err := c.send(message{ID: c.id, Method: method, Params: params}); err != nil {
		return Reply{}, err
	}
	a, err := c.answer()
	if err != nil {
		return Reply{}, err
	}
	if a.ID != c.id {
		return Reply{}, fmt.Errorf("%s has id %d, and its answer %d", method, c.id, a.ID)
	}
	a.reply.Took = a.at.Sub(began)
	return a.reply, a.refused
}

// Tool calls a tool and waits for its answer.
func (c *Client) Tool(call Call) (Reply, error) {
	return c.Request("tools/call", call.params())
}

// Begin sends a call of a tool without waiting for its answer, and returns its
// id, which Cancel takes. The client is of no use for other calls before Wait
// has returned its answer.
func (c *Client) Begin(call Call) (id int, err error) {
	c.id++
	return c.id, c.send(message{ID: c.id, Method: "tools/call", Params: call.params()})
}

// Wait waits for the next answer, to what Begin sent. The server is killed if
// there is none within limit.
func (c *Client) Wait(limit time.Duration) (Reply, error) {
	t := time.AfterFunc(limit, func() { _ = c.cmd.Process.Kill() })
	defer t.Stop()
	a, err := c.answer()
	if err != nil {
		return Reply{}, err
	}
	return a.reply, a.refused
}

// Cancel tells the server that nobody waits for the answer to request id.
func (c *Client) Cancel(id int) error {
	return c.send(message{Method: "notifications/cancelled", Params: map[string]any{"requestId": id, "reason": "bench"}})
}

// guard kills a server that takes longer than the client's patience.
func (c *Client) guard() (stop func()) {
	t := time.AfterFunc(c.patience, func() { _ = c.cmd.Process.Kill() })
	return func() { t.Stop() }
}

func (c Call) params() map[string]any {
	return map[string]any{"name": c.Tool, "arguments": c.Args}
}

// message is a request, or without an ID a notification.
type message struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

func (c *Client) send(m message) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err = c.in.Write(append(line, '\n')); err != nil {
		return c.explain(fmt.Errorf("send %s: %w", m.Method, err))
	}
	return nil
}

// answer is one line of the server that answers a request.
type answer struct {
	ID      int
	at      time.Time // when its last byte was read
	reply   Reply
	refused error
}

// answer reads lines until one answers a request: what the server asks or
// notifies is passed over.
func (c *Client) answer() (answer, error) {
	for {
		line, err := c.out.ReadBytes('\n')
		at := time.Now()
		if err != nil {
			return answer{}, c.explain(fmt.Errorf("the server's output ended: %w", err))
		}
		a, ok, err := parse(bytes.TrimSpace(line))
		if err != nil {
			return answer{}, err
		}
		if ok {
			a.at = at
			return a, nil
		}
	}
}

// parse reports whether the line answers a request, and reads it.
func parse(line []byte) (a answer, ok bool, err error) {
	var m struct {
		ID     int
		Method string
		Error  *struct{ Message string }
		Result json.RawMessage
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return a, false, fmt.Errorf("the server wrote %.200q, which is no JSON-RPC message: %w", line, err)
	}
	if m.Method != "" {
		return a, false, nil
	}
	a.ID, a.reply = m.ID, Reply{Bytes: len(line), Result: m.Result}
	if m.Error != nil {
		a.refused = &RefusedError{m.Error.Message}
		return a, true, nil
	}
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if json.Unmarshal(m.Result, &result) == nil && len(result.Content) > 0 {
		a.reply.Text = result.Content[0].Text
	}
	if result.IsError {
		a.refused = &RefusedError{a.reply.Text}
	}
	return a, true, nil
}

// explain adds the end of what the server wrote to stderr.
func (c *Client) explain(err error) error {
	if said := c.stderr.last(); said != "" {
		return fmt.Errorf("%w; its stderr ends with %q", err, said)
	}
	return err
}

// Refused reports whether the error is the server's own answer: its
// connection still works then.
func Refused(err error) bool {
	var refused *RefusedError
	return errors.As(err, &refused)
}
