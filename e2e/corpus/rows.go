package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// column is a column as get_table shows it in full.
type column struct {
	Name       string
	DataType   string
	MaxLength  any // digits in text, or MAX
	IsNullable bool
	IsIdentity bool
	IsComputed bool
	Values     []string
}

// ownType is a type of the database's own as get_table shows it.
type ownType struct {
	Name       string
	Values     []string
	Definition string
}

// watched is a table whose rows the edits must keep, by the names it has now.
type watched struct {
	tableName
	columns map[string]string // as they were read → as they are called now
	before  rowSet
}

// rowSet is the rows of a table: how many, and a digest of the columns that
// are watched, whatever their order.
type rowSet struct {
	count  int
	digest string
}

// watch puts a few rows into tables that have none and remembers the rows of
// all. Tables that take none are left out.
func (t *trial) watch(ctx context.Context, db *sql.DB) ([]*watched, error) {
	details := map[tableName]reply{}
	for _, name := range t.tables {
		r, err := t.project.call(ctx, "get_table", "", object{"table": object{"schema": name.schema, "name": name.name}}, object{"includeColumns": "full"})
		if err != nil {
			return nil, err
		}
		details[name] = r
	}
	t.insert(ctx, db, details)
	var all []*watched
	for _, name := range t.tables {
		w := &watched{tableName: name, columns: map[string]string{}}
		for _, c := range details[name].Table.Columns {
			w.columns[c.Name] = c.Name
		}
		rows, err := t.readRows(ctx, db, w)
		if err != nil || rows.count == 0 {
			continue
		}
		w.before = rows
		all = append(all, w)
	}
	return all, nil
}

// rowsEach is how many rows an empty table gets.
const rowsEach = 3

// insert fills empty tables. Row i has the value i in each of its columns,
// whatever the type, so that foreign keys find it; a table that refuses it is
// tried again once others have rows.
func (t *trial) insert(ctx context.Context, db *sql.DB, details map[tableName]reply) {
	empty := slices.Clone(t.tables)
	empty = slices.DeleteFunc(empty, func(n tableName) bool {
		var one int
		return db.QueryRowContext(ctx, "SELECT 1 FROM "+t.quoted(n)+" LIMIT 1").Scan(&one) == nil
	})
	for progress := true; progress && len(empty) > 0 && ctx.Err() == nil; {
		before := len(empty)
		empty = slices.DeleteFunc(empty, func(n tableName) bool {
			made := false
			for i := 1; i <= rowsEach; i++ {
				made = t.insertRow(ctx, db, n, details[n], i) || made
			}
			return made
		})
		progress = len(empty) < before
	}
}

// insertRow tries a row with all columns, then one with only those that need
// a value.
func (t *trial) insertRow(ctx context.Context, db *sql.DB, n tableName, r reply, i int) bool {
	for _, all := range []bool{true, false} {
		var names, values []string
		for _, c := range r.Table.Columns {
			if c.IsComputed || !all && c.IsNullable {
				continue
			}
			v, ok := valueOf(t.dialect, c, r.Table.Types, i)
			if !ok {
				continue
			}
			names, values = append(names, t.quote(c.Name)), append(values, v)
		}
		if len(names) == 0 {
			return false
		}
		overriding := ""
		if t.dialect == "postgres" {
			overriding = " OVERRIDING SYSTEM VALUE"
		}
		statement := fmt.Sprintf("INSERT INTO %s (%s)%s VALUES (%s)", t.quoted(n), strings.Join(names, ", "), overriding, strings.Join(values, ", "))
		if _, err := db.ExecContext(ctx, statement); err == nil {
			return true
		}
	}
	return false
}

// readRows reads the rows of a table as it is now.
func (t *trial) readRows(ctx context.Context, db *sql.DB, w *watched) (rowSet, error) {
	was := slices.Sorted(maps.Keys(w.columns))
	names := make([]string, len(was))
	for i, name := range was {
		names[i] = t.quote(w.columns[name])
	}
	if len(names) == 0 {
		names = []string{"1"}
	}
	rows, err := db.QueryContext(ctx, "SELECT "+strings.Join(names, ", ")+" FROM "+t.quoted(w.tableName))
	if err != nil {
		return rowSet{}, err
	}
	defer func() { _ = rows.Close() }()
	var lines []string
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return rowSet{}, err
		}
		for i, v := range values {
			if text, ok := v.([]byte); ok {
				values[i] = string(text)
			}
		}
		lines = append(lines, fmt.Sprintf("%q", values))
	}
	slices.Sort(lines)
	return rowSet{len(lines), fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))}, rows.Err()
}

func (t *trial) quoted(n tableName) string {
	if t.dialect == "sqlite" || n.schema == "" {
		return t.quote(n.name)
	}
	return t.quote(n.schema) + "." + t.quote(n.name)
}

func (t *trial) quote(name string) string {
	if t.dialect == "mysql" {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
