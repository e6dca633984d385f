package mcptool

import (
	"context"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/wire"
)

// countKey is the context key of a call's *count.
type countKey struct{}

// count is how far the client has been told a call is; -1 before the first
// report.
type count struct{ last float64 }

// Growing is receiving middleware that keeps the progress of a call growing, as
// MCP wants it of one token. The MCP library runs the handler a second time once
// a client without multi round-trip requests has answered a question, and the
// second run counts from 0.
func Growing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && call.GetProgressToken() != nil {
			ctx = context.WithValue(ctx, countKey{}, &count{last: -1})
		}
		return next(ctx, method, req)
	}
}

// ProgressTo returns a function that sends progress under the token that the
// client gave, or nil if it gave none. It counts on from what an earlier run of
// the same call has sent, if [Growing] is in place. Errors are ignored: the
// context, or the end of the session, reports a client that has gone.
func ProgressTo(ctx context.Context, req *mcp.CallToolRequest) func(wire.Progress) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	sent, _ := ctx.Value(countKey{}).(*count)
	if sent == nil { // no other run
		sent = &count{last: -1}
	}
	base := math.Floor(sent.last) + 1
	return func(p wire.Progress) {
		if p.Progress += base; p.Total > 0 {
			p.Total += base
		}
		sent.last = p.Progress
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: p.Progress, Total: p.Total, Message: p.Message,
		})
	}
}
