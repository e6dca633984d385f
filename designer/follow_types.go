package designer

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// Follower gives tables the new names of types and of their values, as a
// database does by itself that keeps numbers rather than names.
type Follower struct {
	s       *Schema // that has the types under their old names
	changes []TypeChange
}

// Following returns a follower of what types, those of another state of s, are
// called there.
func (s *Schema) Following(types []*NamedType) Follower {
	var changes []TypeChange
	for _, t := range types {
		if was := s.NamedType(t.ID); was != nil {
			changes = append(changes, TypeChange{was, t})
		}
	}
	return s.following(changes)
}

// following returns a follower of the changes that give another name to a type
// or to a value of one.
func (s *Schema) following(changes []TypeChange) Follower {
	f := Follower{s: s}
	for _, c := range changes {
		if c.Before == nil || c.After == nil {
			continue
		}
		if c.Before.Schema != c.After.Schema || c.Before.Name != c.After.Name || len(renamedValues(c)) > 0 {
			f.changes = append(f.changes, c)
		}
	}
	return f
}

// renamedValues returns the new names of values by the old ones.
func renamedValues(c TypeChange) map[string]string {
	names := map[ID]string{}
	for _, v := range c.After.Values {
		names[v.ID] = v.Name
	}
	renamed := map[string]string{}
	for _, v := range c.Before.Values {
		if name, ok := names[v.ID]; ok && name != v.Name {
			renamed[v.Name] = name
		}
	}
	return renamed
}

// Table returns t with the new names; t itself where it has none of the old.
func (f Follower) Table(t *Table) *Table {
	if len(f.changes) == 0 || t == nil {
		return t
	}
	next := t.Clone()
	for i := range next.Columns {
		c := &next.Columns[i]
		change := f.of(*c)
		c.DefaultValue = f.Text(c.DefaultValue)
		c.ComputedFormula = f.Text(c.ComputedFormula)
		if change == nil {
			continue
		}
		if value, ok := f.s.dialect.valueOf(c.DefaultValue); ok && isBareString(c.DefaultValue) {
			if name, ok := renamedValues(*change)[value]; ok {
				c.DefaultValue = f.s.dialect.StringLiteral(name)
			}
		}
		if change.Before.Schema != change.After.Schema || change.Before.Name != change.After.Name {
			of, _ := f.s.dialect.Type(c.DataType)
			c.DataType, c.TypeText = f.s.columnName(change.After), ""
			if strings.HasSuffix(of.Name, "[]") {
				c.DataType += "[]"
			}
		}
	}
	for i := range next.Checks {
		next.Checks[i].Expression = f.Text(next.Checks[i].Expression)
	}
	for i := range next.Indexes {
		x := &next.Indexes[i]
		x.Where = f.Text(x.Where)
		for j := range x.Parts {
			x.Parts[j].Expression = f.Text(x.Parts[j].Expression)
		}
	}
	if next.Equal(t) {
		return t
	}
	return next
}

// of is the change of a column's type, nil if it has none.
func (f Follower) of(c Column) *TypeChange {
	t := f.s.TypeOf(c)
	if t == nil {
		return nil
	}
	i := slices.IndexFunc(f.changes, func(tc TypeChange) bool { return tc.Before.ID == t.ID })
	if i < 0 {
		return nil
	}
	return &f.changes[i]
}

// Text returns SQL text with the new names of types that something is cast to,
// and of the values that are.
func (f Follower) Text(text string) string {
	if text == "" || len(f.changes) == 0 {
		return text
	}
	tokens := f.s.dialect.scan(text)
	out := mapEach(tokens, func(t sqltext.Token) string { return t.Text })
	for i, t := range tokens {
		if t.Text != "::" && !t.Is("AS") {
			continue
		}
		name := typeNameAfter(tokens, i)
		change := f.named(name)
		if change == nil {
			continue
		}
		f.rename(out, name, change)
		if before := previous(tokens, i); before >= 0 && tokens[before].Kind == sqltext.String {
			if value, ok := f.s.dialect.valueOf(tokens[before].Text); ok {
				if now, renamed := renamedValues(*change)[value]; renamed {
					out[before] = f.s.dialect.StringLiteral(now)
				}
			}
		}
	}
	return strings.Join(out, "")
}

// typeName is where a type's name is among tokens.
type typeName struct {
	schema, name string
	from, to     int // its tokens; to < from: there is none
}

// typeNameAfter finds the name behind token i.
func typeNameAfter(tokens []sqltext.Token, i int) typeName {
	n := typeName{to: -1}
	at := next(tokens, i)
	if at < 0 || !tokens[at].IsName() {
		return n
	}
	n.name, n.from, n.to = tokens[at].Name, at, at
	if point := next(tokens, at); point >= 0 && tokens[point].Text == "." {
		if last := next(tokens, point); last >= 0 && tokens[last].IsName() {
			n.schema, n.name, n.to = n.name, tokens[last].Name, last
		}
	}
	return n
}

func next(tokens []sqltext.Token, i int) int {
	for i++; i < len(tokens); i++ {
		if k := tokens[i].Kind; k != sqltext.Space && k != sqltext.Comment {
			return i
		}
	}
	return -1
}

func previous(tokens []sqltext.Token, i int) int {
	for i--; i >= 0; i-- {
		if k := tokens[i].Kind; k != sqltext.Space && k != sqltext.Comment {
			return i
		}
	}
	return -1
}

// named is the change of the type that a name means, nil if there is none.
func (f Follower) named(n typeName) *TypeChange {
	if n.to < n.from {
		return nil
	}
	for i, c := range f.changes {
		bare := n.schema == "" && (c.Before.Schema == f.s.defaultSchema || slices.Contains(f.s.dialect.Schemas.Common, c.Before.Schema))
		if strings.EqualFold(n.name, c.Before.Name) && (bare || strings.EqualFold(n.schema, c.Before.Schema)) {
			return &f.changes[i]
		}
	}
	return nil
}

// rename writes the new name in place of the old one.
func (f Follower) rename(out []string, n typeName, c *TypeChange) {
	if c.Before.Schema == c.After.Schema && c.Before.Name == c.After.Name {
		return
	}
	d := f.s.dialect
	text := d.spell(c.After.Name, 0)
	if n.schema != "" || !slices.Contains(d.Schemas.Common, c.After.Schema) {
		text = d.spell(c.After.Schema, 0) + "." + text
	}
	for i := n.from; i <= n.to; i++ {
		out[i] = ""
	}
	out[n.from] = text
}

// valueOf returns the string that an expression is, cast or not.
func (d *Dialect) valueOf(expression string) (value string, ok bool) {
	tokens := sqltext.Significant(d.scan(expression))
	if len(tokens) == 0 || tokens[0].Kind != sqltext.String || len(tokens) > 1 && tokens[1].Text != "::" || tokens[0].Unclosed {
		return "", false
	}
	if !strings.HasPrefix(tokens[0].Text, "'") {
		return "", false
	}
	_, value = d.stringValue(tokens[0].Text)
	return value, true
}

func isBareString(expression string) bool {
	return strings.HasSuffix(strings.TrimSpace(expression), "'")
}
