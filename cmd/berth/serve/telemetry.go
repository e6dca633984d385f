package serve

import (
	"cmp"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/schema"
)

// observe returns what the log may say of a call: words of closed lists and
// counts, nothing that a caller wrote. A call of the designer is named by its
// operation, any other by its tool.
func observe(call tools.Call, reply tools.Reply) instance.Telemetry {
	t := instance.Telemetry{Operation: call.Tool, Success: !reply.IsError && reply.Ask == nil}
	if call.Tool == catalog.SchemaDesigner || call.Tool == catalog.SchemaReader {
		t = instance.Telemetry(schema.Observe(call, reply))
	}
	switch {
	case t.Success || t.Reason != "":
	case reply.Ask != nil:
		t.Reason = "ask" // a question to a person
	default:
		t.Reason = cmp.Or(reply.Reason, "other")
	}
	return t
}
