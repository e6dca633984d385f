package designer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// LoadResult is what a script or a file makes, as it was read.
type LoadResult struct {
	Definition
	// LeftOut is what it says beside that no definition holds, such as rows
	// and rights, in the order in which it was met.
	LeftOut []Omission
	// Notes say one by one what is not as the text has it, with the line where
	// there is one.
	Notes []string
}

// Omission is one kind of what a script or a file says and a design does not
// take over.
type Omission struct {
	What  string   // one of its kind, in words: "view", "INSERT statement"
	Count int      // of all there are
	Names []string // each once; some, or all, may have none
}

// Omit notes count things more that are left out; none is none. The name may
// be "".
func (l *LoadResult) Omit(what, name string, count int) {
	l.LeftOut = omit(l.LeftOut, what, name, count)
}

func omit(list []Omission, what, name string, count int) []Omission {
	if count == 0 {
		return list
	}
	i := slices.IndexFunc(list, func(o Omission) bool { return o.What == what })
	if i < 0 {
		i = len(list)
		list = append(list, Omission{What: what})
	}
	list[i].Count += count
	if name != "" && !slices.Contains(list[i].Names, name) {
		list[i].Names = append(list[i].Names, name)
	}
	return list
}

// String says what is left out, counted and with the first names.
func (l Omission) String() string {
	const most = 5
	what, are := l.What, "is"
	if l.Count != 1 {
		what, are = plural(what), "are"
	}
	text := fmt.Sprintf("%d %s %s left out", l.Count, what, are)
	if len(l.Names) == 0 {
		return text
	}
	names := mapEach(l.Names[:min(most, len(l.Names))], clip.Name)
	text += ": " + strings.Join(names, ", ")
	if more := len(l.Names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func plural(what string) string {
	first, rest, of := strings.Cut(what, " about ")
	if of {
		return plural(first) + " about " + rest
	}
	switch {
	case strings.HasSuffix(what, "y"):
		return strings.TrimSuffix(what, "y") + "ies"
	case strings.HasSuffix(what, "s"): // statistics
		return what
	case strings.HasSuffix(what, "h"):
		return what + "es"
	}
	return what + "s"
}

// NotImported lists what def has and [Schema.Import] does not take over from
// it, since a design carries it as its database has it: views, triggers and
// the other objects, and comments where the dialect keeps none. What the
// design has just so is not listed.
func (s *Schema) NotImported(def Definition) []Omission {
	n := &omissions{s: s}
	for _, v := range def.Views {
		if !slices.ContainsFunc(s.views, func(w View) bool {
			return n.named(v.Schema, v.Name, w.Schema, w.Name) && sameText(v.Definition, w.Definition)
		}) {
			n.add("view", v.Schema, v.Name, "")
		}
	}
	for _, o := range def.Objects {
		if !s.dialect.EditsType(o) && !slices.ContainsFunc(s.carried, func(p Object) bool { return n.sameObject(o, p) }) {
			n.add(string(o.Kind), o.Schema, o.Name, o.Table)
		}
	}
	for _, t := range def.Tables {
		n.triggers(t, def.Objects)
		n.comments(t)
	}
	return n.list
}

// omissions collects what an import does not take over.
type omissions struct {
	s    *Schema
	list []Omission
}

// add notes an object, with its schema where that is not the default one. of
// is the table that has it, if any.
func (n *omissions) add(what, schema, name, of string) {
	if schema != "" && Fold(schema) != Fold(n.s.defaultSchema) {
		name = schema + "." + name
	}
	if of != "" {
		name += " of " + of
	}
	n.list = omit(n.list, what, name, 1)
}

func (n *omissions) named(schema, name, otherSchema, other string) bool {
	return n.s.keyOf(schema, name) == n.s.keyOf(otherSchema, other)
}

// sameObject reports whether p is what o says. An extension is another where
// its name is; what its version is, is the server's.
func (n *omissions) sameObject(o, p Object) bool {
	return o.Kind == p.Kind && n.named(o.Schema, o.Name, p.Schema, p.Name) && Fold(o.Table) == Fold(p.Table) &&
		(o.Kind == ObjectExtension || sameText(o.Definition, p.Definition) || len(o.Values) > 0 && slices.Equal(o.Values, p.Values))
}

func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// triggers notes those of a table that are not among the objects.
func (n *omissions) triggers(t TableDefinition, objects []Object) {
	var own []string
	if ids := n.s.names[n.s.keyOf(t.Schema, t.Name)]; len(ids) == 1 {
		own = n.s.entries[ids[0]].table.Triggers
	}
	for _, name := range t.Triggers {
		listed := slices.ContainsFunc(objects, func(o Object) bool { return o.Kind == ObjectTrigger && o.Name == name })
		if !listed && !slices.Contains(own, name) {
			n.add(string(ObjectTrigger), "", name, t.Name)
		}
	}
}

func (n *omissions) comments(t TableDefinition) {
	if n.s.dialect.keepsComments() {
		return
	}
	if t.Comment != "" {
		n.add("comment", t.Schema, t.Name, "")
	}
	for _, c := range t.Columns {
		if c.Comment != "" {
			n.add("comment", t.Schema, t.Name, "")
		}
	}
}

// keepsComments reports whether a database of the dialect would tell a table's
// comment again.
func (d *Dialect) keepsComments() bool {
	if d.Settle == nil {
		return true
	}
	t := &Table{Comment: "?"}
	d.Settle(t)
	return t.Comment != ""
}
