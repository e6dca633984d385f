package cli

import (
	"encoding/json"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// observe says what the log may tell of a call: words of closed lists and
// counts. The designer's calls are told by their operation, the others by
// their tool. Nothing that a caller wrote is passed on as it is.
func observe(call tools.Call, reply tools.Reply) instance.Telemetry {
	t := instance.Telemetry{Operation: call.Tool, Success: !reply.IsError}
	if call.Tool != catalog.SchemaDesigner {
		return t
	}
	var asked struct {
		Operation string `json:"operation"`
		Payload   struct {
			Edits []json.RawMessage `json:"edits"`
		} `json:"payload"`
	}
	// What does not decode is what the tool refused: then little is told.
	_ = json.Unmarshal(call.Arguments, &asked)
	if slices.Contains(catalog.Operations(), asked.Operation) {
		t.Operation = asked.Operation
	}
	t.Edits = len(asked.Payload.Edits)
	if t.Success || len(reply.Content) == 0 {
		return t
	}
	var said struct {
		Reason designer.Reason `json:"reason"`
	}
	_ = json.Unmarshal([]byte(reply.Content[0]), &said)
	if slices.Contains(designer.Reasons(), said.Reason) {
		t.Reason = string(said.Reason)
	}
	return t
}
