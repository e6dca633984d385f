package mcptool

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/tools/catalog"
)

// Spelling is receiving middleware that answers a call of a tool by another
// spelling of its name with the name.
func Spelling(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
			if meant := catalog.Meant(call.Name); meant != "" && meant != call.Name {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: catalog.Unknown(call.Name)}
			}
		}
		return next(ctx, method, req)
	}
}
