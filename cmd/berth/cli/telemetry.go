package cli

import (
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/schema"
)

// observe says what the log may tell of a call: words of closed lists and
// counts, nothing that a caller wrote. The designer's calls are told by their
// operation, the others by their tool.
func observe(call tools.Call, reply tools.Reply) instance.Telemetry {
	if call.Tool == catalog.SchemaDesigner {
		return instance.Telemetry(schema.Observe(call, reply))
	}
	return instance.Telemetry{Operation: call.Tool, Success: !reply.IsError}
}
