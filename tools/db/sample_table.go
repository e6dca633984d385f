package db

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Rows of sample-table.
const (
	sampleRows    = 5
	maxSampleRows = 50
)

// sampleTable handles sample-table: the first rows of a table, in no order.
func (c *Connections) sampleTable(ctx context.Context, call tools.Call) tools.Reply {
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
		return fail(usage("Error: the argument rows must be from 1 to %d", maxSampleRows))
	}
	cfg, d, err := c.pickDatabase(ctx, connection)
	if err != nil {
		return fail(err)
	}
	name, err := c.spelled(ctx, cfg, d, table)
	if err != nil {
		return fail(named(cfg, err))
	}
	for i, identifier := range identifiers(d.dialect(), name) {
		query := firstRows(d.dialect().Name, identifier, rows)
		if r := d.check(query, false); r != nil {
			return fail(r)
		}
		var r *rowset.Reply
		took, failed := c.query(ctx, cfg, d, query, func() sink {
			r = rowset.NewReply(min(rows, c.maxRows(cfg)), c.opts.MaxBytes)
			r.Elsewhere = true
			return r
		})
		if failed == nil {
			return reply(r.JSON(took.ran), r.Notes(took.note()))
		}
		if i == 0 {
			err = failed // the likeliest reading's
		}
	}
	return fail(err)
}

// spelled finds a table by its name as replies show it.
func (c *Connections) spelled(ctx context.Context, cfg Config, d *opened, table string) (name string, err error) {
	err = c.readCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		all, err := d.objects(ctx)
		if err != nil {
			return err
		}
		found, err := listedName(all, d.dialect(), table)
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
	if d.Name != dialectSQLite && d.Name != dialectMySQL {
		for i := range len(name) {
			if name[i] == '.' && i > 0 && i < len(name)-1 && len(list) < 3 {
				list = append(list, d.QuoteIdentifier(name[:i])+"."+d.QuoteIdentifier(name[i+1:]))
			}
		}
	}
	return append(list, d.QuoteIdentifier(name))
}

func firstRows(dialect, identifier string, rows int) string {
	if dialect == dialectMSSQL {
		return fmt.Sprintf("SELECT TOP (%d) * FROM %s", rows, identifier)
	}
	return fmt.Sprintf("SELECT * FROM %s LIMIT %d", identifier, rows)
}
