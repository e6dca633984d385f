package db

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Rows of sample-table.
const (
	sampleRows    = 5
	maxSampleRows = 50
)

// sampleTable handles sample-table: the first rows of a table, in no order.
func (t *Tools) sampleTable(ctx context.Context, call tools.Call) tools.Reply {
	var table, connection string
	rows := sampleRows
	err := decode(call.Arguments,
		argument{name: "table", into: &table, required: true},
		argument{name: "rows", into: &rows},
		argument{name: "connection", into: &connection})
	if err != nil {
		return fail(err)
	}
	if rows < 1 || rows > maxSampleRows {
		return fail(pool.Usagef("Error: the argument rows must be from 1 to %d", maxSampleRows))
	}
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return fail(err)
	}
	name, err := t.spelled(ctx, cfg, d, table)
	if err != nil {
		return fail(cfg.Annotate(err))
	}
	for i, identifier := range identifiers(d.Dialect(), name) {
		query := firstRows(d.Dialect().Name, identifier, rows)
		if r := d.Check(query, false); r != nil {
			return fail(r)
		}
		var r *rowset.Reply
		took, failed := t.query(ctx, cfg, d, query, func() rowset.Sink {
			r = rowset.NewReply(min(rows, t.maxRows(cfg)), t.opts.MaxBytes)
			r.Elsewhere = true
			return r
		})
		if failed == nil {
			return reply(r.JSON(took.Ran), r.Notes(took.Note()))
		}
		if i == 0 {
			err = failed // the likeliest reading's
		}
	}
	return fail(err)
}

// spelled finds a table by its name as replies show it.
func (t *Tools) spelled(ctx context.Context, cfg pool.Config, d *pool.Database, table string) (name string, err error) {
	err = t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		all, err := d.Objects(ctx)
		if err != nil {
			return err
		}
		found, err := listedName(all, d.Dialect(), table)
		if err == nil {
			name = found
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return name, nil
}

// identifiers are the ways to read a listed name: as schema and table at each
// of its dots, and as a table of the default schema whose name has dots. The
// likeliest comes first.
func identifiers(d *designer.Dialect, name string) []string {
	var list []string
	if d.Name != dial.SQLite && d.Name != dial.MySQL {
		for i := range len(name) {
			if name[i] == '.' && i > 0 && i < len(name)-1 && len(list) < 3 {
				list = append(list, d.QuoteIdentifier(name[:i])+"."+d.QuoteIdentifier(name[i+1:]))
			}
		}
	}
	return append(list, d.QuoteIdentifier(name))
}

func firstRows(dialect, identifier string, rows int) string {
	if dialect == dial.SQLServer {
		return fmt.Sprintf("SELECT TOP (%d) * FROM %s", rows, identifier)
	}
	return fmt.Sprintf("SELECT * FROM %s LIMIT %d", identifier, rows)
}
