package designer

import (
	"slices"
	"strconv"

	"github.com/berth-dev/berth/designer/sqltext"
)

// values renames and adds the values of the types that stay, and changes their
// comments.
func (p *typePlanner) values() {
	for _, td := range p.d.Types {
		if td.From == nil || td.To == nil || p.wanted[td.To.ID] == nil {
			continue
		}
		if !td.From.Domain.Equal(td.To.Domain) {
			p.step(TypeStep{Do: SetDomain, Was: td.From, Is: td.To})
		}
		p.addValues(p.renameValues(p.now[td.To.ID], td.To), td.To)
		if td.From.Comment != td.To.Comment {
			p.step(TypeStep{Do: CommentOnType, Was: td.From, Is: td.To})
		}
		p.now[td.To.ID] = td.To
	}
}

// renameValues gives the values that stay their new names. Where one waits for
// a name that another one has, that has a temporary one in between.
func (p *typePlanner) renameValues(t, to *NamedType) *NamedType {
	for {
		moved, waiting := false, -1
		for i, v := range t.Values {
			at := slices.IndexFunc(to.Values, func(w TypeValue) bool { return w.ID == v.ID })
			if at < 0 {
				continue // it goes with its type
			}
			want := to.Values[at].Name
			switch holder := valueAt(t.Values, want); {
			case want == v.Name:
			case holder >= 0:
				waiting = holder
			default:
				t = p.renameValue(t, i, want)
				moved = true
			}
		}
		if !moved && waiting < 0 {
			return t
		}
		if !moved {
			t = p.renameValue(t, waiting, freeValue(t.Values, to.Values))
		}
	}
}

func (p *typePlanner) renameValue(t *NamedType, i int, name string) *NamedType {
	next := t.Clone()
	next.Values[i].Name = name
	p.step(TypeStep{Do: RenameValue, Was: t, Is: next, Value: t.Values[i].Name, NewValue: name})
	return next
}

// freeValue returns a value that none of the lists has.
func freeValue(lists ...[]TypeValue) string {
	for n := 1; ; n++ {
		if name := "value" + strconv.Itoa(n); valueAt(slices.Concat(lists...), name) < 0 {
			return name
		}
	}
}

// addValues adds the values that only to has, each behind the one before it.
func (p *typePlanner) addValues(t, to *NamedType) {
	for i, v := range to.Values {
		if slices.ContainsFunc(t.Values, func(w TypeValue) bool { return w.ID == v.ID }) {
			continue
		}
		s := TypeStep{Do: AddValue, Was: to, Is: to, Value: v.Name}
		if i > 0 {
			s.Behind = &to.Values[i-1].Name
		} else if len(t.Values) > 0 {
			s.Ahead = &t.Values[0].Name
		}
		p.step(s)
	}
}

// usedAtOnce finds an enum that gets a value which SQL text of a table uses;
// nil: there is none.
func (p *typePlanner) usedAtOnce() (*NamedType, string) {
	for _, td := range p.d.Types {
		if td.From == nil || td.To == nil || p.wanted[td.To.ID] == nil {
			continue
		}
		added := map[string]bool{}
		for _, v := range td.To.Values {
			added[v.Name] = !slices.ContainsFunc(td.From.Values, func(w TypeValue) bool { return w.ID == v.ID })
		}
		for _, t := range p.d.To.Tables() {
			was := p.Before.ByID(t.ID)
			if was == t {
				continue
			}
			if value := p.usedValue(t, was, added); value != "" {
				return td.From, value
			}
		}
	}
	return nil, ""
}

// usedValue returns a value that SQL text of t has as a string and that of was
// has not; "": there is none.
func (p *typePlanner) usedValue(t, was *Table, values map[string]bool) string {
	d := p.d.To.dialect
	before, found := d.stringsOf(was), ""
	for value := range d.stringsOf(t) {
		if values[value] && !before[value] && (found == "" || value < found) {
			found = value
		}
	}
	return found
}

// stringsOf lists the strings in the SQL text of a table, which may be nil.
func (d *Dialect) stringsOf(t *Table) map[string]bool {
	found := map[string]bool{}
	if t == nil {
		return found
	}
	note := func(text string) {
		for _, token := range d.scan(text) {
			if token.Kind == sqltext.String && !token.Unclosed {
				_, value := d.stringValue(token.Text)
				found[value] = true
			}
		}
	}
	for _, c := range t.Columns {
		note(c.DefaultValue)
		note(c.ComputedFormula)
	}
	for _, k := range t.Checks {
		note(k.Expression)
	}
	for _, x := range t.Indexes {
		note(x.Where)
		for _, k := range x.Parts {
			note(k.Expression)
		}
	}
	return found
}
