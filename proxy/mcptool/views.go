package mcptool

import (
	"context"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/tools/catalog"
)

// MCP Apps, as of 2026-01-26: a client that declares the extension shows a
// person a page of the server, the view, beside the reply of a tool.
// See https://github.com/modelcontextprotocol/ext-apps.
const (
	viewsExtension = "io.modelcontextprotocol/ui"
	viewType       = "text/html;profile=mcp-app"
	cardURI        = "ui://berth/change-card.html"

	// ViewKey is where a result has the view's own data. It is beside what models
	// read: some clients show those the structured content in place of the text.
	ViewKey = "io.github.berth-dev/view"
)

// AddViews has s offer page, the view's HTML, to clients that show views: the
// designer's tools name it, and what the view calls is listed as the view's. All
// others see of it not a byte.
func AddViews(s *mcp.Server, page string) {
	s.AddResource(&mcp.Resource{URI: cardURI, Name: "change-card", Title: "Change card", MIMEType: viewType},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: cardURI, MIMEType: viewType, Text: page,
				Meta: mcp.Meta{"ui": map[string]any{"prefersBorder": true}}}}}, nil
		})
	s.AddReceivingMiddleware(forViews)
}

// forViews is receiving middleware that shows what is for views to clients that
// have them.
func forViews(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		shows := showsViews(capabilitiesOf(req))
		if !shows {
			if err := refuseViews(req); err != nil {
				return nil, err
			}
		}
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			r.Capabilities = declared(r.Capabilities, shows)
		case *mcp.DiscoverResult:
			r.Capabilities = declared(r.Capabilities, shows)
		case *mcp.ListToolsResult:
			r.Tools = listedFor(r.Tools, shows)
		case *mcp.ListResourcesResult:
			if !shows {
				r.Resources = []*mcp.Resource{}
			}
		}
		return result, nil
	}
}

// capabilitiesOf returns what the client of a request declares; nil: nothing.
func capabilitiesOf(req mcp.Request) *mcp.ClientCapabilities {
	if greeting, ok := req.GetParams().(*mcp.InitializeParams); ok {
		return greeting.Capabilities
	}
	if r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok {
		return r.ClientCapabilities()
	}
	return nil
}

// showsViews reports whether a client shows views of berth's kind.
func showsViews(c *mcp.ClientCapabilities) bool {
	if c == nil {
		return false
	}
	settings, ok := c.Extensions[viewsExtension].(map[string]any)
	if !ok {
		return false
	}
	types, said := settings["mimeTypes"].([]any)
	return !said || slices.Contains(types, any(viewType))
}

// refuseViews refuses, to a client without views, what it was not listed: in the
// words for what there is not.
func refuseViews(req mcp.Request) error {
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		if slices.ContainsFunc(catalog.ForViews(), func(d catalog.Definition) bool { return d.Name == p.Name }) {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: catalog.Unknown(p.Name)}
		}
	case *mcp.ReadResourceParams:
		return mcp.ResourceNotFoundError(p.URI)
	}
	return nil
}

// declared returns the server's capabilities with what is for views, or without.
func declared(c *mcp.ServerCapabilities, shows bool) *mcp.ServerCapabilities {
	next := *c
	next.Resources = nil
	if shows {
		next.Resources = &mcp.ResourceCapabilities{}
		next.Extensions = maps.Clone(c.Extensions)
		if next.Extensions == nil {
			next.Extensions = map[string]any{}
		}
		next.Extensions[viewsExtension] = map[string]any{}
	}
	return &next
}

// listedFor returns the tools as a client is listed them: those for views to one
// that has them, each with who may call it.
func listedFor(tools []*mcp.Tool, shows bool) []*mcp.Tool {
	own := map[string]bool{}
	for _, d := range catalog.ForViews() {
		own[d.Name] = true
	}
	if !shows {
		return slices.DeleteFunc(slices.Clone(tools), func(t *mcp.Tool) bool { return own[t.Name] })
	}
	out := make([]*mcp.Tool, len(tools))
	for i, t := range tools {
		with := *t
		ui := map[string]any{"visibility": []string{"model"}}
		switch {
		case own[t.Name]:
			ui["visibility"] = []string{"app"}
		case t.Name == catalog.SchemaDesigner || t.Name == catalog.SchemaReader:
			ui["resourceUri"] = cardURI
		}
		with.Meta = maps.Clone(t.Meta)
		if with.Meta == nil {
			with.Meta = mcp.Meta{}
		}
		with.Meta["ui"] = ui
		out[i] = &with
	}
	return out
}
