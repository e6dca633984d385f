package cli

import (
	"context"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/tools/settings"
)

// connectTimeout bounds the look at one connection.
const connectTimeout = 5 * time.Second

// examineProject checks the settings of the current project and what they
// name.
func (a *app) examineProject(ctx context.Context, e *examination, home portmap.Home, root string) {
	set, err := a.settings(home, root)
	if err != nil {
		e.problem(hintOf(err), "%v", err)
		return
	}
	for _, note := range set.Notes {
		e.ok("%s", note)
	}
	if set.EnableMCPServer {
		e.ok("%s may be served", root)
	} else {
		e.ok("%s is not to be served: enableMcpServer is false (%s)", root, set.Values()[0].Place())
	}
	if len(set.Connections) == 0 {
		e.ok("%s names no connection", root)
	}
	for _, c := range set.Connections {
		examineConnection(ctx, e, c)
	}
}

func examineConnection(ctx context.Context, e *examination, c settings.Connection) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := reach(ctx, c); err != nil {
		e.problem("check its address in "+c.File, "connection %s (%s, %s:%d): %v", c.Name, c.Dialect, c.File, c.Line, err)
		return
	}
	access := "read only"
	if c.AllowWrites && !c.ReadOnly {
		access = "may be written"
	}
	e.ok("connection %s (%s, %s:%d): %s, %s", c.Name, c.Dialect, c.File, c.Line, c.Given(), access)
}
