package proxy

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/tools/lane"
)

// shortcut answers calls on a session without passing them through the MCP
// library, which decodes each one three times and hands it to four goroutines:
// more work than the rest of the front-end. It takes only calls for which the
// library does nothing but that: of a tool that changes nothing, and so asks
// nobody, from a client that has done the handshake, with no parameters but the
// tool's name and arguments, and what a client notes beside them.
type shortcut struct {
	server  *Server
	session *mcp.ServerSession
	conn    *stdio
	workers *lane.Workers
	running sync.WaitGroup

	mu    sync.Mutex
	ended bool // takes nothing any longer
}

// take starts to answer a request and returns true, or leaves it to the library.
// The call is cancelled with ctx, which ends with the session.
func (s *shortcut) take(ctx context.Context, req *jsonrpc.Request) bool {
	if req.Method != "tools/call" || !req.IsCall() {
		return false
	}
	greeting := s.session.InitializeParams()
	if greeting == nil || greeting.ProtocolVersion >= statelessVersion {
		return false
	}
	params, ok := s.server.plainParams(req.Params)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	call, cancel := context.WithCancel(ctx)
	s.conn.cancelWith(req.ID, cancel)
	s.running.Add(1)
	s.workers.Go(func() {
		defer s.running.Done()
		defer cancel()
		result, err := s.server.handle(call, &mcp.CallToolRequest{Session: s.session, Params: params})
		switch {
		case ctx.Err() != nil: // nobody waits for an answer
		case err == nil && result.InputRequests != nil:
			s.conn.pass(req) // the library asks the client's user
		default:
			s.conn.answer(req.ID, result, err)
		}
	})
	return true
}

// end takes no more requests, cancels those in progress and waits for them.
func (s *shortcut) end(cancel context.CancelFunc) {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	cancel()
	s.running.Wait()
}

// plainParams decodes the parameters of a call that can take the shortcut.
func (s *Server) plainParams(raw json.RawMessage) (*mcp.CallToolParamsRaw, bool) {
	var given struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
		Meta      mcp.Meta       `json:"_meta"`
	}
	if strict.Unmarshal(raw, &given, strict.RejectUnknownMembers(true)) != nil || given.Arguments.Kind() != '{' {
		return nil, false
	}
	for key := range given.Meta { // a progress token, or what only the client understands
		if strings.HasPrefix(key, "io.modelcontextprotocol/") {
			return nil, false
		}
	}
	params := &mcp.CallToolParamsRaw{Meta: given.Meta, Name: given.Name, Arguments: json.RawMessage(given.Arguments)}
	return params, s.client.catalog()[given.Name].Annotations.ReadOnly
}
