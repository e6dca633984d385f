package mssql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Source is what [Inspect] reads from: a [*sql.DB], a [*sql.Conn] or a
// [*sql.Tx].
type Source interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Inspect reads the whole schema of the current database, with at most twenty
// queries whatever the number of tables. SQL Server offers no consistent view
// of its catalogue: what others change meanwhile may be seen in part.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	c := newCatalog()
	for _, r := range c.readers() {
		if r.when != nil && !r.when() {
			continue
		}
		if err := each(ctx, src, r.query, r.row); err != nil {
			return designer.Definition{}, fmt.Errorf("read %s of the schema: %w", r.what, err)
		}
	}
	return c.definition()
}

// scan takes the columns of one row.
type scan func(...any) error

func each(ctx context.Context, src Source, query string, row func(scan) error) error {
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

// part names a column, an index or another part of an object.
type part struct{ object, id int }

// catalog is what the queries brought, as SQL Server says it.
type catalog struct {
	collation   string
	schemas     []string
	tables      []tableRow
	columns     map[int][]columnRow
	identities  map[part]identityRow
	masks       map[part]string
	indexes     map[int][]indexRow
	indexKeys   map[part][]indexKeyRow
	xmlIndexes  map[part]xmlIndexRow
	foreignKeys map[int][]foreignKeyRow
	mappings    map[int][]designer.NameMapping
	checks      map[int][]checkRow
	comments    map[part]string
	modules     []moduleRow
	sequences   []sequenceRow
	types       []typeRow
	synonyms    []designer.Object
	masked      bool // a column is
}

func newCatalog() *catalog {
	return &catalog{
		columns: map[int][]columnRow{}, identities: map[part]identityRow{}, masks: map[part]string{}, indexes: map[int][]indexRow{},
		indexKeys: map[part][]indexKeyRow{}, xmlIndexes: map[part]xmlIndexRow{}, foreignKeys: map[int][]foreignKeyRow{},
		mappings: map[int][]designer.NameMapping{}, checks: map[int][]checkRow{}, comments: map[part]string{},
	}
}

// reader is one query and what takes its rows. when, where set, says after
// the queries before it whether it is asked.
type reader struct {
	what, query string
	row         func(scan) error
	when        func() bool
}

func (c *catalog) readers() []reader {
	return []reader{
		{what: "collation", query: collationQuery, row: func(s scan) error { return s(&c.collation) }},
		{what: "schemas", query: schemaQuery, row: func(s scan) error { return appendRow(&c.schemas, s) }},
		{what: "tables", query: tableQuery, row: c.readTable},
		{what: "columns", query: columnQuery, row: c.readColumn},
		{what: "identities", query: identityQuery, row: c.readIdentity},
		{what: "masks", query: maskQuery, row: c.readMask, when: func() bool { return c.masked }},
		{what: "indexes", query: indexQuery, row: c.readIndex},
		{what: "columns of indexes", query: indexColumnQuery, row: c.readIndexKey},
		{what: "XML indexes", query: xmlIndexQuery, row: c.readXMLIndex},
		{what: "foreign keys", query: foreignKeyQuery, row: c.readForeignKey},
		{what: "columns of foreign keys", query: foreignKeyColumnQuery, row: c.readMapping},
		{what: "checks", query: checkQuery, row: c.readCheck},
		{what: "comments", query: commentQuery, row: c.readComment},
		{what: "views and routines", query: moduleQuery, row: c.readModule},
		{what: "triggers of the database", query: databaseTriggerQuery, row: c.readDatabaseTrigger},
		{what: "sequences", query: sequenceQuery, row: c.readSequence},
		{what: "types", query: typeQuery, row: c.readType},
		{what: "synonyms", query: synonymQuery, row: c.readSynonym},
	}
}

func appendRow[T any](list *[]T, s scan) error {
	var v T
	if err := s(&v); err != nil {
		return err
	}
	*list = append(*list, v)
	return nil
}
