package db

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
)

// How the databases say that a table or a column is not there. A server that
// speaks another language says it without our hint.
var (
	missingTable = lazyregexp.New(`no such table: ([^"]+)|relation "([^"]+)" does not exist|Table '([^']+)' doesn't exist|Invalid object name '([^']+)'`)
	missingName  = lazyregexp.New(`no such column: |column .* does not exist|Unknown column |Invalid column name `)
)

// queryFailed is the reply to a query that the database refused. It names the
// tables nearest to one that is not there.
func (t *Tools) queryFailed(ctx context.Context, cfg pool.Config, d *pool.Database, err error) tools.Reply {
	r := fail(err)
	said := r.Content[len(r.Content)-1]
	if found := missingTable().FindStringSubmatch(said); found != nil {
		if hint := t.nearestTables(ctx, cfg, d, strings.Join(found[1:], "")); hint != "" {
			r.Content = append(r.Content, hint)
		}
	} else if missingName().MatchString(said) {
		r.Content = append(r.Content, "get-schema shows a table's columns, and search-schema finds them by a part of their name")
	}
	return r
}

// nearestTables names the tables whose names are near to one that a query has,
// with or without a schema; "" if the list cannot be had.
func (t *Tools) nearestTables(ctx context.Context, cfg pool.Config, d *pool.Database, missing string) string {
	var known []string
	err := t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		all, err := d.Objects(ctx)
		known = known[:0]
		for _, o := range all {
			name, _ := replytext.Clean(o.Name)
			known = append(known, name)
		}
		return err
	})
	if err != nil || len(known) == 0 {
		return ""
	}
	if !strings.Contains(known[0], ".") {
		missing = missing[strings.LastIndexByte(missing, '.')+1:]
	}
	return "the nearest tables are: " + replytext.List(designer.Nearest(missing, known))
}
