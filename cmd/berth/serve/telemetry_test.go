package serve

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
)

func TestTheLogTellsTheKindOfACallAndNothingElse(t *testing.T) {
	const designerTool = "mssql_schema_designer"
	tests := map[string]struct {
		tool, arguments string
		reply           tools.Reply
		want            instance.Telemetry
	}{
		"an edit": {designerTool, `{"operation":"apply_edits","payload":{"edits":[{},{}]}}`, tools.Reply{Content: []string{`{"success":true}`}},
			instance.Telemetry{Operation: "apply_edits", Edits: 2, Success: true}},
		"edits by their op": {designerTool, `{"operation":"apply_edits","payload":{"edits":[{"op":"add_table","table":{"name":"secret"}},{"op":"add_column"},{"op":"add_column"},{"op":"secret"}]}}`,
			tools.Reply{Content: []string{`{"success":true}`}},
			instance.Telemetry{Operation: "apply_edits", Edits: 4, Ops: map[string]int{"add_table": 1, "add_column": 2}, Success: true}},
		"an overview": {designerTool, `{"operation":"get_overview"}`, tools.Reply{Content: []string{`{"success":true,"overview":{"tables":[{"name":"secret"},{"name":"b"}],"columnsOmitted":true}}`}},
			instance.Telemetry{Operation: "get_overview", Tables: 2, ColumnsOmitted: true, Success: true}},
		"a refusal that gives its reason": {"fs_read_file", `{}`, tools.Reply{IsError: true, Reason: "secret_file", Content: []string{`{}`}},
			instance.Telemetry{Operation: "fs_read_file", Reason: "secret_file"}},
		"a question": {"execute-sql", `{}`, tools.Reply{Ask: &tools.Ask{}}, instance.Telemetry{Operation: "execute-sql", Reason: "ask"}},
		"a refusal": {designerTool, `{"operation":"get_table"}`, tools.Reply{IsError: true, Content: []string{`{"success":false,"reason":"not_found","message":"secret"}`}},
			instance.Telemetry{Operation: "get_table", Reason: "not_found"}},
		"an operation nobody knows": {designerTool, `{"operation":"secret"}`, tools.Reply{IsError: true, Content: []string{`{"reason":"secret"}`}},
			instance.Telemetry{Operation: "unknown", Reason: "other"}},
		"another tool": {"run-query", `{"operation":"apply_edits","query":"secret"}`, tools.Reply{IsError: true, Content: []string{`{"reason":"not_found"}`}},
			instance.Telemetry{Operation: "run-query", Reason: "other"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			call := tools.Call{Tool: tt.tool, Arguments: json.RawMessage(tt.arguments)}
			assert.Equal(t, tt.want, observe(call, tt.reply))
		})
	}
}
