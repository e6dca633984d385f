package serve

import (
	"context"

	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/db/source"
	"github.com/berth-dev/berth/tools/schema"
)

// designerOptions are those of the schema designer's tool on the project's
// databases.
func (r run) designerOptions(b *base, requests pageRequests) schema.Options {
	opts := schema.Options{
		Manager:     b.manager,
		Connections: sources{b.sources},
		URL:         func() string { return wire.URL(b.port) },
		Confirm:     r.Settings.Designer.Confirm,
		Lint:        func() lint.Options { return LintOptions(*b.lint.Load()) },
		Root:        r.Root,
		Script:      script,
		Dialect:     dialect,
		Ledger:      b.ledger,
		Logger:      r.Logger,
		Noted: func(connection string) {
			b.notices.Announce(map[string]string{"type": "notes", "connectionId": connection})
		},
		Accepted: func(connection string, counter int64) {
			b.notices.Announce(map[string]any{"type": "review", "connectionId": connection, "counter": counter})
		},
	}
	if r.Settings.Designer.OpenBrowser && r.OpenBrowser != nil {
		opts.OpenPage = requests.show
	}
	return opts
}

// sources are the databases as the designer knows connections.
type sources struct{ databases *source.Sources }

// List implements schema.Connections. A connection is known by its name.
func (s sources) List(ctx context.Context) ([]schema.ConnectionInfo, error) {
	var list []schema.ConnectionInfo
	for _, source := range s.databases.All(ctx) {
		list = append(list, schema.ConnectionInfo{ID: source.ID(), Name: source.Name(), Dialect: source.Dialect().Name, Database: source.Target().Database})
	}
	return list, nil
}

// Source implements schema.Connections.
func (s sources) Source(ctx context.Context, id string) (session.Source, error) {
	return s.databases.Source(ctx, id)
}
