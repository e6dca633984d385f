package proxy

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
)

// handle forwards one tools/call. An error becomes a JSON-RPC error; it is
// returned only for calls that the client canceled.
func (s *Server) handle(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call, err := mcptool.Request(req)
	if err != nil {
		return nil, err
	}
	line, err := s.client.Call(ctx, req.Params.Name, call.Arguments, CallOptions{
		Client:         call.Client,
		Progress:       progressTo(ctx, req),
		InputResponses: call.InputResponses,
		RequestState:   call.RequestState,
		Roots:          rootsOf(req),
	})
	if err != nil {
		return nil, err
	}
	return mcptool.Result(line)
}

// progressTo returns a function that sends progress under the token the client
// gave, or nil if it gave none. Errors are ignored: a client that cannot be
// written to ends the session.
func progressTo(ctx context.Context, req *mcp.CallToolRequest) func(wire.Progress) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(p wire.Progress) {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: p.Progress, Total: p.Total, Message: p.Message,
		})
	}
}
