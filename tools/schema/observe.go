package schema

import (
	"encoding/json"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
)

// Observation is what may be told of a call: which kind of work it was and
// how it went, never a name or a value.
type Observation struct {
	Operation string // of the tool's operations; "unknown" for any other word
	Edits     int    // edits in the call
	Success   bool
	Reason    string // of [designer.Reasons]; "" on success, "ask" for a question to a person
}

// Observe reads it off a call and its reply.
func Observe(call tools.Call, reply tools.Reply) Observation {
	var asked struct {
		Operation string `json:"operation"`
		Payload   struct {
			Edits []json.RawMessage `json:"edits"`
		} `json:"payload"`
	}
	o := Observation{Operation: "unknown"}
	// What could be read counts, though the rest may be of the wrong kind.
	if _ = json.Unmarshal(call.Arguments, &asked); knownOperation(asked.Operation) {
		o.Operation, o.Edits = asked.Operation, len(asked.Payload.Edits)
	}
	if reply.Ask != nil {
		o.Reason = "ask"
		return o
	}
	var answered struct {
		Success bool            `json:"success"`
		Reason  designer.Reason `json:"reason"`
	}
	if len(reply.Content) > 0 && json.Unmarshal([]byte(reply.Content[0]), &answered) == nil {
		o.Success = answered.Success
		if slices.Contains(designer.Reasons(), answered.Reason) {
			o.Reason = string(answered.Reason)
		}
	}
	return o
}
