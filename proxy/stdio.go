package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/wire"
)

// stdio is the MCP library's transport and connection to one client: one frame
// per line, parsed strictly. A frame that does not parse is answered with an
// error and dropped; the session continues.
type stdio struct {
	take   func(*jsonrpc.Request) bool // answers a request that the library need not see
	frames chan jsonrpc.Message        // from the reading goroutine
	ending chan struct{}               // closed when the input has ended
	closed chan struct{}               // closed when the session must end now
	hangUp func()                      // closes closed
	grace  time.Duration               // how long calls may be answered after the end of the input
	err    error                       // why the input ended; set before ending is closed

	mu      sync.Mutex // guards what follows
	out     io.Writer
	calls   map[jsonrpc.ID]*openCall // unanswered requests of the client
	drained chan struct{}            // non-nil while the end waits for calls to be empty
}

// openCall is a request that has no answer yet.
type openCall struct {
	cancelled bool               // by the client, which then expects no answer
	cancel    context.CancelFunc // nil: the library's to cancel
}

// newStdio returns a connection that reads nothing before start.
func newStdio(out io.Writer, grace time.Duration) *stdio {
	s := &stdio{
		grace:  grace,
		frames: make(chan jsonrpc.Message),
		ending: make(chan struct{}),
		closed: make(chan struct{}),
		out:    out,
		calls:  map[jsonrpc.ID]*openCall{},
	}
	s.hangUp = sync.OnceFunc(func() { close(s.closed) })
	return s
}

// start reads in. Requests that take does not answer go to the library.
func (s *stdio) start(in io.Reader, take func(*jsonrpc.Request) bool) {
	s.take = take
	go s.readFrames(in)
}

// Connect returns s, which is its own connection.
func (s *stdio) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SessionID returns "": stdio has one session.
func (s *stdio) SessionID() string { return "" }

// Close ends the session. It does not close the streams.
func (s *stdio) Close() error {
	s.hangUp()
	return nil
}

// Read returns the next message, or io.EOF at the end of the input. If calls are
// unanswered by then, it first waits up to grace for them.
func (s *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-s.frames:
		return msg, nil
	case <-s.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.ending:
		s.drain()
		return nil, s.err
	}
}

// note records the client's requests and cancellations. It returns false for a
// request whose id another one has that is not answered yet.
func (s *stdio) note(req *jsonrpc.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.IsCall() {
		if s.calls[req.ID] != nil {
			return false
		}
		s.calls[req.ID] = &openCall{}
		return true
	}
	if id, ok := cancelled(req); ok {
		if call := s.calls[id]; call != nil {
			call.cancelled = true
			if call.cancel != nil {
				call.cancel()
			}
		}
	}
	return true
}

// cancelWith has a call that was noted cancelled by cancel.
func (s *stdio) cancelWith(id jsonrpc.ID, cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[id].cancel = cancel
}

// cancelled returns the id that a notification cancels.
func cancelled(req *jsonrpc.Request) (jsonrpc.ID, bool) {
	if req.Method != "notifications/cancelled" {
		return jsonrpc.ID{}, false
	}
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if wire.Decode(req.Params, maxFrameDepth, maxFrameBytes, &params) != nil {
		return jsonrpc.ID{}, false
	}
	id, err := parseID([]byte(params.RequestID))
	return id, err == nil && id.IsValid()
}

// Write sends one message. The answer to a call that the client cancelled is
// dropped, as the protocol asks.
func (s *stdio) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		return s.write(text, nil)
	}
	return s.write(text, &resp.ID)
}

// write writes a message, which answers the request of that id unless it is nil.
func (s *stdio) write(text []byte, answers *jsonrpc.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answers != nil && s.answeredLocked(*answers) {
		return nil
	}
	if _, err := s.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// answeredLocked removes an answered call and reports whether it was cancelled.
func (s *stdio) answeredLocked(id jsonrpc.ID) (cancelled bool) {
	call := s.calls[id]
	cancelled = call != nil && call.cancelled
	delete(s.calls, id)
	if s.drained != nil && len(s.calls) == 0 {
		close(s.drained)
		s.drained = nil
	}
	return cancelled
}

// drain waits until the calls are answered, for grace at most.
func (s *stdio) drain() {
	s.mu.Lock()
	if len(s.calls) == 0 {
		s.mu.Unlock()
		return
	}
	drained := make(chan struct{})
	s.drained = drained
	s.mu.Unlock()
	grace := time.NewTimer(s.grace)
	defer grace.Stop()
	select {
	case <-drained:
	case <-grace.C:
	case <-s.closed:
	}
}

// readFrames reads in until it ends. It does not notice the end of the session
// while a read blocks, because standard input cannot be interrupted everywhere.
func (s *stdio) readFrames(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if len(line) > 0 && !s.deliver(line) {
			return
		}
		if err != nil && !errors.Is(err, errLongLine) {
			s.err = err
			close(s.ending)
			return
		}
		if err != nil {
			s.refuse(&frameError{code: jsonrpc.CodeInvalidRequest, message: err.Error()})
		}
	}
}

// deliver hands on one line's message. It returns false if nobody reads any more.
func (s *stdio) deliver(line []byte) bool {
	msg, refused := parseFrame(line)
	if refused != nil {
		s.refuse(refused)
		return true
	}
	if req, ok := msg.(*jsonrpc.Request); ok {
		if !s.note(req) {
			s.refuse(&frameError{code: jsonrpc.CodeInvalidRequest, message: "message refused: a call with this id is in progress"})
			return true
		}
		if s.take(req) {
			return true
		}
	}
	return s.pass(msg)
}

// pass hands a message to Read. It returns false if nobody reads any more.
func (s *stdio) pass(msg jsonrpc.Message) bool {
	select {
	case s.frames <- msg:
		return true
	case <-s.closed:
		return false
	}
}

// answer writes the result of a call, or err, as the library would. A write
// error is ignored here, as in refuse.
func (s *stdio) answer(id jsonrpc.ID, result *mcp.CallToolResult, err error) {
	if text := plainAnswer(id, result); text != nil && err == nil {
		_ = s.write(text, &id)
		return
	}
	response := &jsonrpc.Response{ID: id, Error: err}
	if err == nil {
		response.Result, response.Error = json.Marshal(result)
	}
	_ = s.Write(context.Background(), response)
}

// refuse answers a frame with an error. A write error is ignored here: it comes
// up again with the next message that the library writes.
func (s *stdio) refuse(e *frameError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.out.Write(e.reply())
}

var errLongLine = fmt.Errorf("message refused: larger than %d bytes", maxFrameBytes)

// readLine returns the next line that is not blank, without its line break. It
// discards a line over the limit and returns errLongLine. The last line need not
// end in a line break.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxFrameBytes+1; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && err == nil:
			return nil, errLongLine
		}
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
		line = nil
	}
}
