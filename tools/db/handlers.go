package db

import (
	"context"
	"encoding/json"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// Handlers returns the handlers of this package's tools by name.
func (c *Connections) Handlers() map[string]tools.Handler {
	return map[string]tools.Handler{
		catalog.GetTables:       c.getTables,
		catalog.GetSchema:       c.getSchema,
		catalog.GetDatabaseType: c.getDatabaseType,
		catalog.RunQuery:        c.runQuery,
	}
}

// Info describes a connection to people.
type Info struct {
	Name    string
	Kind    string // as get-database-type says it
	File    string // below the project's root, with forward slashes
	Origin  string
	Default bool  // what a call without a connection means
	Err     error // nil: it can be read
}

// List describes every known connection and tries each.
func (c *Connections) List(ctx context.Context) []Info {
	def, noDefault := c.pick(ctx, "")
	var all []Info
	for _, cfg := range c.known(ctx) {
		kind, _, _, err := c.databaseType(ctx, cfg.Name)
		all = append(all, Info{
			Name: cfg.Name, Kind: kind, File: c.shownPath(cfg), Origin: cfg.Origin,
			Default: noDefault == nil && def.Name == cfg.Name, Err: err,
		})
	}
	return all
}

// The REST routes. They serve the default connection.

// Tables lists the tables without views.
func (c *Connections) Tables(ctx context.Context) ([]string, error) {
	all, err := c.objects(ctx, "")
	if err != nil {
		return nil, err
	}
	l := tableList{names: []string{}}
	for _, o := range all {
		if !o.view {
			l.add(o)
		}
	}
	return l.names, nil
}

// TableSchema returns the statements that make a table with its indexes.
func (c *Connections) TableSchema(ctx context.Context, table string) (string, error) {
	text, err := c.createText(ctx, "", table)
	if err != nil {
		return "", err
	}
	text, _ = clean(text)
	return text, nil
}

// Query runs one statement that reads, under the limits of run-query, and
// returns its rows as a list of JSON objects. A [*Refusal] says why it did
// not run.
func (c *Connections) Query(ctx context.Context, query string) (any, error) {
	cfg, d, err := c.checked(ctx, "", query)
	if err != nil {
		return nil, err
	}
	var o *objectRows
	err = c.query(ctx, cfg, d, query, func() sink {
		o = &objectRows{maxRows: c.maxRows(cfg), maxBytes: c.opts.MaxBytes,
			encode: encoder{maxText: maxCell, maxBlob: maxBlob}, rows: []json.RawMessage{}}
		return o
	})
	if err != nil {
		return nil, err
	}
	return o.rows, nil
}

// DatabaseType returns the documents' identifier of the dialect.
func (c *Connections) DatabaseType(ctx context.Context) (string, error) {
	kind, _, _, err := c.databaseType(ctx, "")
	return kind, err
}
