package prisma

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Render writes a design as a Prisma schema, and a note for each thing that it
// does not say.
func Render(s *designer.Schema) (text string, notes []string) {
	d := s.Dialect()
	w := &writer{d: d, db: databases[d.Name], s: s, def: s.Definition(), defaultSchema: s.DefaultSchema(), names: map[string]bool{}, relations: map[string]bool{}}
	w.nameAll()
	w.relate()
	for _, m := range w.models {
		w.model(m)
	}
	var b strings.Builder
	w.header(&b)
	for _, e := range w.enums {
		b.WriteString("\n" + e.text)
	}
	for _, m := range w.models {
		b.WriteString("\n" + m.text.String())
	}
	if n := len(w.def.Views); n > 0 {
		w.note("%d %s left out: a Prisma schema does not say what a view selects", n, plural(n, "view is", "views are"))
	}
	return b.String(), w.notes
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// writer writes one design.
type writer struct {
	d             *designer.Dialect
	db            database
	s             *designer.Schema
	def           designer.Definition
	defaultSchema string
	models        []*written
	enums         []*writtenEnum
	names         map[string]bool // of models and enums, folded
	relations     map[string]bool // names of relations, folded
	notes         []string
}

// written is a model that is being written.
type written struct {
	table  designer.TableDefinition
	name   string
	fields map[string]string // of fields, by their columns
	taken  map[string]bool   // names of fields
	lines  []string          // of relations
	text   strings.Builder
}

// writtenEnum is an enum, of a type or of a column.
type writtenEnum struct {
	name   string
	values map[string]string // names by values
	text   string
}

func (w *writer) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// header writes which database the schema is for.
func (w *writer) header(b *strings.Builder) {
	provider := "postgresql"
	if len(w.db.providers) > 0 {
		provider = w.db.providers[0]
	}
	b.WriteString("generator client {\n  provider = \"prisma-client-js\"\n}\n\n")
	b.WriteString("datasource db {\n  provider = \"" + provider + "\"\n  // Before Prisma 7: url = env(\"DATABASE_URL\")\n")
	if schemas := w.schemas(); schemas != nil {
		quoted := make([]string, len(schemas))
		for i, s := range schemas {
			quoted[i] = quote(s)
		}
		b.WriteString("  schemas  = [" + strings.Join(quoted, ", ") + "]\n")
	}
	b.WriteString("}\n")
}

// schemas lists those that tables are in; nil if that is the default one alone.
func (w *writer) schemas() []string {
	var all []string
	for _, t := range w.def.Tables {
		if t.Schema != "" && !slices.Contains(all, t.Schema) {
			all = append(all, t.Schema)
		}
	}
	if len(all) == 0 || len(all) == 1 && all[0] == w.defaultSchema || w.d.Name == "sqlite" || w.d.Name == "mysql" {
		return nil
	}
	slices.Sort(all)
	return all
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}

// nameAll gives each table and type a name that Prisma takes.
func (w *writer) nameAll() {
	for _, o := range w.def.Objects {
		if o.Kind == designer.ObjectType && len(o.Values) > 0 {
			w.addEnum(o.Name, o.Schema, o.Values, o.Comment, true)
		}
	}
	for _, t := range w.def.Tables {
		m := &written{table: t, name: w.free(identifier(t.Name)), fields: map[string]string{}, taken: map[string]bool{}}
		for _, c := range t.Columns {
			m.fields[c.Name] = m.free(identifier(c.Name))
		}
		w.models = append(w.models, m)
	}
	for _, m := range w.models {
		for _, c := range m.table.Columns {
			if len(c.Values) > 0 && w.isEnum(c) {
				w.addEnum(m.table.Name+"_"+c.Name, "", c.Values, "", false)
			}
		}
	}
}

func (w *writer) isEnum(c designer.Column) bool {
	info, known := w.d.Type(c.DataType)
	return known && info.Kind == designer.KindEnum
}

func (w *writer) free(name string) string { return free(w.names, name) }

func (m *written) free(name string) string { return free(m.taken, name) }

// free returns a name that is not taken, and takes it.
func free(taken map[string]bool, name string) string {
	try := name
	for n := 2; taken[strings.ToLower(try)]; n++ {
		try = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(try)] = true
	return try
}

// reservedNames are words that no model or field has.
var reservedNames = strings.Fields("model enum type datasource generator view null true false async await break case catch class const continue " +
	"debugger default delete do else export extends finally for function if implements import in instanceof interface let new package private " +
	"protected public return static super switch this throw try typeof using var void while with yield")

// identifier makes a name one that Prisma takes: a letter, then letters, digits
// and underscores.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', b.Len() > 0 && (r == '_' || r >= '0' && r <= '9'):
			b.WriteRune(r)
		case b.Len() > 0:
			b.WriteByte('_')
		case r >= '0' && r <= '9':
			b.WriteString("n" + string(r))
		}
	}
	switch out := b.String(); {
	case out == "":
		return "unnamed"
	case slices.Contains(reservedNames, out):
		return out + "_"
	default:
		return out
	}
}

// addEnum writes an enum. named says that it is a type of the database, whose
// name it keeps.
func (w *writer) addEnum(name, schema string, values []string, comment string, named bool) {
	e := &writtenEnum{name: w.free(identifier(name)), values: map[string]string{}}
	var b strings.Builder
	writeNote(&b, "", comment)
	b.WriteString("enum " + e.name + " {\n")
	taken := map[string]bool{}
	for _, v := range values {
		id := identifier(v)
		for n := 2; taken[id]; n++ {
			id = fmt.Sprintf("%s_%d", identifier(v), n)
		}
		taken[id] = true
		e.values[v] = id
		b.WriteString("  " + id)
		if id != v {
			b.WriteString(" @map(" + quote(v) + ")")
		}
		b.WriteString("\n")
	}
	var ends []string
	if named && e.name != name {
		ends = append(ends, "@@map("+quote(name)+")")
	}
	if named && w.schemas() != nil {
		ends = append(ends, "@@schema("+quote(schema)+")")
	}
	if len(ends) > 0 {
		b.WriteString("\n  " + strings.Join(ends, "\n  ") + "\n")
	}
	b.WriteString("}\n")
	e.text = b.String()
	w.enums = append(w.enums, e)
}

// writeNote writes a comment that belongs to what comes.
func writeNote(b *strings.Builder, indent, comment string) {
	if comment == "" {
		return
	}
	for line := range strings.SplitSeq(comment, "\n") {
		b.WriteString(indent + "/// " + strings.TrimRight(line, " \r") + "\n")
	}
}
