package postgres

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// typePlanner makes the named types of d.From those of d.To, before anything
// is made of tables. An enum that loses a value, or whose values change their
// order, is set aside under another name while a new one takes its place; its
// columns then change from the one to the other as from any type to another.
type typePlanner struct {
	steps
	d        *designer.Diff
	now      map[designer.ID]*designer.NamedType // the types as they are after the steps so far
	wanted   map[designer.ID]*designer.NamedType // of now, those that stay, as they are in the end
	aside    []*designer.NamedType               // of now, those that go in the end
	replaced []*designer.NamedType               // of d.From, those that a new one takes the place of
	again    map[designer.ID]string              // those of them that only get values, with one that is used at once
}

// typePlan is what is done about named types.
type typePlan struct {
	typePlanner
	before *designer.Schema // the database once the steps have run
}

// planTypes plans what differs in named types; nil: nothing does. The server
// does not let a transaction use a value that it has added to an enum itself:
// where SQL text of a table does, the enum is made again with the value.
func planTypes(d *designer.Diff) (*typePlan, error) {
	if len(d.Types) == 0 {
		return nil, nil
	}
	again := map[designer.ID]string{}
	for {
		p := &typePlan{typePlanner: typePlanner{d: d, again: again, now: map[designer.ID]*designer.NamedType{}, wanted: map[designer.ID]*designer.NamedType{}}}
		if err := p.make(); err != nil {
			return nil, err
		}
		t, value := p.usedAtOnce()
		if t == nil {
			p.noteAgain()
			return p, nil
		}
		again[t.ID] = value
	}
}

func (p *typePlan) make() error {
	for _, t := range p.d.From.NamedTypes() {
		p.now[t.ID] = t
	}
	p.setAside()
	p.rename()
	p.values()
	p.create()
	return p.midway()
}

// noteAgain says why types are made again that only get values.
func (p *typePlan) noteAgain() {
	for _, t := range p.replaced {
		if value := p.again[t.ID]; value != "" {
			p.notes = append(p.notes, "Type "+qualifiedPlain(t.Schema, t.Name)+" is made again, and the tables that have it are rewritten, because its new value "+
				literal(value)+" is used at once: publish the value first to avoid that.")
		}
	}
}

// setAside gives the types that go another name where theirs is needed.
func (p *typePlanner) setAside() {
	for _, td := range p.d.Types {
		switch {
		case td.From == nil:
		case td.To == nil:
			old := td.From
			if p.isNeeded(old.TypeName()) {
				old = p.moveAside(old)
			}
			p.aside = append(p.aside, old)
		case !td.From.GrowsTo(td.To), p.again[td.From.ID] != "":
			p.replaced = append(p.replaced, td.From)
			old := p.moveAside(td.From)
			delete(p.now, td.From.ID)
			p.renameValues(old, old.Values, td.To)
			old.ID = "old " + td.From.ID
			p.now[old.ID] = old
			p.aside = append(p.aside, old)
		default:
			p.wanted[td.From.ID] = td.To
		}
	}
}

// isNeeded reports whether the database has something else of that name in the
// end.
func (p *typePlanner) isNeeded(name designer.TableName) bool {
	return len(p.d.To.TypesNamed(name))+len(p.d.To.Named(name)) > 0
}

// moveAside gives a type a temporary name. The result is a copy.
func (p *typePlanner) moveAside(t *designer.NamedType) *designer.NamedType {
	stem := t.Name
	for len(stem) > maxName-12 {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	for n := 1; ; n++ {
		name := stem + "_old" + strconv.Itoa(n)
		if !p.taken(t.Schema, name) && !p.isNeeded(designer.TableName{Schema: t.Schema, Name: name}) {
			return p.renameTo(t, t.Schema, name)
		}
	}
}

// taken reports whether a type or table has the name now.
func (p *typePlanner) taken(schema, name string) bool {
	for _, t := range p.now {
		if t.Schema == schema && t.Name == name {
			return true
		}
	}
	return slices.ContainsFunc(p.d.From.Named(designer.TableName{Schema: schema, Name: name}), func(t *designer.Table) bool { return t.Name == name })
}

// renameTo gives a type another name, or another schema, in one step.
func (p *typePlanner) renameTo(t *designer.NamedType, schema, name string) *designer.NamedType {
	next := t.Clone()
	next.Schema, next.Name = schema, name
	what, change, back := "rename", " RENAME TO "+ident(name), " RENAME TO "+ident(t.Name)
	if schema != t.Schema {
		what, change, back = "move", " SET SCHEMA "+ident(schema), " SET SCHEMA "+ident(t.Schema)
	}
	p.add(nil, what+" type "+qualifiedPlain(t.Schema, t.Name), "ALTER TYPE "+qualified(t.Schema, t.Name)+change, "ALTER TYPE "+qualified(schema, name)+back)
	p.now[t.ID] = next
	return next
}

// rename brings the types that stay to their names. Where they wait for one
// another in a circle, one has a temporary name in between.
func (p *typePlanner) rename() {
	for {
		moved, waiting := false, []*designer.NamedType(nil)
		for _, td := range p.d.Types {
			if td.From == nil || p.wanted[td.From.ID] == nil {
				continue
			}
			want := p.wanted[td.From.ID]
			switch t := p.now[td.From.ID]; {
			case t.Schema == want.Schema && t.Name == want.Name:
			case t.Name != want.Name && !p.taken(t.Schema, want.Name):
				p.renameTo(t, t.Schema, want.Name)
				moved = true
			case t.Schema != want.Schema && !p.taken(want.Schema, t.Name):
				p.renameTo(t, want.Schema, t.Name)
				moved = true
			default:
				waiting = append(waiting, t)
			}
		}
		if !moved && len(waiting) == 0 {
			return
		}
		if !moved {
			p.moveAside(waiting[0])
		}
	}
}

// values renames and adds the values of the types that stay, and changes their
// comments.
func (p *typePlanner) values() {
	for _, td := range p.d.Types {
		if td.From == nil || td.To == nil || p.wanted[td.To.ID] == nil {
			continue
		}
		now := p.now[td.To.ID]
		values := slices.Clone(now.Values)
		p.renameValues(now, values, td.To)
		p.addValues(values, td.To)
		if td.From.Comment != td.To.Comment {
			p.add(nil, "comment on type "+qualifiedPlain(td.To.Schema, td.To.Name), commentOnType(td.To.Schema, td.To.Name, td.To.Comment),
				commentOnType(td.To.Schema, td.To.Name, td.From.Comment))
		}
		p.now[td.To.ID] = td.To
	}
}

func (p *typePlanner) alterType(t *designer.NamedType, what, change, back string) {
	start := "ALTER TYPE " + qualified(t.Schema, t.Name)
	if back != "" {
		back = start + back
	}
	p.add(nil, what+" type "+qualifiedPlain(t.Schema, t.Name), start+change, back)
}

// renameValues gives values their new names; values is written to.
func (p *typePlanner) renameValues(t *designer.NamedType, values []designer.TypeValue, to *designer.NamedType) {
	for {
		moved, waiting := false, -1
		for i, v := range values {
			at := slices.IndexFunc(to.Values, func(w designer.TypeValue) bool { return w.ID == v.ID })
			if at < 0 {
				continue // it goes with its type
			}
			want := to.Values[at].Name
			switch holder := slices.IndexFunc(values, func(w designer.TypeValue) bool { return w.Name == want }); {
			case want == v.Name:
			case holder >= 0:
				waiting = holder
			default:
				p.renameValue(t, &values[i], want)
				moved = true
			}
		}
		if !moved && waiting < 0 {
			return
		}
		if !moved {
			p.renameValue(t, &values[waiting], freeValue(values, to.Values))
		}
	}
}

func (p *typePlanner) renameValue(t *designer.NamedType, v *designer.TypeValue, name string) {
	p.alterType(t, "rename value "+v.Name+" of", " RENAME VALUE "+literal(v.Name)+" TO "+literal(name),
		" RENAME VALUE "+literal(name)+" TO "+literal(v.Name))
	v.Name = name
}

// freeValue returns a value that none of the lists has.
func freeValue(lists ...[]designer.TypeValue) string {
	for n := 1; ; n++ {
		name := "value" + strconv.Itoa(n)
		if !slices.ContainsFunc(slices.Concat(lists...), func(v designer.TypeValue) bool { return v.Name == name }) {
			return name
		}
	}
}

// addValues adds the values that only to has, each behind the one before it.
func (p *typePlanner) addValues(values []designer.TypeValue, to *designer.NamedType) {
	for i, v := range to.Values {
		if slices.ContainsFunc(values, func(w designer.TypeValue) bool { return w.ID == v.ID }) {
			continue
		}
		where := ""
		if i > 0 {
			where = " AFTER " + literal(to.Values[i-1].Name)
		} else if len(values) > 0 {
			where = " BEFORE " + literal(values[0].Name)
		}
		p.alterType(to, "add value "+v.Name+" to", " ADD VALUE "+literal(v.Name)+where, "")
	}
}

// create makes the types that are new and those that take the place of others.
func (p *typePlanner) create() {
	for _, td := range p.d.Types {
		if td.To == nil || td.From != nil && p.wanted[td.To.ID] != nil {
			continue
		}
		t := td.To
		p.add(nil, "create type "+qualifiedPlain(t.Schema, t.Name), defineType(t), "DROP TYPE "+qualified(t.Schema, t.Name))
		if t.Comment != "" {
			p.add(nil, "comment on type "+qualifiedPlain(t.Schema, t.Name), commentOnType(t.Schema, t.Name, t.Comment), "")
		}
		if td.From != nil {
			p.run(nil, "rights on type "+qualifiedPlain(t.Schema, t.Name), td.From.Grants...)
		}
		p.now[t.ID] = t
	}
}

// midway is the database after the steps: its tables have the types under the
// names of then, and its views, which are put back at the end, under those of
// the end.
func (p *typePlan) midway() error {
	from := p.d.From
	var then []*designer.NamedType
	names := map[designer.ID]*designer.NamedType{} // by the ids of before
	for id, t := range p.now {
		then = append(then, t)
		names[id] = t
	}
	for _, t := range p.replaced {
		old := p.now["old "+t.ID].Clone()
		old.ID = t.ID
		names[t.ID] = old
	}
	var list []*designer.NamedType
	for _, t := range names {
		list = append(list, t)
	}
	tables, follow := from.Tables(), from.Following(list)
	for i, t := range tables {
		tables[i] = follow.Table(t)
	}
	opts := from.Options()
	opts.Catalog.Types = then
	opts.Catalog.Views = slices.Clone(opts.Catalog.Views)
	end := from.Following(p.d.To.NamedTypes())
	for i, v := range opts.Catalog.Views {
		opts.Catalog.Views[i].Definition = end.Text(v.Definition)
	}
	var err error
	p.before, err = designer.Restore(from.Dialect(), tables, opts)
	return err
}

// drop takes away the types that go, when no column has them any more.
func (p *typePlan) drop() []designer.Step {
	b := &steps{}
	for _, t := range p.aside {
		b.add(nil, "drop type "+qualifiedPlain(t.Schema, t.Name), "DROP TYPE "+qualified(t.Schema, t.Name), defineType(t))
	}
	return b.list
}

// usedAtOnce finds an enum that gets a value which SQL text of a table uses;
// nil: there is none.
func (p *typePlan) usedAtOnce() (*designer.NamedType, string) {
	for _, td := range p.d.Types {
		if td.From == nil || td.To == nil || p.wanted[td.To.ID] == nil {
			continue
		}
		added := addedValues(td.From, td.To)
		if len(added) == 0 {
			continue
		}
		for _, t := range p.d.To.Tables() {
			was := p.before.ByID(t.ID)
			if was == t {
				continue
			}
			if value := usedValue(t, was, added); value != "" {
				return td.From, value
			}
		}
	}
	return nil, ""
}

// addedValues are the values that only to has.
func addedValues(from, to *designer.NamedType) map[string]bool {
	added := map[string]bool{}
	for _, v := range to.Values {
		if !slices.ContainsFunc(from.Values, func(w designer.TypeValue) bool { return w.ID == v.ID }) {
			added[v.Name] = true
		}
	}
	return added
}

// usedValue returns a value that SQL text of t has as a string and that of was
// has not; "": there is none.
func usedValue(t, was *designer.Table, values map[string]bool) string {
	before := stringsOf(was)
	found := ""
	for value := range stringsOf(t) {
		if values[value] && !before[value] && (found == "" || value < found) {
			found = value
		}
	}
	return found
}

// stringsOf lists the strings in the SQL text of a table, which may be nil.
func stringsOf(t *designer.Table) map[string]bool {
	found := map[string]bool{}
	if t == nil {
		return found
	}
	for _, text := range textsOf(t) {
		for _, token := range scan(text) {
			if token.Kind == sqltext.String {
				found[token.Contents()] = true
			}
		}
	}
	return found
}

// textsOf lists the SQL texts of a table.
func textsOf(t *designer.Table) []string {
	var list []string
	for _, c := range t.Columns {
		list = append(list, c.DefaultValue, c.ComputedFormula)
	}
	for _, k := range t.Checks {
		list = append(list, k.Expression)
	}
	for _, x := range t.Indexes {
		list = append(list, x.Where)
		for _, k := range x.Parts {
			list = append(list, k.Expression)
		}
	}
	return list
}
