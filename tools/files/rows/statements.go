package rows

import (
	"strings"

	"github.com/berth-dev/berth/tools/files/disk"
)

// Statements returns those that make the table and the index that narrows
// searches, in order. The error says why the dialect keeps no files.
func Statements(dialect string, opts Options) ([]string, error) {
	s := New(nil, opts)
	sh := &shape{dialect: dialect, opts: s.opts, table: quotedTable(opts.Table)}
	c := s.opts.Columns
	updatedAt := c.UpdatedAt
	if updatedAt == "" {
		updatedAt = "updated_at"
	}
	path, content := quoted(c.Path), quoted(c.Content)
	project, key := "", path
	if opts.Project != "" {
		project, key = "  "+quoted(c.Project)+" text NOT NULL,\n", quoted(c.Project)+", "+path
	}
	switch dialect {
	case dialectPostgres:
		return []string{
			"CREATE EXTENSION IF NOT EXISTS pg_trgm",
			"CREATE TABLE IF NOT EXISTS " + sh.table + " (\n" + project + "  " + path + ` text COLLATE "C" NOT NULL,` + "\n  " + content +
				" text NOT NULL,\n  " + quoted(updatedAt) + " timestamptz NOT NULL DEFAULT now(),\n  PRIMARY KEY (" + key + ")\n)",
			"CREATE INDEX IF NOT EXISTS " + quoted(last(opts.Table)+"_trigrams") + " ON " + sh.table + " USING gin (" + content + " gin_trgm_ops)",
		}, nil
	case dialectSQLite:
		// The content is last: SQLite reads through it to what is behind.
		table := "CREATE TABLE IF NOT EXISTS " + sh.table + " (\n  \"id\" INTEGER PRIMARY KEY,\n" + project + "  " + path + " text NOT NULL,\n  " +
			quoted(updatedAt) + " timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,\n  " + content + " text NOT NULL,\n  UNIQUE (" + key + ")\n)"
		return append([]string{table}, sh.indexSQLite()...), nil
	}
	return nil, refuse(disk.Unavailable, "connection %s is %s; files are kept in PostgreSQL or SQLite", opts.Connection, dialect)
}

// last returns the name of a table without its schema.
func last(table string) string { return table[strings.LastIndexByte(table, '.')+1:] }
