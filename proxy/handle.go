package proxy

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
)

// handle passes one tools/call on. An error is told to the client as a
// JSON-RPC error; that is for calls the client gave up.
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

// progressTo passes progress on under the token the client gave for it; nil
// without one. A client that cannot be written to ends the session, so there
// is nothing to do about an error here.
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

// statelessVersion is the first protocol version in which a server does not
// send requests, and so cannot ask for roots.
const statelessVersion = "2026-07-28"

// rootsOf asks the client for the directories it works in; nil where it has
// not announced that it knows.
func rootsOf(req *mcp.CallToolRequest) func(context.Context) []string {
	caps := req.ClientCapabilities()
	if caps == nil || caps.RootsV2 == nil || req.ProtocolVersion() >= statelessVersion {
		return nil
	}
	return func(ctx context.Context) []string {
		answer, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil // a hint the less
		}
		var paths []string
		for _, root := range answer.Roots {
			if path, ok := filePath(root.URI); ok {
				paths = append(paths, path)
			}
		}
		return paths
	}
}

// filePath is the path in a file: URI of this machine.
func filePath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" { // file:///C:/app
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path), true
}
