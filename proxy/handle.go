package proxy

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
)

// handle forwards one tools/call. An error becomes a JSON-RPC error; it is
// returned only for calls that the client canceled.
func (s *Server) handle(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call, err := mcptool.Request(req)
	if err != nil {
		return nil, err
	}
	call.Client.Views = call.Client.Views && s.views
	line, err := s.client.Call(ctx, req.Params.Name, call.Arguments, CallOptions{
		Client:         call.Client,
		Progress:       mcptool.ProgressTo(ctx, req),
		InputResponses: call.InputResponses,
		RequestState:   call.RequestState,
		Roots:          rootsOf(req),
	})
	if err != nil {
		return nil, err
	}
	return mcptool.Result(line)
}
