// Package markdown writes a design as a page of documentation: a list of its
// tables, a diagram, and for each table its columns, keys, indexes and checks
// with their comments, and what refers to it. It is for readers; nothing is read
// back.
//
// Start with [Render]. Invariant: a name or a comment cannot end the table or
// the line that it stands in, whatever it holds.
package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mermaid"
)

// maxDrawn is the most tables that the page has a diagram of: programs that
// draw Mermaid give up on large ones.
const maxDrawn = 60

// Render writes the page of a design called name.
func Render(s *designer.Schema, name string) string {
	w := &writer{s: s, d: s.Dialect(), def: s.Definition(), anchors: map[string]string{}, taken: map[string]bool{}}
	for _, t := range w.def.Tables {
		w.anchor(w.title(t.Schema, t.Name))
	}
	w.line("# %s", escape(name))
	w.line("")
	w.line("A design for %s: %s.", w.d.Title, count(len(w.def.Tables), "table"))
	w.contents()
	if n := len(w.def.Tables); n > 0 && n <= maxDrawn {
		w.line("")
		w.line("```mermaid\n%s```", mermaid.Render(s))
	}
	for _, t := range w.def.Tables {
		w.table(t)
	}
	w.types()
	w.views()
	return w.out.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writer writes one page.
type writer struct {
	s       *designer.Schema
	d       *designer.Dialect
	def     designer.Definition
	anchors map[string]string // of tables, by title
	taken   map[string]bool
	out     strings.Builder
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.out, format+"\n", args...)
}

// title is a name, with its schema unless that is the default one.
func (w *writer) title(schema, name string) string {
	if schema == "" || strings.EqualFold(schema, w.s.DefaultSchema()) {
		return name
	}
	return schema + "." + name
}

// anchor chooses where links to a table lead, as GitHub does: small letters,
// with a number where two are the same.
func (w *writer) anchor(title string) {
	base := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
			return r
		}
		return -1
	}, strings.ToLower(title))
	id := base
	for n := 1; w.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	w.taken[id] = true
	w.anchors[title] = id
}

// link is a table's title, which leads to it if it is there.
func (w *writer) link(schema, name string) string {
	title := w.title(schema, name)
	if id, ok := w.anchors[title]; ok {
		return "[" + escape(title) + "](#" + id + ")"
	}
	return escape(title)
}

// escape keeps a text from being read as Markdown, on one line.
func escape(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for i, r := range s {
		within := r == '_' && i > 0 && i < len(s)-1 && isWord(s[i-1]) && isWord(s[i+1])
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) && !within {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isWord reports whether c is of a word, in which an underscore is no mark.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// code is a text as code, on one line and in a cell of a table.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return ""
	}
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + strings.ReplaceAll(s, "|", `\|`) + ticks
}

func (w *writer) contents() {
	if len(w.def.Tables) == 0 {
		return
	}
	w.line("")
	w.line("| Table | Columns | |")
	w.line("| --- | ---: | --- |")
	for _, t := range w.def.Tables {
		w.line("| %s | %d | %s |", w.link(t.Schema, t.Name), len(t.Columns), escape(t.Comment))
	}
}

// table writes one table.
func (w *writer) table(t designer.TableDefinition) {
	w.line("")
	w.line("## %s", escape(w.title(t.Schema, t.Name)))
	if t.Comment != "" {
		w.line("")
		w.line("%s", escape(t.Comment))
	}
	w.line("")
	w.line("| Column | Type | Nullable | Default | Key | |")
	w.line("| --- | --- | --- | --- | --- | --- |")
	for _, c := range t.Columns {
		nullable := ""
		if c.IsNullable {
			nullable = "yes"
		}
		w.line("| %s | %s | %s | %s | %s | %s |", escape(c.Name), code(w.typeOf(c)), nullable, w.defaultOf(c), strings.Join(w.keysOf(t, c), ", "), escape(c.Comment))
	}
	w.rules(t)
	w.referrers(t)
}

func (w *writer) typeOf(c designer.Column) string {
	text := w.d.TypeText(c)
	if len(c.Values) == 0 || strings.Contains(text, "(") {
		return text
	}
	literals := make([]string, len(c.Values))
	for i, v := range c.Values {
		literals[i] = w.d.StringLiteral(v)
	}
	return text + "(" + strings.Join(literals, ", ") + ")"
}

// defaultOf says what a column holds that is given nothing.
func (w *writer) defaultOf(c designer.Column) string {
	switch {
	case c.IsIdentity:
		return "identity"
	case c.IsComputed:
		return "computed: " + code(c.ComputedFormula)
	}
	return code(c.DefaultValue)
}

// keysOf lists the keys that a column is part of.
func (w *writer) keysOf(t designer.TableDefinition, c designer.Column) (keys []string) {
	if t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.Name) {
		keys = append(keys, "primary")
	}
	for _, x := range t.Indexes {
		if x.Unique && x.Where == "" && len(x.Parts) == 1 && x.Parts[0].Column == c.Name {
			keys = append(keys, "unique")
			break
		}
	}
	for _, k := range t.ForeignKeys {
		for _, m := range k.Mappings {
			if m.Column == c.Name {
				keys = append(keys, w.link(k.ReferencedTable.Schema, k.ReferencedTable.Name)+"."+escape(m.ReferencedColumn))
			}
		}
	}
	return keys
}

// rules lists what a table has beside its columns.
func (w *writer) rules(t designer.TableDefinition) {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf("- "+format, args...)) }
	if k := t.PrimaryKey; k != nil && len(k.Columns) > 1 {
		add("Primary key (%s)", list(k.Columns))
	}
	for _, k := range t.ForeignKeys {
		var from, to []string
		for _, m := range k.Mappings {
			from, to = append(from, m.Column), append(to, m.ReferencedColumn)
		}
		add("Foreign key%s (%s) to %s (%s)%s", named(k.Name), list(from), w.link(k.ReferencedTable.Schema, k.ReferencedTable.Name), list(to), actions(k))
	}
	for _, x := range t.Indexes {
		kind := "Index"
		if x.Unique {
			kind = "Unique index"
		}
		if x.Constraint {
			kind = "Unique constraint"
		}
		add("%s%s (%s)%s", kind, named(x.Name), parts(x), conditions(x))
	}
	for _, k := range t.Checks {
		add("Check%s %s", named(k.Name), code(k.Expression))
	}
	for _, name := range t.Triggers {
		add("Trigger%s", named(name))
	}
	if len(lines) > 0 {
		w.line("")
		w.line("%s", strings.Join(lines, "\n"))
	}
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return " " + escape(name)
}

func list(names []string) string {
	escaped := make([]string, len(names))
	for i, n := range names {
		escaped[i] = escape(n)
	}
	return strings.Join(escaped, ", ")
}

// actions says what a foreign key does, unless that is nothing.
func actions(k designer.ForeignKeyDefinition) (text string) {
	for _, a := range []struct {
		on     string
		action designer.Action
	}{{"delete", k.OnDelete}, {"update", k.OnUpdate}} {
		if a.action != "" && a.action != designer.NoAction {
			text += ", on " + a.on + " " + strings.ReplaceAll(string(a.action), "_", " ")
		}
	}
	return text
}

func parts(x designer.IndexDefinition) string {
	out := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		if out[i] = escape(p.Column); p.Column == "" {
			out[i] = code(p.Expression)
		}
		if p.Descending {
			out[i] += " descending"
		}
	}
	return strings.Join(out, ", ")
}

func conditions(x designer.IndexDefinition) (text string) {
	if x.Method != "" {
		text += " by " + escape(x.Method)
	}
	if len(x.Include) > 0 {
		text += " with " + list(x.Include)
	}
	if x.Where != "" {
		text += " where " + code(x.Where)
	}
	return text
}

// referrers lists the tables whose foreign keys refer to a table.
func (w *writer) referrers(t designer.TableDefinition) {
	var links []string
	for _, other := range w.def.Tables {
		if slices.ContainsFunc(other.ForeignKeys, func(k designer.ForeignKeyDefinition) bool {
			return k.ReferencedTable.Name == t.Name && w.title(k.ReferencedTable.Schema, k.ReferencedTable.Name) == w.title(t.Schema, t.Name)
		}) {
			links = append(links, w.link(other.Schema, other.Name))
		}
	}
	if len(links) > 0 {
		w.line("")
		w.line("Referred to by %s.", strings.Join(links, ", "))
	}
}

// types lists the types of the database's own.
func (w *writer) types() {
	var lines []string
	for _, t := range w.s.NamedTypes() {
		text := "- " + escape(w.title(t.Schema, t.Name))
		if t.Domain != nil {
			text += ": " + code(t.Domain.Base)
			for _, k := range t.Domain.Checks {
				text += ", check " + code(k.Expression)
			}
		} else {
			values := make([]string, len(t.Values))
			for i, v := range t.Values {
				values[i] = code(v.Name)
			}
			text += ": " + strings.Join(values, ", ")
		}
		if t.Comment != "" {
			text += " (" + escape(t.Comment) + ")"
		}
		lines = append(lines, text)
	}
	w.section("Types", lines)
}

func (w *writer) views() {
	var lines []string
	for _, v := range w.def.Views {
		lines = append(lines, "- "+escape(w.title(v.Schema, v.Name)))
	}
	w.section("Views", lines)
}

func (w *writer) section(title string, lines []string) {
	if len(lines) > 0 {
		w.line("\n## %s\n\n%s", title, strings.Join(lines, "\n"))
	}
}
