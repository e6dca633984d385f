package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Source is what Inspect reads from: a [*sql.DB] or a [*sql.Conn] of the
// driver pgx.
type Source interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Inspect reads the whole schema of the connection's database, in one
// read-only transaction. What belongs to the server or to an extension is
// left out; partitions are carried as objects, foreign tables among the views.
// Passwords are not read: of what may hold one there is the name.
//
// It writes nothing.
func Inspect(ctx context.Context, src Source) (designer.Definition, error) {
	return attempts(func() (designer.Definition, error) { return inspectOnce(ctx, src) })
}

// attempts reads again if something went while it was read.
func attempts(read func() (designer.Definition, error)) (designer.Definition, error) {
	const most = 3
	for n := 1; ; n++ {
		def, err := read()
		if err == nil || n == most || !changedMeanwhile(err) {
			return def, err
		}
	}
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// changedMeanwhile reports whether an error comes of something that went while
// it was read: the server's own functions see each change at once, also in
// the middle of a transaction.
func changedMeanwhile(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "XX000", "42P01", "42703", "42704", "42883": // internal error; undefined table, column, object, function
		return true
	}
	return false
}

func inspectOnce(ctx context.Context, src Source) (def designer.Definition, err error) {
	err = inTransaction(ctx, src, func(tx *sql.Tx) error {
		c, err := readCatalog(ctx, tx)
		if err == nil {
			def = c.definition()
		}
		return err
	})
	return def, err
}

// inTransaction reads in one transaction that only reads.
func inTransaction(ctx context.Context, src Source, read func(*sql.Tx) error) error {
	tx, err := src.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin reading the schema: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return read(tx)
}

// version is a server's version number: 150020 is 15.20.
type version int

// oldest is the first version that is served.
const oldest = 12

// since chooses between what a major version brought and what stands for it
// before.
func (v version) since(major int, then, before string) string {
	if int(v) >= major*10000 {
		return then
	}
	return before
}

// readSettings makes the settings and returns the server's version.
func readSettings(ctx context.Context, tx *sql.Tx) (version, error) {
	v, _, err := readSession(ctx, tx)
	return v, err
}

// readSession does so and also returns the schema that names without one meant
// before: the first that exists of the search_path, wherever that is set. It is
// "" where there is none.
func readSession(ctx context.Context, tx *sql.Tx) (v version, defaultSchema string, err error) {
	var ignored [11]string
	row := []any{&defaultSchema, &v}
	for i := range ignored {
		row = append(row, &ignored[i])
	}
	if err := tx.QueryRowContext(ctx, settingsQuery).Scan(row...); err != nil {
		return 0, "", fmt.Errorf("prepare reading the schema: %w", err)
	}
	if v < oldest*10000 {
		return 0, "", fmt.Errorf("read the schema: the server's version is %d, and the oldest served is %d", v/10000, oldest)
	}
	return v, defaultSchema, nil
}

// scanner reads the columns of one row.
type scanner func(...any) error

func each(ctx context.Context, tx *sql.Tx, query string, row func(scanner) error) error {
	rows, err := tx.QueryContext(ctx, query)
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

// InspectOne reads one table or view and what its text needs beside it: its
// types and sequences, and the columns of the tables that it refers to and
// inherits from, without their keys and indexes. It does not read what only
// uses the table: triggers, policies, rights. A name that is not there makes a
// definition without tables and views.
//
// It writes nothing.
func InspectOne(ctx context.Context, src Source, schema, name string) (designer.Definition, error) {
	return attempts(func() (def designer.Definition, err error) {
		err = inTransaction(ctx, src, func(tx *sql.Tx) error {
			c, err := readOne(ctx, tx, schema, name)
			if err == nil {
				def = c.definition()
			}
			return err
		})
		return def, err
	})
}

// readOne runs the queries of [InspectOne].
func readOne(ctx context.Context, tx *sql.Tx, schema, name string) (*catalog, error) {
	v, err := readSettings(ctx, tx)
	if err != nil {
		return nil, err
	}
	c := newCatalog()
	var id oid
	err = tx.QueryRowContext(ctx, `SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`, schema, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find a table of the schema: %w", err)
	}
	if err := c.readTables(ctx, tx, v, []oid{id}, engine.Keys); err != nil {
		return nil, err
	}
	it := scopeOf([]oid{id})
	var more []catalogQuery // which the server plans for longer than it reads all of a plain table
	if r := c.byOID[id]; r == nil || r.kind != "r" && r.kind != "p" {
		more = append(more, catalogQuery{"a view", viewQuery(v, it), c.readView})
	}
	var made bool
	if err := tx.QueryRowContext(ctx, usesMade(it)).Scan(&made); err != nil {
		return nil, fmt.Errorf("read what types a table of the schema has: %w", err)
	}
	if made {
		more = append(more, catalogQuery{"types", usedBy(v, it), c.readObject})
	}
	err = readEach(ctx, tx, more...)
	if err == nil && len(c.objects) > 1 { // which may be in an order
		err = readEach(ctx, tx, catalogQuery{"dependencies", useQuery, c.readUse})
	}
	return c, err
}

// readTables reads some relations with all that a table has of its own, as
// deep as asked, and the columns of the tables that those refer to and inherit
// from.
func (c *catalog) readTables(ctx context.Context, tx *sql.Tx, v version, ids []oid, depth engine.Depth) error {
	these := scopeOf(ids)
	first := []catalogQuery{{"relations", relationQuery(these), c.readRelation}}
	if depth == engine.Keys {
		first = append(first,
			catalogQuery{"constraints", constraintQuery(v, these), c.readConstraint},
			catalogQuery{"indexes", indexQuery(v, these), c.readIndexKey})
	}
	if err := readEach(ctx, tx, first...); err != nil {
		return err
	}
	var second []catalogQuery
	around := c.around(ids)
	if len(around) > 0 {
		second = append(second, catalogQuery{"related relations", relationQuery(scopeOf(around)), c.readRelation})
	}
	all := scopeOf(slices.Concat(around, ids))
	second = append(second,
		catalogQuery{"types of columns", typeQuery(all), c.readType},
		catalogQuery{"columns", columnQuery(v, all), c.readColumn})
	if depth == engine.Keys {
		second = append(second,
			catalogQuery{"comments", commentQuery(scopeOf(c.commented(ids))), c.readComment},
			catalogQuery{"sequences", sequenceQuery(sequencesOf(these)), c.readSequence})
	}
	err := readEach(ctx, tx, second...)
	c.sortColumns()
	return err
}

// around lists the other tables that the text of some, sorted, names.
func (c *catalog) around(ids []oid) (others []oid) {
	for _, id := range ids {
		if r := c.byOID[id]; r != nil {
			others = append(others, r.parents...)
		}
		for _, k := range c.constraints[id] {
			others = append(others, k.target)
		}
	}
	slices.Sort(others)
	return slices.DeleteFunc(slices.Compact(others), func(id oid) bool {
		_, known := slices.BinarySearch(ids, id)
		return known || id == 0
	})
}

// commented lists what of some tables has comments.
func (c *catalog) commented(tables []oid) []oid {
	ids := slices.Clone(tables)
	for _, id := range tables {
		for _, k := range c.constraints[id] {
			ids = append(ids, k.oid)
		}
		for _, x := range c.indexes[id] {
			ids = append(ids, x.oid)
		}
	}
	return ids
}

// Find implements [engine.Finder].
func (Engine) Find(ctx context.Context, db *sql.DB, depth engine.Depth, wanted func(engine.Named) bool) (designer.Definition, error) {
	return attempts(func() (def designer.Definition, err error) {
		err = inTransaction(ctx, db, func(tx *sql.Tx) error {
			def, err = readWanted(ctx, tx, depth, wanted)
			return err
		})
		return def, err
	})
}

// readWanted runs the queries of [Engine.Find].
func readWanted(ctx context.Context, tx *sql.Tx, depth engine.Depth, wanted func(engine.Named) bool) (designer.Definition, error) {
	v, err := readSettings(ctx, tx)
	if err != nil {
		return designer.Definition{}, err
	}
	var ids []oid // of tables
	var found []engine.Named
	read := newCatalog()
	err = readEach(ctx, tx, catalogQuery{"names", nameQuery(), func(scan scanner) error {
		var id oid
		var n engine.Named
		err := scan(&id, &n.Schema, &n.Name, &n.View, read.arrays.SQLScanner(&n.Columns))
		if err == nil && wanted(n) {
			found = append(found, n)
			if !n.View {
				ids = append(ids, id)
			}
		}
		return err
	}})
	def := engine.NamesOf(found)
	if err != nil || depth == engine.Names || len(ids) == 0 {
		return def, err
	}
	slices.Sort(ids)
	if err := read.readTables(ctx, tx, v, ids, depth); err != nil {
		return designer.Definition{}, err
	}
	of := map[place]bool{}
	for _, id := range ids {
		if r := read.byOID[id]; r != nil {
			of[place{schema: r.schema, name: r.name}] = true
		}
	}
	def.Tables = slices.DeleteFunc(read.definition().Tables, func(t designer.TableDefinition) bool { return !of[place{schema: t.Schema, name: t.Name}] })
	return def, nil
}

// usedBy reads, as objectQuery does, the types and collations that columns of
// tables have, and the extensions that bring some.
func usedBy(v version, in scope) string {
	const types = `SELECT o FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid CROSS JOIN LATERAL unnest(ARRAY[t.oid, t.typelem]) o WHERE a.attnum > 0 AND a.attrelid `
	kinds := []string{extensionQuery, collationQuery(v), enumQuery(), domainQuery(), compositeQuery(), rangeQuery(v)}
	return `SELECT x.* FROM (` + strings.Join(kinds, "\nUNION ALL\n") + `) x(kind, catalogue, id)
WHERE catalogue = 'pg_type' AND id = ANY (ARRAY(` + types + string(in) + `))
OR catalogue = 'pg_collation' AND id = ANY (ARRAY(SELECT a.attcollation FROM pg_attribute a WHERE a.attrelid ` + string(in) + `))
OR catalogue = 'pg_extension' AND id = ANY (ARRAY(SELECT d.refobjid FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.deptype = 'e' AND d.objid IN (` + types + string(in) + `)))`
}

// usesMade asks whether columns have types or collations that did not come with
// the server; else [usedBy] has no rows.
func usesMade(in scope) string {
	return `SELECT EXISTS (SELECT FROM pg_attribute WHERE attnum > 0 AND (atttypid >= 16384 OR attcollation >= 16384) AND attrelid ` + string(in) + `)`
}

// sequencesOf is the scope of the sequences that columns of tables own or have
// in their defaults.
func sequencesOf(in scope) scope {
	return `= ANY (ARRAY(SELECT s.seqrelid FROM pg_depend d JOIN pg_sequence s ON s.seqrelid = d.objid
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid ` + in + `
UNION SELECT s.seqrelid FROM pg_attrdef f JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass
JOIN pg_sequence s ON s.seqrelid = d.refobjid WHERE f.adrelid ` + in + `))`
}
