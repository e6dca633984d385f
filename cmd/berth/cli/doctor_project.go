package cli

import (
	"context"
	"time"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
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
	examineConnections(ctx, e, home, root, set)
}

func examineConnections(ctx context.Context, e *examination, home portmap.Home, root string, set *settings.Settings) {
	known := connections.NewFinder(root).Find(ctx, set)
	databases, err := pool.New(root, connections.Options(set, known))
	if err != nil {
		e.problem("", "%v", err)
		return
	}
	defer databases.Close()
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	list := databases.List(ctx)
	if len(list) == 0 {
		e.problem(addHint, "%s", nothingFound(root))
		e.more(addLines())
	}
	for _, c := range list {
		examineConnection(e, c)
	}
	examineScratch(ctx, e, source.New(databases, source.Options{Copies: home.CopiesDir(root)}), list)
	for _, note := range databases.Notes() {
		e.note("%s", note)
	}
	for _, ask := range settings.Untrusted(known.Asks) {
		e.note("waits for your trust: %s %s", ask.Place(), ask.Words)
	}
	if len(settings.Untrusted(known.Asks)) > 0 {
		e.note("look at it and allow it with: %s", settings.TrustCommand(root))
	}
}

// examineConnection reports one. That one which the settings name does not
// answer is a problem; of one that was merely found it is worth knowing.
func examineConnection(e *examination, c pool.Info) {
	switch {
	case c.Err == nil:
		e.ok("connection %s (%s): %s %s, %s; %s%s%s", c.Name, c.Origin, c.Dialect, c.Place(), c.Version, c.Privileges,
			mark(c.AllowWrites, "; writes allowed"), mark(c.Default, ", the default"))
	case c.Withheld:
		e.note("connection %s (%s) is left out, and was not contacted: %s", c.Name, c.Origin, c.Place())
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
