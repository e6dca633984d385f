package cli

import (
	"cmp"
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
		e.problem(cmp.Or(hintOf(err), "mend what the line names"), "%v", err)
		e.note("an instance that runs keeps the settings it could read last")
		return
	}
	for _, note := range set.Notes {
		e.ok("%s", note)
	}
	if set.EnableMCPServer {
		e.ok("%s may be served", root)
	} else {
		e.note("%s is not to be served: enableMcpServer is false (%s); to have it served, say enableMcpServer: true there",
			root, set.Values()[0].Place())
	}
	examineConnections(ctx, e, home, root, set)
	examineTeam(ctx, e, set.Team)
}

func examineConnections(ctx context.Context, e *examination, home portmap.Home, root string, set *settings.Settings) {
	known := connections.NewFinder(root).Find(ctx, set)
	databases, err := pool.New(root, connections.Options(set, known))
	if err != nil {
		e.problem(cmp.Or(hintOf(err), "check whether the folder is there and can be read"), "%v", err)
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
	if text := severalOf(ctx, databases); text != "" {
		e.note("%s", text)
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

// connectionHint is what to do about a connection that does not work and says
// nothing better.
const connectionHint = "check the connection where it is defined, or name another in .berth/config.yaml"

// examineConnection reports one. One that does not answer is a problem, whoever
// names it; one that waits for a person is none.
func examineConnection(e *examination, c pool.Info) {
	switch {
	case c.Design:
		e.ok("connection %s (%s): a design for %s, without a database", c.Name, c.Origin, c.Dialect)
	case c.Err == nil:
		e.ok("connection %s (%s): %s %s, %s; %s%s%s", c.Name, c.Origin, c.Dialect, c.Place(), c.Version, c.Privileges,
			mark(c.AllowWrites, "; writes allowed"), mark(c.Default, ", the default"))
	case c.Withheld:
		e.note("connection %s (%s) is left out, and was not contacted: %s", c.Name, c.Origin, c.Place())
	default:
		e.problem(cmp.Or(hintOf(c.Err), connectionHint), "%v (%s)", c.Err, c.Origin)
	}
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}
