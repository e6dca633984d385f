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
		"a refusal": {designerTool, `{"operation":"get_table"}`, tools.Reply{IsError: true, Content: []string{`{"success":false,"reason":"not_found","message":"secret"}`}},
			instance.Telemetry{Operation: "get_table", Reason: "not_found"}},
		"an operation nobody knows": {designerTool, `{"operation":"secret"}`, tools.Reply{IsError: true, Content: []string{`{"reason":"secret"}`}},
			instance.Telemetry{Operation: "unknown"}},
		"another tool": {"run-query", `{"operation":"apply_edits","query":"secret"}`, tools.Reply{IsError: true, Content: []string{`{"reason":"not_found"}`}},
			instance.Telemetry{Operation: "run-query"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			call := tools.Call{Tool: tt.tool, Arguments: json.RawMessage(tt.arguments)}
			assert.Equal(t, tt.want, observe(call, tt.reply))
		})
	}
}
