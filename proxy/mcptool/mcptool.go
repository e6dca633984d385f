// Package mcptool converts between berth's own types (a definition of
// tools/catalog, a reply line of proxy/wire) and those of the MCP library. Both
// MCP servers use it, the front-end's on stdio and the instance's at /mcp, so
// that a tool looks the same on either. It registers nothing, does no I/O and
// knows no tool's behaviour.
//
//	catalog.Definition ──Tool──────▶ mcp.Tool
//	mcp.CallToolRequest ─Request───▶ wire.Request
//	wire.Line ──────────Result─────▶ mcp.CallToolResult
//
// Start with [Tool].
package mcptool

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/tools/catalog"
)

// Tool converts d to the MCP library's form. It sets every annotation, because
// clients assume a cautious default for one that is missing.
func Tool(d catalog.Definition) *mcp.Tool {
	tool := &mcp.Tool{
		Name:        d.Name,
		Title:       d.Title,
		Description: d.Description,
		InputSchema: d.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    d.Annotations.ReadOnly,
			DestructiveHint: &d.Annotations.Destructive,
			IdempotentHint:  d.Annotations.Idempotent,
			OpenWorldHint:   &d.Annotations.OpenWorld,
		},
	}
	if d.OutputSchema != nil {
		tool.OutputSchema = d.OutputSchema
	}
	return tool
}
