package proxy

//lint:file-ignore SA1019 clients of 2025-11-25 and before announce roots; deprecated is that later ones no longer do

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// statelessVersion is the first protocol version in which a server does not send
// requests and so cannot ask for roots.
const statelessVersion = "2026-07-28"

// rootsOf returns a function that asks the client for the directories it works
// in, or nil if the client did not announce roots.
func rootsOf(req *mcp.CallToolRequest) func(context.Context) []string {
	caps := req.ClientCapabilities()
	if caps == nil || caps.RootsV2 == nil || req.ProtocolVersion() >= statelessVersion {
		return nil
	}
	return func(ctx context.Context) []string {
		answer, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil // only a hint is lost
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

// filePath returns the path of a file: URI of this machine.
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
