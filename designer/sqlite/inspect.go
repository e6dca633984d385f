package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Source is what Inspect reads from: a [*sql.DB] or a [*sql.Conn].
type Source interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Inspect reads the whole schema of the main database, in one read
// transaction. SQLite's own tables and the shadow tables of virtual tables
// are left out. Virtual tables are listed among the views: both are carried
// with their text and neither is edited.
//
// It writes nothing. An error names the table whose definition could not be
// read.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	tx, err := src.BeginTx(ctx, nil)
	if err != nil {
		return designer.Definition{}, fmt.Errorf("begin reading the schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	cat, err := readCatalog(ctx, tx)
	if err != nil {
		return designer.Definition{}, err
	}
	return cat.definition()
}

// catalog is what the queries brought, as SQLite says it, by table name.
type catalog struct {
	objects     []object
	kinds       map[string]tableKind
	columns     map[string][]columnRow
	foreignKeys map[string][]foreignKeyRow
	indexes     map[string][]indexRow
}

type object struct{ kind, name, table, sql string }

type tableKind struct {
	kind                 string // "table", "virtual", "shadow", "view"
	withoutRowID, strict bool
}

type columnRow struct {
	name, dataType string
	notNull        bool
	keyPos         int // position in the primary key, from 1; 0: not in it
	hidden         int // 2: generated virtual, 3: generated stored
}

type foreignKeyRow struct {
	id, seq            int
	table, from        string
	to                 sql.NullString // NULL: the primary key of the table
	onUpdate, onDelete string
}

type indexRow struct {
	name, origin string // origin: "c", "u" or "pk"
	unique       bool
	keys         []indexKeyRow
}

type indexKeyRow struct {
	column     sql.NullString // NULL: an expression, or the rowid
	descending bool
	collation  string
}

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

// querier is a transaction or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls row with every row of a result.
func each(ctx context.Context, q querier, query string, row func(scan func(...any) error) error, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
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

func (c *catalog) readObject(scan func(...any) error) error {
	var o object
	if err := scan(&o.kind, &o.name, &o.table, &o.sql); err != nil {
		return err
	}
	c.objects = append(c.objects, o)
	return nil
}

func (c *catalog) readKind(scan func(...any) error) error {
	var name string
	var k tableKind
	if err := scan(&name, &k.kind, &k.withoutRowID, &k.strict); err != nil {
		return err
	}
	c.kinds[name] = k
	return nil
}

func (c *catalog) readColumn(scan func(...any) error) error {
	var table string
	var r columnRow
	if err := scan(&table, &r.name, &r.dataType, &r.notNull, &r.keyPos, &r.hidden); err != nil {
		return err
	}
	c.columns[table] = append(c.columns[table], r)
	return nil
}

func (c *catalog) readForeignKey(scan func(...any) error) error {
	var table string
	var r foreignKeyRow
	if err := scan(&table, &r.id, &r.seq, &r.table, &r.from, &r.to, &r.onUpdate, &r.onDelete); err != nil {
		return err
	}
	c.foreignKeys[table] = append(c.foreignKeys[table], r)
	return nil
}

// readIndexKey gets the keys of one index one after another.
func (c *catalog) readIndexKey(scan func(...any) error) error {
	var table string
	var x indexRow
	var k indexKeyRow
	if err := scan(&table, &x.name, &x.unique, &x.origin, &k.column, &k.descending, &k.collation); err != nil {
		return err
	}
	list := c.indexes[table]
	if n := len(list); n == 0 || list[n-1].name != x.name {
		list = append(list, x)
	}
	last := &list[len(list)-1]
	last.keys = append(last.keys, k)
	c.indexes[table] = list
	return nil
}
