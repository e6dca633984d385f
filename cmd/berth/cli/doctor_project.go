package cli

import (
	"context"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/settings"
)

// connectTimeout bounds the look at a project's connections.
const connectTimeout = 15 * time.Second

// examineProject checks the settings of the current project and the
// databases they name, or that lie in it.
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
	examineConnections(ctx, e, root, set)
}

func examineConnections(ctx context.Context, e *examination, root string, set *settings.Settings) {
	databases, err := db.New(root, databaseOptions(set, nil))
	if err != nil {
		e.problem("", "%v", err)
		return
	}
	defer databases.Close()
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	list := databases.List(ctx)
	if len(list) == 0 {
		e.ok("%s names no connection, and no SQLite file lies in it", root)
	}
	for _, c := range list {
		if c.Err != nil {
			e.problem(hintOf(c.Err), "%v (%s)", c.Err, c.Origin)
			continue
		}
		e.ok("connection %s (%s): %s %s, %s%s", c.Name, c.Origin, c.Kind, c.File, writable(set, c.Name), mark(c.Default, ", the default"))
	}
}

// writable says what agents may do with a connection: reading aside, a
// person is asked unless the settings say otherwise.
func writable(set *settings.Settings, name string) string {
	if c, ok := set.Connection(name); ok && c.AllowWrites && !c.ReadOnly {
		return "writes allowed"
	}
	return "read only"
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}
