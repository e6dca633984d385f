package convert

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Convert returns s for another dialect, and a note for each thing that is lost
// or changed. It returns an error if the result does not build, which should
// not happen for the design of a real database. A design of the same dialect is
// returned unchanged.
func Convert(s *designer.Schema, to *designer.Dialect) (designer.Definition, []string, error) {
	if s.Dialect().Name == to.Name {
		return s.Definition(), nil, nil
	}
	c := &converter{s: s, from: s.Dialect(), to: to, def: s.Definition(), byRef: map[[2]string]*table{}, unfolded: map[string]bool{}}
	c.nameTables()
	for _, t := range c.tables {
		c.domains(t)
		c.nameColumns(t)
	}
	c.findKeyColumns()
	for _, t := range c.tables {
		c.columns(t)
		c.identity(t)
	}
	c.pairTypes()
	for _, t := range c.tables {
		c.texts(t)
		c.keys(t)
		c.tableRest(t)
	}
	c.references()
	for _, t := range c.tables {
		c.leadKeys(t)
		c.fitRow(t)
	}
	for _, t := range c.tables {
		c.basicPlane(t)
	}
	c.leftOut()
	out := designer.Definition{Tables: make([]designer.TableDefinition, len(c.tables))}
	for i, t := range c.tables {
		out.Tables[i] = t.out
	}
	if _, err := designer.Build(to, out, nil); err != nil {
		return designer.Definition{}, c.notes, fmt.Errorf("convert the design to %s: %w", to.Title, err)
	}
	return out, c.notes, nil
}

// converter is the state of one conversion.
type converter struct {
	s        *designer.Schema
	from, to *designer.Dialect
	def      designer.Definition
	tables   []*table
	byRef    map[[2]string]*table // by folded schema and name in the source
	taken    map[nameKey]bool
	unfolded map[string]bool // types, by schema and name, in whose place stands what they are made of
	notes    []string
}

// table is one table being converted.
type table struct {
	old     designer.TableDefinition
	out     designer.TableDefinition
	label   string              // as notes name it
	columns map[string]string   // new names by exact old ones
	folded  map[string][]string // exact old names by folded ones
	at      map[string]int      // place in old.Columns, by exact old name
	key     map[string]bool     // old names of columns that a key or an index has
	kinds   []designer.TypeKind // of the old columns
	values  map[string][]string // of columns that were an enum and are a text now
}

// note adds a note on a part of a table; part is "" for the table itself.
func (c *converter) note(t *table, part, format string, args ...any) {
	where := t.label
	if part != "" {
		where += "." + part
	}
	c.notes = append(c.notes, where+": "+fmt.Sprintf(format, args...))
}

// find returns the table that a foreign key refers to, nil if there is none.
func (c *converter) find(ref designer.TableRef) *table {
	schema := ref.Schema
	if schema == "" {
		schema = c.s.DefaultSchema()
	}
	if t := c.byRef[[2]string{schema, ref.Name}]; t != nil {
		return t
	}
	var found *table
	for _, t := range c.tables {
		if strings.EqualFold(t.old.Schema, schema) && strings.EqualFold(t.old.Name, ref.Name) {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// column returns the exact old name of a column, "" if there is none.
func (t *table) column(name string) string {
	if _, ok := t.columns[name]; ok {
		return name
	}
	if list := t.folded[designer.Fold(name)]; len(list) == 1 {
		return list[0]
	}
	return ""
}
