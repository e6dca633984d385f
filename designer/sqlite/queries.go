package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// The queries. Virtual tables have root page 0: asking for the columns of one
// whose module is missing would fail the whole query.
const (
	objectQuery = `SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema ORDER BY rowid`

	kindQuery = `SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'`

	columnQuery = `SELECT s.name, x.name, x.type, x."notnull", x.pk, x.hidden
FROM main.sqlite_schema s JOIN pragma_table_xinfo(s.name, 'main') x
WHERE s.type = 'table' AND s.rootpage <> 0 ORDER BY s.rowid, x.cid`

	foreignKeyQuery = `SELECT s.name, k.id, k.seq, k."table", k."from", k."to", k.on_update, k.on_delete
FROM main.sqlite_schema s JOIN pragma_foreign_key_list(s.name, 'main') k
WHERE s.type = 'table' AND s.rootpage <> 0 ORDER BY s.rowid, k.id DESC, k.seq`

	indexQuery = `SELECT s.name, i.name, i."unique", i.origin, x.name, x."desc", coalesce(x.coll, '')
FROM main.sqlite_schema s JOIN pragma_index_list(s.name, 'main') i JOIN pragma_index_xinfo(i.name, 'main') x
WHERE s.type = 'table' AND s.rootpage <> 0 AND x.key = 1 ORDER BY s.rowid, i.seq DESC, x.seqno`
)

func readCatalog(ctx context.Context, tx *sql.Tx) (*catalog, error) {
	c := &catalog{
		kinds:       map[string]tableKind{},
		columns:     map[string][]columnRow{},
		foreignKeys: map[string][]foreignKeyRow{},
		indexes:     map[string][]indexRow{},
	}
	for _, read := range []struct {
		what, query string
		row         func(scan func(...any) error) error
	}{
		{"objects", objectQuery, c.readObject},
		{"kinds of tables", kindQuery, c.readKind},
		{"columns", columnQuery, c.readColumn},
		{"foreign keys", foreignKeyQuery, c.readForeignKey},
		{"indexes", indexQuery, c.readIndexKey},
	} {
		if err := each(ctx, tx, read.query, read.row); err != nil {
			return nil, fmt.Errorf("read %s of the schema: %w", read.what, err)
		}
	}
	return c, nil
}
