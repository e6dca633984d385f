package instance

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// sessionTimeout is how long a session of the older protocol versions may be
// unused.
const sessionTimeout = 30 * time.Minute

// statelessVersion is the first MCP version without handshake and session.
const statelessVersion = "2026-07-28"

// mcpEndpoint is /mcp: the same tools for MCP clients that speak Streamable
// HTTP themselves. Only the token opens it, so a call's origin is agent.
type mcpEndpoint struct {
	s         *Server
	server    *mcp.Server
	stateful  http.Handler // clients that initialise
	stateless http.Handler // since 2026-07-28: each request stands alone
}

func newMCPEndpoint(s *Server) *mcpEndpoint {
	m := &mcpEndpoint{s: s}
	m.server = mcp.NewServer(
		&mcp.Implementation{Name: wire.ServerName, Version: s.cfg.Version},
		&mcp.ServerOptions{
			Instructions: catalog.Instructions,
			// The tools do not change while an instance runs.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	m.server.AddSendingMiddleware(mcptool.EveryAnswer)
	m.server.AddReceivingMiddleware(mcptool.Spelling, mcptool.Growing)
	for _, d := range s.cfg.Tools.Definitions() {
		m.server.AddTool(mcptool.Tool(d), m.handler(d.Name))
	}
	server := func(*http.Request) *mcp.Server { return m.server }
	// Both answer with event streams: plain JSON cannot carry progress.
	m.stateful = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		SessionTimeout:      sessionTimeout,
		MaxRequestBodyBytes: wire.MaxRequestBytes,
	})
	m.stateless = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		MaxRequestBodyBytes:          wire.MaxRequestBytes,
	})
	return m
}

// handler runs the tool called name.
func (m *mcpEndpoint) handler(name string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		// A call of a session may outlive its HTTP request, so it enters the
		// gate itself.
		ctx, leave, err := m.s.gate.enter(ctx)
		if err != nil {
			return mcptool.Result(wire.Line{Result: refusal("Error: " + failureOf(err).message)})
		}
		defer leave()
		call, err := mcptool.Request(req)
		if err != nil {
			return nil, err
		}
		call.Client.Views = false // what is for views is listed on stdio alone
		line, done := m.s.call(ctx, m.caller(req), name, call, mcptool.ProgressTo(ctx, req))
		done()
		return mcptool.Result(line)
	}
}

// caller returns the sender of a message: an agent, since the route requires
// the token, with person set if the client sent the person key with the
// message.
func (m *mcpEndpoint) caller(req *mcp.CallToolRequest) caller {
	who := caller{origin: tools.OriginAgent}
	if req.Extra != nil {
		who.person = m.s.speaksForPerson(req.Extra.Header)
	}
	return who
}

// close ends every session. Their calls have ended before.
func (m *mcpEndpoint) close() {
	var closing sync.WaitGroup
	for session := range m.server.Sessions() {
		closing.Go(func() { _ = session.Close() })
	}
	closing.Wait()
}
