package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/discovery"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/db/pool"
)

// addHint and addLines are what to write where no database was found: a name
// and an address, without a password.
const addHint = "name one with: berth connect ADDRESS, a SQLite file or a URL; start a design without one with: berth new; or write into .berth/config.yaml of the project:"

func addLines() []string {
	return []string{
		"connections:",
		"  main: {path: app.db}",
		`  # or: main: {url: "postgres://USER@127.0.0.1:5432/DATABASE"}, and mysql:// or sqlserver:// alike`,
	}
}

// severalOf says, in the words of the tools, that there is no default among
// several databases; "": there is one, or none at all.
func severalOf(ctx context.Context, databases *pool.Connections) string {
	var several *pool.UsageError
	if _, err := databases.Pick(ctx, ""); !errors.As(err, &several) {
		return ""
	}
	return several.Plain()
}

// nothingFound says where a database was looked for.
func nothingFound(root string) string {
	return fmt.Sprintf("no database was found for %s: looked at .berth/config.yaml and your own config.yaml, at %s, and for SQLite files in the project",
		root, strings.Join(discovery.Kinds(), ", "))
}

// sayIfNothingFound tells the person who serves a project without a database.
func (a *app) sayIfNothingFound(ctx context.Context, root string, set *settings.Settings) {
	databases, err := pool.New(root, connections.Options(set, connections.NewFinder(root).Find(ctx, set)))
	if err != nil {
		return // the instance says why
	}
	defer databases.Close()
	if ctx.Err() != nil {
		return
	}
	if len(databases.Known(ctx)) > 0 {
		if text := severalOf(ctx, databases); text != "" {
			_, _ = io.WriteString(a.sys.Stderr, printable("note: "+text)+"\n")
		}
		return
	}
	text := printable("note: "+nothingFound(root)+". Its files are served.") + "\nhint: " + addHint + "\n"
	for _, line := range addLines() {
		text += "      " + line + "\n"
	}
	_, _ = io.WriteString(a.sys.Stderr, text) // the instance serves all the same
}
