package db

import (
	"context"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Handlers returns the handlers of this package's tools by name.
func (c *Connections) Handlers() map[string]tools.Handler {
	return map[string]tools.Handler{
		catalog.GetTables:       c.getTables,
		catalog.GetSchema:       c.getSchema,
		catalog.GetDatabaseType: c.getDatabaseType,
		catalog.RunQuery:        c.runQuery,
		catalog.MSSQLQuery:      c.mssqlQuery,
		catalog.ListConnections: c.listConnections,
		catalog.ExecuteSQL:      c.executeSQL,
		catalog.ExplainQuery:    c.explainQuery,
		catalog.SampleTable:     c.sampleTable,
		catalog.SearchSchema:    c.searchSchema,
	}
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
		if !o.View {
			l.add(o)
		}
	}
	return l.names, nil
}

// TableSchema returns the statements that make a table with its indexes.
func (c *Connections) TableSchema(ctx context.Context, table string) (string, error) {
	text, err := c.CreateText(ctx, "", table)
	if err != nil {
		return "", err
	}
	text, _ = replytext.Clean(text)
	return text, nil
}

// Query runs one statement that reads, under the limits of run-query, and
// returns its rows as a list of JSON objects. A [*readonly.Refusal] says why it did
// not run.
func (c *Connections) Query(ctx context.Context, query string) (any, error) {
	cfg, d, err := c.checked(ctx, "", query)
	if err != nil {
		return nil, err
	}
	var o *rowset.Objects
	_, err = c.query(ctx, cfg, d, query, func() rowset.Sink {
		o = rowset.NewObjects(c.maxRows(cfg), c.opts.MaxBytes)
		return o
	})
	if err != nil {
		return nil, err
	}
	return o.Rows(), nil
}

// DatabaseType returns the documents' identifier of the dialect.
func (c *Connections) DatabaseType(ctx context.Context) (string, error) {
	kind, _, _, err := c.databaseType(ctx, "")
	return kind, err
}
