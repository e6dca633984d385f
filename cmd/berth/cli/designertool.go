package cli

import (
	"context"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/schema"
)

// designer is the schema designer's tool on the project's databases.
func (w *wired) designer(i instanceOf, url string) (*schema.Tool, error) {
	opts := schema.Options{
		Manager:     w.manager,
		Connections: connections{w.databases},
		URL:         func() string { return url },
		Confirm:     i.settings.Designer.Confirm,
		Root:        i.root,
		Script:      script,
		Dialect:     dialect,
		Ledger:      w.ledger,
		Logger:      i.log,
	}
	if i.settings.Designer.OpenBrowser && i.desktop {
		opts.OpenPage = w.page.show
	}
	return schema.New(opts)
}

// connections are the databases as the designer knows connections.
type connections struct{ databases *db.Connections }

// List implements schema.Connections. A connection is known by its name.
func (c connections) List(ctx context.Context) ([]schema.ConnectionInfo, error) {
	var list []schema.ConnectionInfo
	for _, source := range c.databases.Sources(ctx) {
		list = append(list, schema.ConnectionInfo{ID: source.ID(), Name: source.Name()})
	}
	return list, nil
}

// Source implements schema.Connections.
func (c connections) Source(ctx context.Context, id string) (session.Source, error) {
	return c.databases.Source(ctx, id)
}
