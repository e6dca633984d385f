package mssql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Source is what [Inspect] reads from: a [*sql.DB], a [*sql.Conn] or a
// [*sql.Tx].
type Source interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Inspect reads the whole schema of the current database, with at most thirty
// queries whatever the number of tables. SQL Server offers no consistent view
// of its catalogue: what others change meanwhile may be seen in part.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	c := newCatalog()
	for _, r := range c.readers() {
		if r.when != nil && !r.when() {
			continue
		}
		query := r.query
		if r.text != nil {
			query = r.text()
		}
		err := each(ctx, src, query, r.row)
		if err != nil && r.of != "" && refused(err) {
			err = c.readInParts(ctx, src, r, err)
		}
		if err != nil {
			return designer.Definition{}, fmt.Errorf("read %s of the schema: %w", r.what, err)
		}
	}
	return c.definition()
}

// refused reports whether the server answered, with an error.
func refused(err error) bool {
	said := interface{ SQLErrorNumber() int32 }(nil)
	return errors.As(err, &said)
}

// readInParts asks again for a part of the objects at a time, until it is known
// which of them the server cannot describe. Those are left out, and the rest is
// read. why is what it said of all.
func (c *catalog) readInParts(ctx context.Context, src Source, r reader, why error) error {
	found := map[int]unreadRow{}
	err := each(ctx, src, objectQuery, func(s scanner) error {
		var id int
		var o unreadRow
		err := s(&id, &o.schema, &o.name, &o.kind)
		found[id] = o
		return err
	})
	if err != nil {
		return errors.Join(why, err)
	}
	ids := slices.Sorted(maps.Keys(found))
	if len(ids) == 0 {
		return why
	}
	var part func(ids []int) error
	part = func(ids []int) error {
		for _, id := range ids {
			r.forget(id)
		}
		err := each(ctx, src, r.only(ids), r.row)
		switch {
		case err == nil || !refused(err):
			return err
		case len(ids) > 1:
			half := len(ids) / 2
			return cmp.Or(part(ids[:half]), part(ids[half:]))
		}
		r.forget(ids[0])
		o := found[ids[0]]
		o.reason = err.Error()
		c.unread[ids[0]] = o
		return nil
	}
	return part(ids)
}

// only is the query for some of the objects.
func (r reader) only(ids []int) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Itoa(id)
	}
	end := strings.LastIndex(r.query, "ORDER BY")
	return r.query[:end] + "AND " + r.of + " IN (" + strings.Join(list, ", ") + ")\n" + r.query[end:]
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// scan takes the columns of one row.
type scanner func(...any) error

func each(ctx context.Context, src Source, query string, row func(scanner) error) error {
	rows, err := src.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// unreadRow is an object that the server could not describe, and why.
type unreadRow struct{ schema, name, kind, reason string }

func (c *catalog) forgetModule(object int) {
	c.modules = slices.DeleteFunc(c.modules, func(m moduleRow) bool { return m.object == object && !m.ofDatabase })
}
