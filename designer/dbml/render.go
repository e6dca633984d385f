package dbml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Render writes a design in DBML: first its enums, then its tables, then its
// relationships, each sorted, so that the same design is always the same text.
// The default schema is not written, unless one of another name is called
// public. What DBML cannot express is in comments.
func Render(s *designer.Schema) string {
	r := &renderer{s: s, d: s.Dialect(), def: s.Definition()}
	r.defaultSchema = s.DefaultSchema()
	if !strings.EqualFold(r.defaultSchema, "public") &&
		slices.ContainsFunc(r.def.Tables, func(t designer.TableDefinition) bool { return strings.EqualFold(t.Schema, "public") }) {
		r.defaultSchema = ""
	}
	r.collectEnums()
	r.line("Project design {")
	r.line("  database_type: %s", literal(cmp.Or(r.d.Title, r.d.Name)))
	r.line("}")
	for _, e := range r.enums {
		r.enum(e)
	}
	for _, t := range r.def.Tables {
		r.table(t)
	}
	r.refs()
	r.leftOut()
	return r.out.String()
}

// renderer writes one design.
type renderer struct {
	s             *designer.Schema
	d             *designer.Dialect
	def           designer.Definition
	defaultSchema string // "": every schema is written
	enums         []enumType
	byColumn      map[[3]string]int // place in enums, by schema, table and column
	byType        map[string]int    // place in enums of a type of the database, by its folded names
	out           strings.Builder
}

type enumType struct {
	schema, name string
	values       []string
}

func (r *renderer) line(format string, args ...any) {
	fmt.Fprintf(&r.out, format+"\n", args...)
}

// qualified writes a name with its schema, where that is not the default.
func (r *renderer) qualified(schema, name string) string {
	if schema == "" || strings.EqualFold(schema, r.defaultSchema) {
		return identifier(name)
	}
	return identifier(schema) + "." + identifier(name)
}

// collectEnums lists the database's enums and makes one of each column that
// has values of its own.
func (r *renderer) collectEnums() {
	r.byColumn, r.byType = map[[3]string]int{}, map[string]int{}
	taken := map[[2]string]bool{}
	add := func(e enumType) int {
		base := e.name
		for n := 2; taken[[2]string{designer.Fold(e.schema), designer.Fold(e.name)}]; n++ {
			e.name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[[2]string{designer.Fold(e.schema), designer.Fold(e.name)}] = true
		r.enums = append(r.enums, e)
		return len(r.enums) - 1
	}
	for _, o := range r.def.Objects {
		if o.Kind == designer.ObjectType && len(o.Values) > 0 {
			i := add(enumType{o.Schema, o.Name, o.Values})
			r.byType[designer.Fold(o.Schema+"."+o.Name)] = i
			if o.Schema == "" || strings.EqualFold(o.Schema, r.s.DefaultSchema()) {
				r.byType[designer.Fold(o.Name)] = i
			}
		}
	}
	for _, t := range r.def.Tables {
		for _, c := range t.Columns {
			if info, known := r.d.Type(c.DataType); known && info.Kind == designer.KindEnum && distinct(c.Values) {
				r.byColumn[[3]string{t.Schema, t.Name, c.Name}] = add(enumType{t.Schema, t.Name + "_" + c.Name, c.Values})
			}
		}
	}
}

// distinct reports whether the values can be an enum's.
func distinct(values []string) bool {
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v] {
			return false
		}
		seen[v] = true
	}
	return len(values) > 0
}

func (r *renderer) enum(e enumType) {
	r.line("\nEnum %s {", r.qualified(e.schema, e.name))
	for _, v := range e.values {
		r.line("  %s", identifier(v))
	}
	r.line("}")
}

// columnType writes a column's type: an enum's name, or the type with its
// attributes, in quotes where it is more than a word.
func (r *renderer) columnType(t designer.TableDefinition, c designer.Column) string {
	if i, ok := r.byColumn[[3]string{t.Schema, t.Name, c.Name}]; ok {
		return r.qualified(r.enums[i].schema, r.enums[i].name)
	}
	if i, ok := r.byType[designer.Fold(c.DataType)]; ok {
		return r.qualified(r.enums[i].schema, r.enums[i].name)
	}
	text := r.d.TypeText(c)
	switch {
	case text == "":
		return "any" // DBML knows no column without a type
	case plainType().MatchString(text):
		return text
	}
	return `"` + escape(text, `"`) + `"`
}

// refs writes the foreign keys.
func (r *renderer) refs() {
	first := true
	for _, t := range r.def.Tables {
		for _, k := range t.ForeignKeys {
			if first {
				r.line("")
				first = false
			}
			r.ref(t, k)
		}
	}
}

// ref writes one foreign key: many to one, or one to one where the table's
// columns are a key of their own; there the right side is the one that refers.
func (r *renderer) ref(t designer.TableDefinition, k designer.ForeignKeyDefinition) {
	own, other := make([]string, len(k.Mappings)), make([]string, len(k.Mappings))
	for i, m := range k.Mappings {
		own[i], other[i] = m.Column, m.ReferencedColumn
	}
	from := r.endpoint(t.Schema, t.Name, own)
	to := r.endpoint(k.ReferencedTable.Schema, k.ReferencedTable.Name, other)
	pair := from + " > " + to
	if isKey(t, own) {
		pair = to + " - " + from
	}
	head := "Ref"
	if k.Name != "" {
		head += " " + identifier(k.Name)
	}
	if !r.resolves(k) {
		r.line("// %s: %s leads to what is not there", strings.Join(strings.Fields(head), " "), strings.Join(strings.Fields(pair), " "))
		return
	}
	var settings, notes []string
	for _, a := range []struct {
		name   string
		action designer.Action
	}{{"delete", k.OnDelete}, {"update", k.OnUpdate}} {
		if a.action != designer.NoAction && a.action != "" {
			settings = append(settings, a.name+": "+strings.ReplaceAll(string(a.action), "_", " "))
		}
	}
	if k.Deferrable != designer.NotDeferrable {
		notes = append(notes, "deferrable: "+string(k.Deferrable))
	}
	r.line("%s: %s%s%s", head, pair, inBrackets(settings), comment(notes))
}

func (r *renderer) endpoint(schema, table string, columns []string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = identifier(c)
	}
	if len(names) == 1 {
		return r.qualified(schema, table) + "." + names[0]
	}
	return r.qualified(schema, table) + ".(" + strings.Join(names, ", ") + ")"
}

// resolves reports whether the referenced columns are there.
func (r *renderer) resolves(k designer.ForeignKeyDefinition) bool {
	t, err := r.s.Table(k.ReferencedTable)
	if err != nil {
		return false
	}
	for _, m := range k.Mappings {
		if !slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Name == m.ReferencedColumn }) {
			return false
		}
	}
	return len(k.Mappings) > 0
}

// isKey reports whether the columns are, as a whole, the primary key or unique.
func isKey(t designer.TableDefinition, columns []string) bool {
	same := func(key []string) bool {
		return len(key) == len(columns) && !slices.ContainsFunc(key, func(c string) bool { return !slices.Contains(columns, c) })
	}
	if t.PrimaryKey != nil && same(t.PrimaryKey.Columns) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x designer.IndexDefinition) bool {
		key := make([]string, len(x.Parts))
		for i, p := range x.Parts {
			key[i] = p.Column
		}
		return x.Unique && x.Where == "" && same(key)
	})
}

func inBrackets(settings []string) string {
	if len(settings) == 0 {
		return ""
	}
	return " [" + strings.Join(settings, ", ") + "]"
}

// leftOut counts the objects that a diagram of tables does not show.
func (r *renderer) leftOut() {
	count := map[string]int{}
	var order []string
	add := func(what string) {
		if count[what]++; count[what] == 1 {
			order = append(order, what)
		}
	}
	for range r.def.Views {
		add("views")
	}
	for _, o := range r.def.Objects {
		if o.Kind != designer.ObjectType || len(o.Values) == 0 {
			add(string(o.Kind) + "s")
		}
	}
	for i, what := range order {
		order[i] = fmt.Sprintf("%s: %d", what, count[what])
	}
	if len(order) > 0 {
		r.line("\n// not in this file: %s", strings.Join(order, ", "))
	}
}
