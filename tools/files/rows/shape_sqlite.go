package rows

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/berth-dev/berth/tools/files/disk"
)

// readSQLite reads the table's columns, its unique indexes, and whether the
// index of [Statements] is there to narrow a search.
func (sh *shape) readSQLite(ctx context.Context, db querier) (unique [][]string, err error) {
	if sh.version, err = schemaVersion(ctx, db); err != nil {
		return nil, err
	}
	var kind string
	err = db.QueryRowContext(ctx, "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = $1", sh.opts.Table).Scan(&kind)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, sh.missing()
	case err != nil:
		return nil, err
	case kind != "table":
		return nil, refuse(disk.Unavailable, "%s of connection %s is a %s; files are the rows of a table", sh.opts.Table, sh.opts.Connection, kind)
	}
	err = each(ctx, db, "SELECT name, lower(type) FROM pragma_table_info($1)", []any{sh.opts.Table}, func(scan func(...any) error) error {
		var name, kind string
		err := scan(&name, &kind)
		sh.columns[name] = kind
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(ctx, db, `SELECT group_concat(coalesce(i.name, ''), char(10)) FROM pragma_index_list($1) l JOIN pragma_index_info(l.name) i
WHERE l."unique" AND NOT l.partial GROUP BY l.name`, []any{sh.opts.Table}, func(scan func(...any) error) error {
		var names string
		err := scan(&names)
		unique = append(unique, strings.Split(names, "\n"))
		return err
	})
	if err != nil {
		return nil, err
	}
	return unique, sh.readIndex(ctx, db)
}

// schemaVersion returns a number that is another one after every change of the
// schema.
func schemaVersion(ctx context.Context, db querier) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&version)
	return version, err
}

// unchanged returns the shape as it is now, for what trusts the index: in SQLite
// any client may take away the triggers that keep it. PostgreSQL keeps its own.
func (s *Store) unchanged(ctx context.Context, db *sql.DB, sh *shape) (*shape, error) {
	if sh.dialect != dialectSQLite || !sh.trigrams {
		return sh, nil
	}
	version, err := schemaVersion(ctx, db)
	if err != nil || version == sh.version {
		return sh, err
	}
	s.forget()
	return s.known(ctx, db, Description{Dialect: sh.dialect, ReadOnly: sh.readOnly})
}

// readIndex looks for the index and its triggers, statement by statement: one
// that is not as [Statements] has it may not know every row.
func (sh *shape) readIndex(ctx context.Context, db querier) error {
	var keys int
	var kind string
	err := db.QueryRowContext(ctx, "SELECT count(*), coalesce(max(upper(type)), '') FROM pragma_table_info($1) WHERE pk > 0", sh.opts.Table).Scan(&keys, &kind)
	if err != nil {
		return err
	}
	// Without such a key VACUUM gives rows other numbers than the index has.
	sh.trigrams, sh.foldsASCII = keys == 1 && kind == "INTEGER", true
	for _, statement := range sh.indexSQLite() {
		if !strings.HasPrefix(statement, "CREATE ") {
			continue
		}
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE sql = $1", strings.Replace(statement, " IF NOT EXISTS", "", 1)).Scan(&n); err != nil {
			return err
		}
		sh.trigrams = sh.trigrams && n == 1
	}
	return nil
}

// trigramTable is the index of the content.
func (sh *shape) trigramTable() string { return quoted(sh.opts.Table + "_trigrams") }

// indexSQLite returns the statements that make the index. It has no content of
// its own; triggers keep it as the table is.
func (sh *shape) indexSQLite() []string {
	index, content := sh.trigramTable(), sh.column(sh.opts.Columns.Content)
	name := func(end string) string { return quoted(sh.opts.Table + "_trigrams_" + end) }
	remove := "INSERT INTO " + index + "(" + index + ", rowid, " + content + ") VALUES ('delete', old.rowid, old." + content + ");"
	add := "INSERT INTO " + index + "(rowid, " + content + ") VALUES (new.rowid, new." + content + ");"
	return []string{
		"CREATE VIRTUAL TABLE IF NOT EXISTS " + index + " USING fts5(" + content + ", content='" + strings.ReplaceAll(sh.opts.Table, "'", "''") +
			"', tokenize='trigram', detail=none, columnsize=0)",
		"CREATE TRIGGER IF NOT EXISTS " + name("insert") + " AFTER INSERT ON " + sh.table + " BEGIN " + add + " END",
		"CREATE TRIGGER IF NOT EXISTS " + name("delete") + " AFTER DELETE ON " + sh.table + " BEGIN " + remove + " END",
		"CREATE TRIGGER IF NOT EXISTS " + name("update") + " AFTER UPDATE ON " + sh.table + " BEGIN " + remove + " " + add + " END",
		"INSERT INTO " + index + "(" + index + ") VALUES ('rebuild')",
	}
}
