package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const designerTool = "mssql_schema_designer"

// agent is an MCP client on the stdio of a real `berth mcp` process. It
// counts what its replies cost: the bytes of their text, which is what
// enters a model's context.
type agent struct {
	session *mcp.ClientSession
	spent   int // bytes of all replies so far
}

// startAgent runs `berth mcp` and connects to it.
func startAgent(ctx context.Context, exe string, env []string) (*agent, error) {
	cmd := exec.Command(exe, "mcp")
	cmd.Env = env
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-demo", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("start berth mcp: %w", err)
	}
	return &agent{session: session}, nil
}

func (a *agent) close() { _ = a.session.Close() }

// reply is one tool reply: its text, as the model sees it.
type reply struct {
	text    string // the first item, the one the contract fixes
	bytes   int    // of all items
	isError bool
}

// decode reads the reply's first item as JSON.
func (r reply) decode(into any) error {
	if err := json.Unmarshal([]byte(r.text), into); err != nil {
		return fmt.Errorf("unexpected reply %.80q: %w", r.text, err)
	}
	return nil
}

// call makes one tool call on a project and adds its cost.
func (a *agent) call(ctx context.Context, tool, root string, args map[string]any) (reply, error) {
	r, err := a.peek(ctx, tool, root, args)
	a.spent += r.bytes
	return r, err
}

// peek is call for the demo's own measuring: it does not add to the cost.
func (a *agent) peek(ctx context.Context, tool, root string, args map[string]any) (reply, error) {
	full := map[string]any{"projectRoot": root}
	for k, v := range args {
		full[k] = v
	}
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: full})
	if err != nil {
		return reply{}, fmt.Errorf("call %s: %w", tool, err)
	}
	r := reply{isError: res.IsError}
	for i, item := range res.Content {
		text, ok := item.(*mcp.TextContent)
		if !ok {
			return r, fmt.Errorf("call %s: reply item %d is no text", tool, i)
		}
		if i == 0 {
			r.text = text.Text
		}
		r.bytes += len(text.Text)
	}
	if len(res.Content) == 0 {
		return r, errors.New("call " + tool + ": empty reply")
	}
	return r, nil
}

// wholeSchema measures what one reply would weigh if it carried the whole
// schema, as the tools before berth did on every mutation: every table in
// full, read here table by table and not charged to the agent.
func (a *agent) wholeSchema(ctx context.Context, root string) (int, error) {
	r, err := a.peek(ctx, designerTool, root, map[string]any{
		"operation": "get_overview", "options": map[string]any{"includeColumns": "none"}})
	if err != nil {
		return 0, err
	}
	var overview struct {
		Overview struct {
			Tables []struct{ Schema, Name string }
		}
	}
	if err := r.decode(&overview); err != nil {
		return 0, err
	}
	sum := 0
	for _, t := range overview.Overview.Tables {
		r, err := a.peek(ctx, designerTool, root, map[string]any{
			"operation": "get_table",
			"payload":   map[string]any{"table": map[string]any{"schema": t.Schema, "name": t.Name}},
			"options":   map[string]any{"includeColumns": "full", "includeForeignKeys": true}})
		if err != nil {
			return 0, err
		}
		var full struct{ Table json.RawMessage }
		if err := r.decode(&full); err != nil {
			return 0, err
		}
		sum += len(full.Table)
	}
	return sum, nil
}
