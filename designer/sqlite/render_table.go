package sqlite

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// table is CREATE TABLE with everything that belongs to the table but its
// indexes and triggers. Unique constraints, checks and foreign keys stand
// behind the columns, each on its line.
func (r renderer) table(t *designer.Table) string {
	lines := make([]string, 0, len(t.Columns)+len(t.Indexes)+len(t.Checks)+len(t.ForeignKeys)+1)
	for i := range t.Columns {
		lines = append(lines, r.column(t, &t.Columns[i]))
	}
	if k := t.PrimaryKey; k != nil && !keyInline(t) {
		lines = append(lines, named(k.Name)+"PRIMARY KEY ("+keyColumns(t)+")"+onConflict(k.Options))
	}
	for _, x := range t.Indexes {
		if x.Constraint {
			lines = append(lines, named(x.Name)+"UNIQUE ("+indexKeys(t, x)+")"+onConflict(x.Options))
		}
	}
	for _, k := range t.Checks {
		lines = append(lines, renderCheck(k))
	}
	for _, k := range t.ForeignKeys {
		lines = append(lines, named(k.Name)+"FOREIGN KEY "+idents(mappedColumns(t, k))+" "+r.references(k))
	}
	return "CREATE TABLE " + ident(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)" + renderOptions(t)
}

func renderOptions(t *designer.Table) string {
	var words []string
	if t.Options[OptionStrict] != "" {
		words = append(words, "STRICT")
	}
	if t.Options[OptionWithoutRowID] != "" {
		words = append(words, "WITHOUT ROWID")
	}
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words, ", ")
}

// checkTable refuses what no statement of SQLite's can make.
func checkTable(t *designer.Table) error {
	refuse := func(message string) error {
		return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name}, Message: message}
	}
	if fold(t.Schema) != DefaultSchema {
		return refuse("SQLite has the schema main only: move the table there")
	}
	if len(t.Columns) == 0 {
		return refuse("it has no columns: add one, or drop the table")
	}
	for _, c := range t.Columns {
		switch {
		case c.IsIdentity && (c.IdentitySeed != 1 || c.IdentityIncrement != 1):
			return refuse(fmt.Sprintf("column %s: SQLite numbers from 1 in steps of 1: leave seed and increment out", c.Name))
		case len(c.Values) > 0:
			return refuse(fmt.Sprintf("column %s: SQLite has no enumerated types: use TEXT with a check", c.Name))
		}
	}
	for _, x := range t.Indexes {
		if !plainIndex(x) {
			return refuse(fmt.Sprintf("index %s: SQLite has neither included columns nor methods, operator classes, lengths or places for nulls: leave them out", x.Name))
		}
	}
	return nil
}

// plainIndex reports whether an index asks for nothing that only other databases
// have.
func plainIndex(x designer.Index) bool {
	for _, p := range x.Parts {
		if p.Nulls != "" || p.OpClass != "" || p.Length != 0 {
			return false
		}
	}
	return len(x.Include) == 0 && x.Method == ""
}
