package mermaid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Render draws a design: an entity for each table, sorted, with its columns
// and which of them are keys, and a line for each foreign key. How many rows
// stand at each end of a line follows from what may be missing and what is
// unique; a line is drawn through where the key is part of the table's own
// primary key, and dotted else. A key to what is not there is left out.
func Render(s *designer.Schema) string {
	r := &renderer{s: s, d: s.Dialect(), def: s.Definition(), ids: map[[2]string]string{}, taken: map[string]bool{}}
	r.out.WriteString("erDiagram\n")
	for _, t := range r.def.Tables {
		r.name(t)
	}
	for _, t := range r.def.Tables {
		r.entity(t)
	}
	for _, t := range r.def.Tables {
		for _, k := range t.ForeignKeys {
			r.line(t, k)
		}
	}
	return r.out.String()
}

// renderer draws one design.
type renderer struct {
	s     *designer.Schema
	d     *designer.Dialect
	def   designer.Definition
	ids   map[[2]string]string // of entities, by schema and name
	taken map[string]bool      // folded ids
	out   strings.Builder
}

// name chooses the id of a table's entity.
func (r *renderer) name(t designer.TableDefinition) {
	base := identifier(r.title(t))
	id := base
	for n := 2; r.taken[designer.Fold(id)]; n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	r.taken[designer.Fold(id)] = true
	r.ids[[2]string{t.Schema, t.Name}] = id
}

// title is a table's name, with its schema unless that is the default one.
func (r *renderer) title(t designer.TableDefinition) string {
	if t.Schema == "" || strings.EqualFold(t.Schema, r.s.DefaultSchema()) {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

func (r *renderer) entity(t designer.TableDefinition) {
	id, title := r.ids[[2]string{t.Schema, t.Name}], r.title(t)
	if id != title {
		id += `["` + label(title) + `"]`
	}
	if len(t.Columns) == 0 {
		fmt.Fprintf(&r.out, "    %s\n", id)
		return
	}
	fmt.Fprintf(&r.out, "    %s {\n", id)
	taken := map[string]bool{}
	for _, c := range t.Columns {
		r.attribute(t, c, taken)
	}
	r.out.WriteString("    }\n")
}

// attribute draws one column.
func (r *renderer) attribute(t designer.TableDefinition, c designer.Column, taken map[string]bool) {
	name := attributeName(c.Name)
	for base, n := name, 2; taken[designer.Fold(name)]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	taken[designer.Fold(name)] = true
	c.Values = nil // too long for a diagram
	text := r.d.TypeText(c)
	if open := strings.IndexByte(text, '\''); open > 0 {
		text = c.DataType // lists its values
	}
	fmt.Fprintf(&r.out, "        %s %s", typeWord(text), name)
	if keys := marks(t, c.Name); len(keys) > 0 {
		r.out.WriteString(" " + strings.Join(keys, ", "))
	}
	var notes []string
	if name != c.Name {
		notes = append(notes, c.Name)
	}
	if c.Comment != "" {
		notes = append(notes, c.Comment)
	}
	if len(notes) > 0 {
		r.out.WriteString(` "` + label(strings.Join(notes, ": ")) + `"`)
	}
	r.out.WriteString("\n")
}

// marks returns which keys a column is part of: PK, FK, and UK where it is
// unique by itself.
func marks(t designer.TableDefinition, column string) []string {
	var keys []string
	if t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, column) {
		keys = append(keys, "PK")
	}
	if slices.ContainsFunc(t.ForeignKeys, func(k designer.ForeignKeyDefinition) bool {
		return slices.ContainsFunc(k.Mappings, func(m designer.NameMapping) bool { return m.Column == column })
	}) {
		keys = append(keys, "FK")
	}
	if slices.ContainsFunc(t.Indexes, func(x designer.IndexDefinition) bool { return unique(x, []string{column}) }) {
		keys = append(keys, "UK")
	}
	return keys
}

// unique reports whether x lets no two rows have the same values in the
// columns, whichever their order.
func unique(x designer.IndexDefinition, columns []string) bool {
	return x.Unique && x.Where == "" && len(x.Parts) == len(columns) &&
		!slices.ContainsFunc(x.Parts, func(p designer.IndexKeyDefinition) bool { return !slices.Contains(columns, p.Column) })
}

// line draws one foreign key, from the table it refers to.
func (r *renderer) line(t designer.TableDefinition, k designer.ForeignKeyDefinition) {
	target, err := r.s.Table(k.ReferencedTable)
	if err != nil {
		return
	}
	columns := make([]string, len(k.Mappings))
	optional, inKey := false, t.PrimaryKey != nil
	for i, m := range k.Mappings {
		columns[i] = m.Column
		optional = optional || slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Name == m.Column && c.IsNullable })
		inKey = inKey && slices.Contains(t.PrimaryKey.Columns, m.Column)
	}
	one := slices.ContainsFunc(t.Indexes, func(x designer.IndexDefinition) bool { return unique(x, columns) }) ||
		inKey && len(t.PrimaryKey.Columns) == len(columns)
	parent, through, child := "||", "..", "o{"
	if optional {
		parent = "|o"
	}
	if inKey {
		through = "--"
	}
	if one {
		child = "o|"
	}
	fmt.Fprintf(&r.out, "    %s %s%s%s %s : \"%s\"\n", r.ids[[2]string{target.Schema, target.Name}], parent, through, child,
		r.ids[[2]string{t.Schema, t.Name}], label(strings.Join(columns, ", ")))
}
