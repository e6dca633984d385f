package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// getSchema handles get-schema.
func (t *Tools) getSchema(ctx context.Context, call tools.Call) tools.Reply {
	var connection, table string
	err := decode(call.Arguments,
		argument{name: "table", into: &table, required: true},
		argument{name: "connection", into: &connection})
	if err != nil {
		return fail(err)
	}
	text, err := t.createText(ctx, connection, table)
	if err != nil {
		return fail(err)
	}
	text, removed := replytext.Clean(text)
	notes := rowset.RemovedNote(removed)
	if len(text) > t.opts.MaxBytes {
		notes = append(notes, fmt.Sprintf("Only the first %d of %d bytes are shown. get_table of schema_designer_read lists all columns, a page at a time.", t.opts.MaxBytes, len(text)))
		text = text[:clip.Boundary(text, t.opts.MaxBytes)]
	}
	return reply(text, strings.Join(notes, "\n"))
}

// createText returns how a table is made. The name may be as replies show it:
// without hidden characters, with the schema before it.
func (t *Tools) createText(ctx context.Context, connection, table string) (string, error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return "", err
	}
	text := ""
	err = t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		found, err := findTable(ctx, d, table)
		if err == nil {
			text = found
		}
		return err
	})
	if err != nil {
		return "", cfg.Annotate(err)
	}
	return text, nil
}

func findTable(ctx context.Context, d driver.Database, table string) (string, error) {
	text, err := d.CreateText(ctx, table)
	if !errors.Is(err, driver.ErrUnknownTable) {
		return text, err
	}
	all, err := d.Objects(ctx)
	if err != nil {
		return "", err
	}
	name, err := listedName(all, d.Dialect(), table)
	if err != nil {
		return "", err
	}
	return d.CreateText(ctx, name)
}

// listedName finds a table by its name as replies show it: without hidden
// characters, in any case, with the default schema before it or not. The
// error names the nearest.
func listedName(all []driver.Object, dialect *designer.Dialect, table string) (string, error) {
	known := make([]string, len(all))
	for i, o := range all {
		if o.Name == table {
			return o.Name, nil
		}
		known[i], _ = replytext.Clean(o.Name)
	}
	for i, name := range known {
		if strings.EqualFold(name, table) {
			return all[i].Name, nil
		}
		for _, schema := range dialect.Schemas.Common {
			if strings.EqualFold(schema+"."+name, table) {
				return all[i].Name, nil
			}
		}
	}
	if len(known) == 0 {
		return "", unknownTable("no table is named %s: the database has none", replytext.Quote(table))
	}
	return "", unknownTable("no table is named %s; the nearest are: %s", replytext.Quote(table), replytext.List(designer.Nearest(table, known)))
}

// unknownTableError is the error for a table that the database does not have.
type unknownTableError struct{ error }

// Plain is the message.
func (e *unknownTableError) Plain() string { return replytext.Shown(e.Error()) }

func (e *unknownTableError) Unwrap() error { return e.error }

func unknownTable(format string, args ...any) error {
	return &unknownTableError{pool.Usagef(format, args...)}
}
