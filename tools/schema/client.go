package schema

import (
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// clientName is how the program behind a call calls itself, as it is kept with
// a design; "": the page, or not known.
func clientName(call tools.Call) string {
	if call.Origin == tools.OriginPage {
		return "" // a person, whom the origin names
	}
	name := call.Client.Name
	if call.Client.Version != "" {
		name += " " + call.Client.Version
	}
	return clip.Text(name, maxTarget)
}

// callerOf is who asks, for the session.
func callerOf(in *invocation) session.Caller {
	return session.Caller{Origin: string(in.call.Origin), Client: clientName(in.call)}
}
