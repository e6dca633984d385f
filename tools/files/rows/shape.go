package rows

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/tools/files/disk"
)

// The dialects that keep files.
const (
	dialectPostgres = "postgres"
	dialectSQLite   = "sqlite"
)

// shape is a table as it was found.
type shape struct {
	dialect   string
	opts      Options
	table     string            // quoted
	columns   map[string]string // types by name, in lower case
	types     map[string]string // as a cast names them, PostgreSQL
	generated map[string]bool   // columns that the database computes, PostgreSQL
	// unchangeable says why nothing is written; "": it may be.
	unchangeable string
	readOnly     bool // as the connection says
	version      int  // of the schema, SQLite
	trigrams     bool // an index narrows searches
	foldsASCII   bool // what it folds is at least A to Z
	spelledBare  bool // the rows' paths have no leading slash
}

// readShape reads the shape of the table and refuses one that cannot hold files.
func readShape(ctx context.Context, db querier, d Description, opts Options) (*shape, error) {
	sh := &shape{dialect: d.Dialect, opts: opts, table: quotedTable(opts.Table), columns: map[string]string{}, types: map[string]string{}, generated: map[string]bool{}}
	read := sh.readSQLite
	if d.Dialect == dialectPostgres {
		read = sh.readPostgres
	}
	unique, err := read(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := sh.check(unique); err != nil {
		return nil, err
	}
	if sh.readOnly = d.ReadOnly; sh.readOnly {
		sh.unchangeable = "connection " + opts.Connection + " is read-only (mode=ro)"
	}
	return sh, sh.readSpelling(ctx, db)
}

// check refuses columns that are missing or of the wrong type, and rows that
// are not unique. Unique has the columns of each unique index.
func (sh *shape) check(unique [][]string) error {
	c := &sh.opts.Columns
	want := []string{c.Path, c.Content}
	if sh.opts.Project != "" {
		want = append(want, c.Project)
	}
	switch _, there := sh.columns["updated_at"]; {
	case c.UpdatedAt != "":
		want = append(want, c.UpdatedAt)
	case there:
		c.UpdatedAt = "updated_at"
	}
	for _, name := range want {
		if _, ok := sh.columns[name]; !ok {
			return refuse(disk.Unavailable, "table %s of connection %s has no column %s; name its columns with files.store.columns", sh.opts.Table, sh.opts.Connection, name)
		}
	}
	if sh.dialect == dialectPostgres && !slices.Contains([]string{"text", "character varying", "bytea"}, sh.columns[c.Content]) {
		return refuse(disk.Unavailable, "column %s of table %s is %s; the content of files is text or bytea", c.Content, sh.opts.Table, sh.columns[c.Content])
	}
	for _, index := range unique {
		rest := slices.DeleteFunc(slices.Clone(index), func(name string) bool {
			return name == c.Path || name == c.Project && sh.opts.Project != ""
		})
		if len(rest) == 0 && slices.Contains(index, c.Path) {
			return nil
		}
	}
	key := c.Path
	if sh.opts.Project != "" {
		key = c.Project + ", " + c.Path
	}
	return refuse(disk.Unavailable, "table %s of connection %s is not served: nothing makes (%s) unique, so a path could be two files; add a unique index", sh.opts.Table, sh.opts.Connection, key)
}

// readSpelling finds out whether paths have a leading slash: those of new files
// will be like the others.
func (sh *shape) readSpelling(ctx context.Context, db querier) error {
	var path string
	where, args := sh.rows()
	err := db.QueryRowContext(ctx, "SELECT "+sh.column(sh.opts.Columns.Path)+" FROM "+sh.table+" WHERE "+where+" LIMIT 1", args...).Scan(&path)
	if err == sql.ErrNoRows {
		return nil
	}
	sh.spelledBare = err == nil && !strings.HasPrefix(path, "/")
	return err
}

// isBytes reports whether the content of new files is bytes, not text.
func (sh *shape) isBytes() bool {
	kind := sh.columns[sh.opts.Columns.Content]
	return kind == "bytea" || strings.Contains(kind, "blob")
}

func (sh *shape) missing() error {
	return refuse(disk.Unavailable, "connection %s has no table %s; berth files init shows the statements that make it", sh.opts.Connection, sh.opts.Table)
}

func (sh *shape) column(name string) string { return quoted(name) }

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quotedTable quotes a table's name, which may have its schema before it.
func quotedTable(name string) string {
	if schema, table, ok := strings.Cut(name, "."); ok {
		return quoted(schema) + "." + quoted(table)
	}
	return quoted(name)
}

// rows returns the condition for the rows that are files, and its arguments. A
// row without a path is none.
func (sh *shape) rows() (string, []any) {
	named := sh.column(sh.opts.Columns.Path) + " IS NOT NULL"
	if sh.opts.Project == "" {
		return named, nil
	}
	value := "$1"
	if sh.dialect == dialectPostgres {
		value = "CAST($1::text AS " + sh.types[sh.opts.Columns.Project] + ")"
	}
	return named + " AND " + sh.column(sh.opts.Columns.Project) + " = " + value, []any{sh.opts.Project}
}

// rowsOf returns the condition for the rows of some paths, in either spelling.
func (sh *shape) rowsOf(paths ...string) (string, []any) {
	return sh.rowsSpelled(append(slashed(paths), paths...))
}

// rowsSpelled returns the condition for the rows whose path is spelled so. Its
// text is the same for any number of paths beyond two, so that a driver that
// keeps statements prepared keeps few.
func (sh *shape) rowsSpelled(list []string) (string, []any) {
	where, args := sh.rows()
	n := len(args)
	path := sh.column(sh.opts.Columns.Path)
	switch {
	case len(list) == 2:
		return fmt.Sprintf("%s AND %s IN ($%d, $%d)", where, path, n+1, n+2), append(args, list[0], list[1])
	case sh.dialect == dialectPostgres:
		return fmt.Sprintf("%s AND %s = ANY($%d::text[])", where, path, n+1), append(args, list)
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		panic("encode paths: " + err.Error()) // cannot happen with strings
	}
	return fmt.Sprintf("%s AND %s IN (SELECT value FROM json_each($%d))", where, path, n+1), append(args, string(encoded))
}

// rowsBelow returns the condition for the rows whose path begins so.
func (sh *shape) rowsBelow(prefix string) (string, []any) {
	where, args := sh.rows()
	if prefix == "" {
		return where, args
	}
	path := sh.column(sh.opts.Columns.Path)
	n := len(args)
	if sh.dialect == dialectPostgres {
		path = "(" + path + `::text COLLATE "C")` // other collations may refuse LIKE, or ignore case
		args = append(args, likeEscaped(prefix)+"%", "/"+likeEscaped(prefix)+"%")
		return fmt.Sprintf("%s AND (%s LIKE $%d OR %s LIKE $%d)", where, path, n+1, path, n+2), args
	}
	args = append(args, prefix, "/"+prefix)
	return fmt.Sprintf("%s AND (substr(%s, 1, length($%d)) = $%d OR substr(%s, 1, length($%d)) = $%d)", where, path, n+1, n+1, path, n+2, n+2), args
}

// likeEscaped returns the pattern of LIKE that matches the text itself.
func likeEscaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// size returns the expression for the number of bytes of a file, for which no
// database reads the content.
func (sh *shape) size() string {
	return "coalesce(octet_length(" + sh.column(sh.opts.Columns.Content) + "), 0)"
}

// updatedAt returns the expression for the time of a file.
func (sh *shape) updatedAt() string {
	if sh.opts.Columns.UpdatedAt == "" {
		return "NULL"
	}
	return sh.column(sh.opts.Columns.UpdatedAt)
}
