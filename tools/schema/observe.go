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
	Operation string         // of the tool's operations; "unknown" for any other word
	Edits     int            // edits in the call
	Ops       map[string]int // Edits by [designer.Ops]; others are not in it
	Tables    int            // in an overview
	// ColumnsOmitted: the overview has no columns.
	ColumnsOmitted bool
	Success        bool
	Reason         string // of [designer.Reasons]; "" on success, "ask" for a question to a person
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
		o.Operation, o.Edits, o.Ops = asked.Operation, len(asked.Payload.Edits), countOps(asked.Payload.Edits)
	}
	if reply.Ask != nil {
		o.Reason = "ask"
		return o
	}
	var answered struct {
		Success  bool            `json:"success"`
		Reason   designer.Reason `json:"reason"`
		Overview struct {
			Tables         []struct{} `json:"tables"`
			ColumnsOmitted bool       `json:"columnsOmitted"`
		} `json:"overview"`
	}
	if len(reply.Content) > 0 && json.Unmarshal([]byte(reply.Content[0]), &answered) == nil {
		o.Success = answered.Success
		o.Tables, o.ColumnsOmitted = len(answered.Overview.Tables), answered.Overview.ColumnsOmitted
		if slices.Contains(designer.Reasons(), answered.Reason) {
			o.Reason = string(answered.Reason)
		}
	}
	return o
}

// countOps counts edits by their op; nil: there are none of a known one.
func countOps(edits []json.RawMessage) map[string]int {
	var counts map[string]int
	for _, raw := range edits {
		var edit struct {
			Op designer.Op `json:"op"`
		}
		if json.Unmarshal(raw, &edit) != nil || !slices.Contains(designer.Ops(), edit.Op) {
			continue
		}
		if counts == nil {
			counts = map[string]int{}
		}
		counts[string(edit.Op)]++
	}
	return counts
}

// OperationOf returns the operation that a call of the designer asks for, "" if
// that is none of the tool's.
func OperationOf(call tools.Call) string {
	var asked struct {
		Operation string `json:"operation"`
	}
	if _ = json.Unmarshal(call.Arguments, &asked); !knownOperation(asked.Operation) {
		return ""
	}
	return asked.Operation
}
