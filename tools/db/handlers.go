package db

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Handlers returns the handlers of this package's tools by name.
func (t *Tools) Handlers() map[string]tools.Handler {
	return map[string]tools.Handler{
		catalog.GetTables:       t.getTables,
		catalog.GetSchema:       t.getSchema,
		catalog.GetDatabaseType: t.getDatabaseType,
		catalog.RunQuery:        t.runQuery,
		catalog.MSSQLQuery:      t.mssqlQuery,
		catalog.ListConnections: t.listConnections,
		catalog.ExecuteSQL:      t.executeSQL,
		catalog.ExplainQuery:    t.explainQuery,
		catalog.SampleTable:     t.sampleTable,
		catalog.SearchSchema:    t.searchSchema,
	}
}

// The REST routes. They serve the default connection.

// Tables lists the tables without views.
func (t *Tools) Tables(ctx context.Context) ([]string, error) {
	all, err := t.objects(ctx, "")
	if err != nil {
		return nil, routed(err)
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
func (t *Tools) TableSchema(ctx context.Context, table string) (string, error) {
	text, err := t.createText(ctx, "", table)
	if err != nil {
		return "", routed(err)
	}
	text, _ = replytext.Clean(text)
	return text, nil
}

// routed returns an error of a call as a route reports it: a table that is not
// there, or a choice that the project has not made, is no failed connection.
func routed(err error) error {
	var usage *pool.UsageError
	var unknown *unknownTableError
	switch {
	case errors.As(err, &unknown):
		return &routeError{"not_found", unknown.Plain()}
	case errors.As(err, &usage):
		return &routeError{"invalid_request", usage.Plain()}
	}
	return err
}

// routeError is an error that says how a route reports it.
type routeError struct{ code, message string }

func (e *routeError) Error() string { return e.message }

// Refusal is how it is reported.
func (e *routeError) Refusal() (code, message string) { return e.code, e.message }

// Query runs one statement that reads, under the limits of run-query, and
// returns its rows as a list of JSON objects. A [*readonly.Refusal] says why it did
// not run.
func (t *Tools) Query(ctx context.Context, query string) (any, error) {
	cfg, d, err := t.checked(ctx, "", query)
	if err != nil {
		return nil, err
	}
	var o *rowset.Objects
	_, err = t.query(ctx, cfg, d, query, func() rowset.Sink {
		o = rowset.NewObjects(t.maxRows(cfg), t.opts.MaxBytes)
		return o
	})
	if err != nil {
		return nil, err
	}
	return o.Rows(), nil
}

// DatabaseType returns the documents' identifier of the dialect.
func (t *Tools) DatabaseType(ctx context.Context) (string, error) {
	kind, _, _, err := t.databaseType(ctx, "")
	return kind, routed(err)
}
