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
		e.note("an instance that runs keeps the settings it could read last")
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
	known := newKnower(root).know(ctx, set)
	databases, err := db.New(root, databaseOptions(set, known, nil))
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
		examineConnection(e, c)
	}
	for _, note := range known.notes {
		e.note("%s", note)
	}
}

// examineConnection reports one. That one which the settings name does not
// answer is a problem; of one that was merely found it is worth knowing.
func examineConnection(e *examination, c db.Info) {
	switch {
	case c.Err == nil:
		e.ok("connection %s (%s): %s %s, %s; %s%s%s", c.Name, c.Origin, c.Dialect, c.Place(), c.Version, c.Privileges,
			mark(c.AllowWrites, "; writes allowed"), mark(c.Default, ", the default"))
	case c.Found:
		e.note("%v (%s)", c.Err, c.Origin)
	default:
		e.problem(hintOf(c.Err), "%v (%s)", c.Err, c.Origin)
	}
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}
