package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Script implements [engine.Engine]. It makes the whole of s in an empty
// database. The plan's notes say what of s it does not make.
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	w := &writer{schema: s, done: map[*module]bool{}}
	w.modules = modules(s)
	w.addSchemas()
	w.types()
	w.objects(designer.ObjectSequence, "sequence")
	w.objects(designer.ObjectSynonym, "synonym")
	tables := w.tables()
	for _, t := range tables {
		w.routinesOf(t)
	}
	for _, t := range tables {
		w.table(t)
	}
	for _, t := range tables {
		addKeys(&w.steps, s, t)
	}
	for _, t := range tables {
		addForeignKeys(&w.steps, s, t)
	}
	for i := range w.modules {
		w.module(&w.modules[i])
	}
	for _, o := range s.Objects() {
		if o.Kind == designer.ObjectTrigger {
			w.object(o, "trigger")
		}
	}
	for _, t := range tables {
		addComments(&w.steps, t)
	}
	return w.plan(), nil
}

// tables lists those that a server takes: a draft may have none but computed
// columns.
func (w *writer) tables() []*designer.Table {
	var list []*designer.Table
	for _, t := range w.schema.Tables() {
		if holdsValues(t) {
			list = append(list, t)
		} else {
			w.note("Table " + tableLabel(t) + " has no column that is not computed: it is left out.")
		}
	}
	return list
}

// writer makes a script.
type writer struct {
	steps
	schema  *designer.Schema
	modules []module
	done    map[*module]bool
}

func (w *writer) addSchemas() {
	for _, name := range w.schema.Schemas() {
		if !strings.EqualFold(name, DefaultSchema) {
			w.add(createSchema(name))
		}
	}
}

func createSchema(name string) designer.Step {
	return designer.Step{Statement: "CREATE SCHEMA " + quote(name), Comment: "Create schema " + name,
		Reverse: "DROP SCHEMA " + quote(name)}
}

// types makes alias types before table types, whose columns may be of them.
func (w *writer) types() {
	for _, tables := range []bool{false, true} {
		for _, o := range w.schema.Objects() {
			if o.Kind == designer.ObjectType && strings.Contains(o.Definition, " AS TABLE (") == tables {
				w.object(o, "type")
			}
		}
	}
}

func (w *writer) objects(kind designer.ObjectKind, word string) {
	for _, o := range w.schema.Objects() {
		if o.Kind == kind {
			w.object(o, word)
		}
	}
}

func (w *writer) object(o designer.Object, word string) {
	label := o.Name
	name := quote(o.Name)
	if o.Schema != "" {
		label, name = o.Schema+"."+o.Name, qualified(o.Schema, o.Name)
	}
	if o.Definition == "" {
		w.note("The text of " + word + " " + label + " is not known: it is left out.")
		return
	}
	reverse := "DROP " + strings.ToUpper(word) + " " + name
	if o.Kind == designer.ObjectTrigger && o.Schema == "" {
		reverse += " ON DATABASE"
	}
	w.addBatches(o.Definition, "Create "+word+" "+label, reverse)
}

// routinesOf makes the functions that t's expressions use, which have to be
// there before it.
func (w *writer) routinesOf(t *designer.Table) {
	var texts []string
	for _, c := range t.Columns {
		texts = append(texts, c.DefaultValue, c.ComputedFormula)
	}
	for _, k := range t.Checks {
		texts = append(texts, k.Expression)
	}
	used := identifiers(texts...)
	for i := range w.modules {
		if m := &w.modules[i]; m.kind == "function" && used[designer.Fold(m.name)] {
			w.module(m)
		}
	}
}

// module makes m after what its text may use.
func (w *writer) module(m *module) {
	if w.done[m] {
		return
	}
	w.done[m] = true
	for i := range w.modules {
		if other := &w.modules[i]; (other.kind == "function" || other.kind == "view") && !w.done[other] && m.names(other.name) {
			w.module(other)
		}
	}
	w.object(designer.Object{Schema: m.schema, Name: m.name, Definition: m.text}, m.kind)
}

func (w *writer) table(t *designer.Table) {
	if k := t.Options[OptionStorage]; k != "" {
		w.note("Table " + tableLabel(t) + " is a " + k + " table: it is made as an ordinary one.")
	}
	if c := identityOf(t); c != nil && c.Options[OptionIdentity] == identityUnknown {
		w.note("What column " + tableLabel(t) + "." + c.Name + " counts from and by is not known, as the server does not tell it: it is made as IDENTITY, which is (1,1).")
	}
	addTable(&w.steps, w.schema, t)
}
