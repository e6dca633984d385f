package mssql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Script implements [engine.Engine]. It makes the whole of s in an empty
// database. The plan's notes say what of s it does not make.
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	w := &writer{schema: s, done: map[*module]bool{}}
	w.modules = modules(s)
	w.addSchemas()
	w.objects(designer.ObjectXMLSchema, "XML schema collection")
	w.types()
	w.objects(designer.ObjectSequence, "sequence")
	w.objects(designer.ObjectSynonym, "synonym")
	tables := w.accepted(w.tables())
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

// accepted is the tables as the server takes them. The notes say what is not.
func (w *writer) accepted(tables []*designer.Table) []*designer.Table {
	list := make([]*designer.Table, len(tables))
	for i, t := range tables {
		next, problems := accepted(t)
		for _, p := range problems {
			w.note("Table " + tableLabel(t) + ": " + p + ". The server refuses that, and it is made without.")
		}
		list[i] = next
	}
	return list
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
	if why := o.Options[designer.OptionUnreadable]; why != "" {
		if o.Options[designer.OptionUnreadTable] != "" {
			word = "table"
		}
		w.note(capital(word) + " " + label + " is left out, as the server could not describe it: " + why)
		return
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
	w.object(designer.Object{Schema: m.schema, Name: m.name, Definition: m.text, Options: m.options}, m.kind)
}

func (w *writer) table(t *designer.Table) {
	w.noteKind(t)
	if c := identityOf(t); c != nil && c.Options[OptionIdentity] == identityUnknown {
		w.note("What column " + tableLabel(t) + "." + c.Name + " counts from and by is not known, as the server does not tell it: it is made as IDENTITY, which is (1,1).")
	}
	addTable(&w.steps, w.schema, w.typed(t))
}

// noteKind notes what of a table's kind the script does not make.
func (w *writer) noteKind(t *designer.Table) {
	if k := t.Options[OptionStorage]; k != "" {
		w.note("Table " + tableLabel(t) + " is a " + k + " table: it is made as an ordinary one.")
	}
	places := []string{t.Options[OptionPlace]}
	if t.PrimaryKey != nil {
		places = append(places, t.PrimaryKey.Options[OptionPlace])
	}
	for _, x := range t.Indexes {
		places = append(places, x.Options[OptionPlace])
	}
	for _, place := range places {
		if place != "" {
			w.note("Table " + tableLabel(t) + " or an index of it lies on " + place + ": the script puts it on the default filegroup, without partitions.")
		}
	}
	for _, c := range t.Columns {
		if c.Options[OptionEncrypted] != "" {
			w.note("Column " + tableLabel(t) + "." + c.Name + " is encrypted (Always Encrypted): it is made as an ordinary one.")
		}
	}
}

// typed is a table as the script can make it: XML of a schema collection whose
// text is not known is any XML.
func (w *writer) typed(t *designer.Table) *designer.Table {
	next := *t
	next.Columns = slices.Clone(t.Columns)
	for i := range next.Columns {
		c := &next.Columns[i]
		if name, is := xmlSchemaOf(*c); is && !w.makes(name) {
			w.note("Column " + tableLabel(t) + "." + c.Name + " is of XML schema collection " + name + ", whose text is not known: it is made for any XML.")
			c.TypeText = ""
		}
	}
	return &next
}

// makes reports whether the script makes the XML schema collection.
func (w *writer) makes(collection string) bool {
	return slices.ContainsFunc(w.schema.Objects(), func(o designer.Object) bool {
		return o.Kind == designer.ObjectXMLSchema && o.Definition != "" && strings.EqualFold(qualified(o.Schema, o.Name), collection)
	})
}

// xmlSchemaOf is the quoted name of the collection that a column's XML is
// checked against.
func xmlSchemaOf(c designer.Column) (name string, is bool) {
	text, is := strings.CutPrefix(c.TypeText, "xml(")
	return strings.TrimSuffix(text, ")"), is && strings.EqualFold(c.DataType, "xml")
}
