package mcptool

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/wire"
)

// Request converts req to the hop's form. WantProgress is set if the client gave
// a progress token.
func Request(req *mcp.CallToolRequest) (wire.Request, error) {
	out := wire.Request{
		Arguments:    req.Params.Arguments,
		Client:       client(req),
		WantProgress: req.Params.GetProgressToken() != nil,
		RequestState: req.Params.RequestState,
	}
	if req.Params.InputResponses != nil {
		raw, err := json.Marshal(req.Params.InputResponses)
		if err != nil {
			return wire.Request{}, fmt.Errorf("encode input responses: %w", err)
		}
		out.InputResponses = raw
	}
	return out, nil
}

// client returns the caller as req describes it. Since 2026-07-28 that belongs
// to the request, before that to the session; the library hides the difference.
func client(req *mcp.CallToolRequest) wire.Client {
	var c wire.Client
	if info := req.ClientInfo(); info != nil {
		c.Name, c.Version = info.Name, info.Version
	}
	if caps := req.ClientCapabilities(); caps != nil && caps.Elicitation != nil {
		// An empty object is how older clients declare forms.
		c.Elicitation = caps.Elicitation.Form != nil || caps.Elicitation.URL == nil
	}
	c.Views = showsViews(req.ClientCapabilities())
	return c
}

// Result converts the last line of a reply to an MCP result. It returns an error
// for a progress line and for input requests that the library cannot decode.
func Result(end wire.Line) (*mcp.CallToolResult, error) {
	switch {
	case end.Result != nil:
		return result(end.Result), nil
	case end.Input != nil:
		return inputRequired(end.Input)
	default:
		return nil, errors.New("reply line does not end a reply")
	}
}

func result(r *wire.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: make([]mcp.Content, 0, len(r.Content)), IsError: r.IsError}
	for _, text := range r.Content {
		out.Content = append(out.Content, &mcp.TextContent{Text: text})
	}
	if r.Structured != nil {
		out.StructuredContent = r.Structured
	}
	if r.View != nil {
		out.Meta = mcp.Meta{ViewKey: r.View}
	}
	return out
}

func inputRequired(in *wire.Input) (*mcp.CallToolResult, error) {
	var requests mcp.InputRequestMap
	if err := json.Unmarshal(in.Requests, &requests); err != nil {
		return nil, fmt.Errorf("read input requests: %w", err)
	}
	return &mcp.CallToolResult{InputRequests: requests, RequestState: in.State}, nil
}
