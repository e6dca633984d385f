package prisma

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// keyName is the name that Prisma gives a key or an index.
func (w *writer) keyName(m *written, columns []string, suffix string) string {
	return strings.Join(append(append([]string{m.table.Name}, columns...), suffix), "_")
}

// mapped returns the argument that names a key in the database, unless it has
// the name that Prisma would give it, or none.
func (w *writer) mapped(name, usual string) string {
	if name == "" || name == usual {
		return ""
	}
	return "(map: " + quote(name) + ")"
}

// primaryName is mapped for a primary key, which has no name of its own on
// SQLite and MySQL.
func (w *writer) primaryName(m *written) string {
	if w.d.Name == "sqlite" || w.d.Name == "mysql" {
		return ""
	}
	return w.mapped(m.table.PrimaryKey.Name, w.keyName(m, nil, "pkey"))
}

// uniqueOf returns @unique of a column that is unique by itself.
func (w *writer) uniqueOf(m *written, c designer.Column) string {
	for _, x := range m.table.Indexes {
		if w.plain(x) && x.Unique && len(x.Parts) == 1 && x.Parts[0].Column == c.Name && !x.Parts[0].Descending && x.Parts[0].Length == 0 {
			return "@unique" + w.mapped(x.Name, w.keyName(m, []string{c.Name}, "key"))
		}
	}
	return ""
}

// methods are Prisma's words for the methods of indexes, by dialect.
var methods = map[string]map[string]string{
	"postgres": {"hash": "Hash", "gin": "Gin", "gist": "Gist", "spgist": "SpGist", "brin": "Brin"},
	"mysql":    {"fulltext": "FullText"},
}

// plain reports whether Prisma has a way to write an index.
func (w *writer) plain(x designer.IndexDefinition) bool {
	has := map[string]bool{}
	for _, p := range x.Parts {
		if p.Column == "" || has[p.Column] {
			return false
		}
		has[p.Column] = true
	}
	return x.Where == "" && len(x.Include) == 0 && (x.Method == "" || !x.Unique && methods[w.d.Name][x.Method] != "")
}

// keys writes the lines of a model that begin with @@.
func (w *writer) keys(m *written) {
	var lines []string
	if k := m.table.PrimaryKey; k != nil && len(k.Columns) > 1 {
		lines = append(lines, "@@id(["+w.fieldList(m, k.Columns)+"]"+inList(w.primaryName(m))+")")
	}
	for _, x := range m.table.Indexes {
		if w.plain(x) && w.isLine(m, x) {
			if line := w.indexLine(m, x); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if m.name != m.table.Name {
		lines = append(lines, "@@map("+quote(m.table.Name)+")")
	}
	if w.schemas() != nil {
		lines = append(lines, "@@schema("+quote(m.table.Schema)+")")
	}
	if !w.identified(m) {
		lines = append(lines, "// Prisma's client needs a unique key of columns that are not null.", "@@ignore")
		w.note("table %s has no unique key, which Prisma's client needs: the model is ignored by it", m.table.Name)
	}
	if len(lines) > 0 {
		m.text.WriteString("\n  " + strings.Join(lines, "\n  ") + "\n")
	}
}

// inList makes "(map: x)" an argument behind others.
func inList(mapped string) string {
	if mapped == "" {
		return ""
	}
	return ", " + mapped[1:len(mapped)-1]
}

// isLine reports whether an index is no @unique of a field.
func (w *writer) isLine(m *written, x designer.IndexDefinition) bool {
	if !x.Unique || len(x.Parts) != 1 || x.Parts[0].Descending || x.Parts[0].Length != 0 {
		return true
	}
	first := slices.IndexFunc(m.table.Indexes, func(y designer.IndexDefinition) bool {
		return w.plain(y) && y.Unique && len(y.Parts) == 1 && y.Parts[0] == x.Parts[0]
	})
	return first >= 0 && m.table.Indexes[first].Name != x.Name
}

func (w *writer) indexLine(m *written, x designer.IndexDefinition) string {
	kind, suffix, columns, parts := "index", "idx", []string{}, []string{}
	if x.Unique {
		kind, suffix = "unique", "key"
	}
	more := ""
	switch x.Method {
	case "":
	case "fulltext":
		kind = "fulltext"
	default:
		more = ", type: " + methods[w.d.Name][x.Method]
	}
	for _, p := range x.Parts {
		columns = append(columns, p.Column)
		text := m.fields[p.Column]
		var how []string
		if p.Length > 0 {
			how = append(how, fmt.Sprintf("length: %d", p.Length))
		}
		if p.OpClass != "" {
			how = append(how, "ops: raw("+quote(p.OpClass)+")")
		}
		if p.Descending {
			how = append(how, "sort: Desc")
		}
		if len(how) > 0 {
			text += "(" + strings.Join(how, ", ") + ")"
		}
		parts = append(parts, text)
	}
	return "@@" + kind + "([" + strings.Join(parts, ", ") + "]" + more + inList(w.mapped(x.Name, w.keyName(m, columns, suffix))) + ")"
}

func (w *writer) fieldList(m *written, columns []string) string {
	var list []string
	for _, c := range columns {
		list = append(list, m.fields[c])
	}
	return strings.Join(list, ", ")
}

// identified reports whether a model has a key that Prisma's client takes.
func (w *writer) identified(m *written) bool {
	if m.table.PrimaryKey != nil {
		return true
	}
	return slices.ContainsFunc(m.table.Indexes, func(x designer.IndexDefinition) bool {
		return x.Unique && w.plain(x) && !slices.ContainsFunc(x.Parts, func(p designer.IndexKeyDefinition) bool {
			return slices.ContainsFunc(m.table.Columns, func(c designer.Column) bool { return c.Name == p.Column && c.IsNullable })
		})
	})
}

// unsaid writes as comments, and notes, what a model does not say.
func (w *writer) unsaid(m *written) {
	say := func(what, text string) {
		m.text.WriteString("  // " + what + ": " + strings.Join(strings.Fields(text), " ") + "\n")
		w.note("%s: %s is left out: %s", m.table.Name, what, strings.Join(strings.Fields(text), " "))
	}
	for _, k := range m.table.Checks {
		say("check", strings.TrimSpace(k.Name+" "+k.Expression))
	}
	for _, c := range m.table.Columns {
		if c.IsComputed {
			say("the formula of "+c.Name, c.ComputedFormula)
		}
	}
	for _, x := range m.table.Indexes {
		if !w.plain(x) {
			var parts []string
			for _, p := range x.Parts {
				parts = append(parts, p.Column+p.Expression)
			}
			text := strings.TrimSpace(x.Name + " (" + strings.Join(parts, ", ") + ")")
			if x.Where != "" {
				text += " where " + x.Where
			}
			say("index", text)
		}
	}
	for _, t := range m.table.Triggers {
		say("trigger", t)
	}
}
