package mssql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// ruleServer keeps names, columns and constraints as SQL Server does and
// refuses what SQL Server refuses of the statements that plans are made of:
// names that are taken or missing, and changes of what something depends on.
// It knows no rows. It stands in for the server in tests that always run.
type ruleServer struct {
	schemas map[string]bool
	tables  []*ruleTable
	made    int             // names made up
	history map[string]bool // tables that others keep their past in, quoted
}

type ruleTable struct {
	schema, name string
	columns      []*ruleColumn
	constraints  []*ruleConstraint
	indexes      []*ruleIndex
	comment      string
}

type ruleColumn struct {
	name, typ, collation string
	nullable             bool
	attributes           string // in the order of writing: IDENTITY, SPARSE, …
	computed             string // its formula
	persisted            bool
	standard             *ruleConstraint // its default
	comment              string
}

type ruleConstraint struct {
	kind, name, text string // kind: PRIMARY, UNIQUE, CHECK, FOREIGN, DEFAULT; text: without its name
	madeUp           bool
	columns          []string
	uses             map[string]bool // folded names in a check
	target           *ruleTable
	targetColumns    []string
	disabled         bool
}

type ruleIndex struct {
	name, text string // text: without name and table
	columns    []string
	uses       map[string]bool // folded names in its condition
	clustered  bool
	unique     bool
	disabled   bool
}

func newRuleServer() *ruleServer {
	return &ruleServer{schemas: map[string]bool{"dbo": true}, history: map[string]bool{}}
}

func same(a, b string) bool { return designer.Fold(a) == designer.Fold(b) }

func (s *ruleServer) table(schema, name string) (*ruleTable, error) {
	for _, t := range s.tables {
		if same(t.schema, schema) && same(t.name, name) {
			return t, nil
		}
	}
	return nil, fmt.Errorf("cannot find the object %s.%s", schema, name)
}

// free reports whether no object of a schema has the name: tables and
// constraints share one place.
func (s *ruleServer) free(schema, name string) error {
	if !s.schemas[designer.Fold(schema)] {
		return fmt.Errorf("schema %s does not exist", schema)
	}
	for _, t := range s.tables {
		if !same(t.schema, schema) {
			continue
		}
		for _, n := range t.objects() {
			if same(n, name) {
				return fmt.Errorf("there is already an object %s in schema %s", name, schema)
			}
		}
	}
	return nil
}

// objects lists the names that a table and its constraints have.
func (t *ruleTable) objects() []string {
	list := []string{t.name}
	for _, k := range t.all() {
		list = append(list, k.name)
	}
	return list
}

func (t *ruleTable) all() []*ruleConstraint {
	list := slices.Clone(t.constraints)
	for _, c := range t.columns {
		if c.standard != nil {
			list = append(list, c.standard)
		}
	}
	return list
}

func (t *ruleTable) column(name string) (*ruleColumn, error) {
	for _, c := range t.columns {
		if same(c.name, name) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("column %s does not exist in %s", name, t.name)
}

func has(list []string, name string) bool {
	return slices.ContainsFunc(list, func(n string) bool { return same(n, name) })
}

// referring lists the foreign keys to a table.
func (s *ruleServer) referring(t *ruleTable) []*ruleConstraint {
	var list []*ruleConstraint
	for _, from := range s.tables {
		for _, k := range from.constraints {
			if k.target == t {
				list = append(list, k)
			}
		}
	}
	return list
}

// users lists what depends on a column. bound leaves only what keeps it from
// being renamed; widening leaves out what does not mind a longer text.
func (s *ruleServer) users(t *ruleTable, column string, bound, widening bool) []string {
	var list []string
	fold := designer.Fold(column)
	for _, k := range t.constraints {
		switch {
		case k.kind == "CHECK" && k.uses[fold] && !widening:
			list = append(list, "check "+k.name)
		case k.kind != "CHECK" && has(k.columns, column) && !bound && !(widening && k.kind == "UNIQUE"):
			list = append(list, k.kind+" "+k.name)
		}
	}
	for _, k := range s.referring(t) {
		if has(k.targetColumns, column) && !bound {
			list = append(list, "foreign key "+k.name)
		}
	}
	for _, x := range t.indexes {
		if x.uses[fold] || has(x.columns, column) && !bound && !widening {
			list = append(list, "index "+x.name)
		}
	}
	for _, c := range t.columns {
		if c.computed != "" && !same(c.name, column) && identifiers(c.computed)[fold] {
			list = append(list, "computed column "+c.name)
		}
	}
	return list
}

// state writes everything down, sorted; names made up are left out.
func (s *ruleServer) state() string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for schema := range s.schemas {
		say("schema %s", schema)
	}
	for _, t := range s.tables {
		at := t.schema + "." + t.name
		say("%s: %q", at, t.comment)
		for _, c := range t.columns {
			say("%s column %s %s collate %q null %t %s as %q persisted %t %s: %q", at, c.name, c.typ, c.collation, c.nullable,
				c.attributes, c.computed, c.persisted, c.standard, c.comment)
		}
		for _, k := range t.constraints {
			say("%s %s", at, k)
		}
		for _, x := range t.indexes {
			say("%s index %s %s disabled %t", at, x.name, x.text, x.disabled)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (k *ruleConstraint) String() string {
	if k == nil {
		return "no default"
	}
	name := k.name
	if k.madeUp {
		name = "(made up)"
	}
	target := ""
	if k.target != nil {
		target = k.target.schema + "." + k.target.name + " " + strings.Join(k.targetColumns, ",")
	}
	return fmt.Sprintf("%s %s %s %s %s disabled %t", k.kind, name, k.text, strings.Join(k.columns, ","), target, k.disabled)
}
