package dbml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// table writes one table. A table without columns, a draft, is not valid in
// DBML.
func (r *renderer) table(t designer.TableDefinition) {
	if len(t.Columns) == 0 {
		r.line("\n// Table %s has no columns yet", r.qualified(t.Schema, t.Name))
		return
	}
	r.line("\nTable %s {", r.qualified(t.Schema, t.Name))
	for _, c := range t.Columns {
		r.column(t, c)
	}
	r.checks(t)
	r.indexes(t)
	if t.Comment != "" {
		r.line("\n  Note: %s", block(t.Comment))
	}
	r.line("}")
}

func (r *renderer) column(t designer.TableDefinition, c designer.Column) {
	var settings []string
	if keyColumn(t) == c.Name {
		settings = append(settings, "pk")
	}
	if c.IsIdentity {
		settings = append(settings, "increment")
	}
	if !c.IsNullable && !inKey(t, c.Name) {
		settings = append(settings, "not null")
	}
	if slices.ContainsFunc(t.Indexes, func(x designer.IndexDefinition) bool { return columnUnique(x, c.Name) }) {
		settings = append(settings, "unique")
	}
	def, lost := r.defaultSetting(c)
	if def != "" {
		settings = append(settings, def)
	}
	if c.Comment != "" {
		settings = append(settings, "note: "+literal(c.Comment))
	}
	r.line("  %s %s%s%s", identifier(c.Name), r.columnType(t, c), inBrackets(settings), comment(append(lost, columnNotes(c)...)))
}

// keyColumn is the column that is the primary key alone and under no name of
// its own; others are in the indexes block.
func keyColumn(t designer.TableDefinition) string {
	if t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 {
		return t.PrimaryKey.Columns[0]
	}
	return ""
}

func inKey(t designer.TableDefinition, column string) bool {
	return t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, column)
}

// columnUnique reports whether x is an unnamed unique constraint on the column
// alone, which DBML says in the column's settings.
func columnUnique(x designer.IndexDefinition, column string) bool {
	return x.Constraint && x.Name == "" && len(x.Parts) == 1 && x.Parts[0].Column == column && len(partNotes(x)) == 0
}

// defaultSetting writes a default: a number, a string, true, false or an
// expression. lost says it where DBML cannot.
func (r *renderer) defaultSetting(c designer.Column) (setting string, lost []string) {
	sql := strings.TrimSpace(c.DefaultValue)
	switch {
	case sql == "":
		return "", nil
	case plainNumber().MatchString(sql), sql == "true", sql == "false":
		return "default: " + sql, nil
	}
	if s, ok := r.plainString(sql); ok {
		return "default: " + literal(s), nil
	}
	if s, ok := backticks(unquoted(sql)); ok {
		return "default: " + s, nil
	}
	return "", []string{"default: " + sql}
}

// plainString reads an SQL string that means the same without escapes.
func (r *renderer) plainString(sql string) (string, bool) {
	if len(sql) < 2 || sql[0] != '\'' || sql[len(sql)-1] != '\'' {
		return "", false
	}
	s := strings.ReplaceAll(sql[1:len(sql)-1], "''", "'")
	return s, r.d.StringLiteral(s) == sql && !strings.Contains(s, `\`)
}

// columnNotes lists what DBML cannot express.
func columnNotes(c designer.Column) []string {
	var notes []string
	if c.IsComputed {
		stored := ""
		if c.ComputedPersisted {
			stored = ", stored"
		}
		notes = append(notes, "computed: "+c.ComputedFormula+stored)
	}
	if c.IsIdentity && (c.IdentitySeed != 1 || c.IdentityIncrement != 1) {
		notes = append(notes, fmt.Sprintf("counts from %d by %d", c.IdentitySeed, c.IdentityIncrement))
	}
	if c.Collation != "" {
		notes = append(notes, "collation: "+c.Collation)
	}
	return notes
}

func (r *renderer) checks(t designer.TableDefinition) {
	if len(t.Checks) == 0 {
		return
	}
	r.line("\n  checks {")
	for _, k := range t.Checks {
		var settings []string
		if k.Name != "" {
			settings = append(settings, "name: "+literal(k.Name))
		}
		if s, ok := backticks(unquoted(strings.TrimSpace(k.Expression))); ok {
			r.line("    %s%s", s, inBrackets(settings))
		} else {
			r.line("   %s", comment([]string{"no equivalent in DBML: " + k.Name + " " + k.Expression}))
		}
	}
	r.line("  }")
}

// indexes writes the keys and indexes that are not said in the columns.
func (r *renderer) indexes(t designer.TableDefinition) {
	var lines []string
	if k := t.PrimaryKey; k != nil && len(k.Columns) > 1 {
		settings := []string{"pk"}
		if k.Name != "" {
			settings = append(settings, "name: "+literal(k.Name))
		}
		names := make([]string, len(k.Columns))
		for i, c := range k.Columns {
			names[i] = identifier(c)
		}
		lines = append(lines, "("+strings.Join(names, ", ")+")"+inBrackets(settings))
	}
	for _, x := range t.Indexes {
		if len(x.Parts) == 1 && columnUnique(x, x.Parts[0].Column) {
			continue
		}
		lines = append(lines, r.index(x))
	}
	if len(lines) == 0 {
		return
	}
	r.line("\n  indexes {")
	for _, line := range lines {
		r.line("    %s", line)
	}
	r.line("  }")
}

func (r *renderer) index(x designer.IndexDefinition) string {
	parts := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		parts[i] = identifier(p.Column)
		if p.Column == "" {
			s, ok := backticks(unquoted(strings.TrimSpace(p.Expression)))
			if !ok {
				return strings.TrimSpace(comment([]string{"no equivalent in DBML: " + x.Name + " on " + p.Expression}))
			}
			parts[i] = s
		}
	}
	text := strings.Join(parts, ", ")
	if len(parts) > 1 || x.Parts[0].Column == "" {
		text = "(" + text + ")"
	}
	var settings []string
	if x.Unique {
		settings = append(settings, "unique")
	}
	if x.Name != "" {
		settings = append(settings, "name: "+literal(x.Name))
	}
	if x.Method != "" {
		settings = append(settings, "type: "+identifier(x.Method))
	}
	return text + inBrackets(settings) + comment(partNotes(x))
}

// partNotes lists what DBML cannot express.
func partNotes(x designer.IndexDefinition) []string {
	var notes []string
	for _, p := range x.Parts {
		of := p.Column
		if of == "" {
			of = p.Expression
		}
		if p.Descending {
			notes = append(notes, of+" descending")
		}
		if p.Nulls != "" {
			notes = append(notes, of+" nulls "+p.Nulls)
		}
		if p.Collation != "" {
			notes = append(notes, of+" collation "+p.Collation)
		}
		if p.OpClass != "" {
			notes = append(notes, of+" "+p.OpClass)
		}
		if p.Length > 0 {
			notes = append(notes, fmt.Sprintf("%s first %d", of, p.Length))
		}
	}
	if x.Where != "" {
		notes = append(notes, "where "+x.Where)
	}
	if len(x.Include) > 0 {
		notes = append(notes, "include "+strings.Join(x.Include, ", "))
	}
	return notes
}
