package convert

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// domain is a type of the database's own that is another type with a default,
// NOT NULL and checks: a domain of PostgreSQL, an alias type of SQL Server.
type domain struct {
	base    designer.Column // nothing but its type
	notNull bool
	def     string
	checks  [][]designer.Token // conditions, in which VALUE stands for the value
}

// maxDomains bounds how deep domains of domains are followed.
const maxDomains = 16

// domains puts in the place of each domain what it is made of, which the other
// dialect has.
func (c *converter) domains(t *table) {
	columns := slices.Clone(t.old.Columns)
	for i := range columns {
		col, depth := &columns[i], 0
		for o := c.typeObject(col.DataType); o != nil && depth < maxDomains; o = c.typeObject(col.DataType) {
			d, ok := c.readDomain(o.Definition)
			if !ok {
				break
			}
			depth++
			was := col.DataType
			c.unfold(t, col, d)
			c.note(t, col.Name, "%s is a type of the database's own: the column is of %s, which that is made of", was, c.from.TypeText(*col))
			c.unfolded[o.Schema+"."+o.Name] = true
		}
	}
	t.old.Columns = columns
}

// typeObject finds a type of the database's own, nil where there is none of
// the name.
func (c *converter) typeObject(dataType string) *designer.Object {
	name := strings.ReplaceAll(dataType, `"`, "")
	for i, o := range c.def.Objects {
		if o.Kind == designer.ObjectType && (strings.EqualFold(name, o.Name) || strings.EqualFold(name, o.Schema+"."+o.Name)) {
			return &c.def.Objects[i]
		}
	}
	return nil
}

// unfold makes a column one of what its domain is made of.
func (c *converter) unfold(t *table, col *designer.Column, d domain) {
	b := d.base
	col.DataType, col.TypeText, col.MaxLength, col.Precision, col.Scale, col.Values = b.DataType, b.TypeText, b.MaxLength, b.Precision, b.Scale, b.Values
	if d.notNull {
		col.IsNullable = false
	}
	if col.DefaultValue == "" && !col.IsComputed && !col.IsIdentity {
		col.DefaultValue = d.def
	}
	for _, condition := range d.checks {
		var b strings.Builder
		for _, token := range condition {
			if is(token, "VALUE") {
				b.WriteString(c.from.QuoteIdentifier(col.Name))
				continue
			}
			b.WriteString(token.Text)
		}
		t.old.Checks = append(slices.Clone(t.old.Checks), designer.CheckDefinition{
			Name: t.old.Name + "_" + col.Name + "_check", Expression: b.String()})
	}
}

// readDomain reads CREATE DOMAIN … AS and CREATE TYPE … FROM. ok is false for
// other types.
func (c *converter) readDomain(definition string) (d domain, ok bool) {
	tokens, ok := c.from.Tokens(definition)
	if !ok {
		return d, false
	}
	begins := ""
	switch {
	case strings.HasPrefix(definition, "CREATE DOMAIN "):
		begins = "AS"
	case strings.HasPrefix(definition, "CREATE TYPE "):
		begins = "FROM"
	}
	at := slices.IndexFunc(tokens, func(t designer.Token) bool { return begins != "" && is(t, begins) })
	if at < 0 {
		return d, false
	}
	end := clauseEnd(tokens, at+1)
	base, refused := c.from.ReadType(plainType(tokens[at+1 : end]))
	d.base = base
	for at = end; at < len(tokens); at = end {
		end = clauseEnd(tokens, at+1)
		switch clause := tokens[at:end]; {
		case is(clause[0], "NOT"):
			d.notNull = begins == "AS" // an alias type leaves it to the column
		case is(clause[0], "DEFAULT"):
			d.def = textOf(clause[1:])
		case is(clause[0], "CHECK"):
			d.checks = append(d.checks, clause[1:])
		}
	}
	return d, refused == nil
}

// plainType is a type as columns have it, without quotes around words.
func plainType(tokens []designer.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.Kind == designer.TokenIdentifier {
			b.WriteString(t.Name)
		} else {
			b.WriteString(t.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

func textOf(tokens []designer.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return strings.TrimSpace(b.String())
}

// clauseEnd returns where the clause that at is in ends: at the next word that
// begins one and stands in no parentheses.
func clauseEnd(tokens []designer.Token, at int) int {
	depth := 0
	for i := at; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.Kind == designer.TokenOther && t.Text == "(":
			depth++
		case t.Kind == designer.TokenOther && t.Text == ")":
			depth--
		case depth == 0 && (is(t, "COLLATE") || is(t, "DEFAULT") || is(t, "NOT") || is(t, "NULL") || is(t, "CONSTRAINT") || is(t, "CHECK")):
			return i
		}
	}
	return len(tokens)
}
