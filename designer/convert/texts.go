package convert

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// texts converts the SQL text of a table's columns and checks.
func (c *converter) texts(t *table) {
	for i, old := range t.old.Columns {
		col := &t.out.Columns[i]
		lost := func(format string, args ...any) { c.note(t, old.Name, format, args...) }
		switch {
		case old.IsComputed:
			c.formula(t, old, col)
		case !old.IsIdentity:
			col.DefaultValue = c.defaultOf(t, old, *col, lost)
		}
	}
	for _, k := range t.old.Checks {
		c.check(t, k.Name, k.Expression)
	}
	for _, old := range t.old.Columns {
		if text := old.Options["check"]; text != "" && c.from.Name == "mysql" {
			c.check(t, "", text)
		}
		if values, ok := t.values[old.Name]; ok {
			list, ok := c.literals(values)
			if !ok {
				c.note(t, old.Name, "any text is taken, not only the values of its type: %s cannot hold them all", c.to.Title)
				continue
			}
			t.out.Checks = append(t.out.Checks, designer.CheckDefinition{
				Name:       c.free(t.out.Schema, "CK_"+t.out.Name+"_"+t.columns[old.Name], constraints),
				Expression: c.to.QuoteIdentifier(t.columns[old.Name]) + " IN (" + list + ")"})
		}
	}
}

// literals returns a list of string literals; ok is false where the other
// dialect cannot hold one of them.
func (c *converter) literals(values []string) (list string, ok bool) {
	out := make([]string, len(values))
	for i, v := range values {
		if out[i], ok = c.quoted(v); !ok {
			return "", false
		}
	}
	return strings.Join(out, ", "), true
}

// formula converts a computed column; one whose formula cannot be converted
// becomes a plain one.
func (c *converter) formula(t *table, old designer.Column, col *designer.Column) {
	text, ok := c.expressionOf(t, col, old.ComputedFormula, inFormula)
	if !ok {
		col.IsNullable = true
		c.note(t, old.Name, "the formula %s has no equivalent in %s: the column is a plain one", excerpt(old.ComputedFormula), c.to.Title)
		return
	}
	col.IsComputed, col.ComputedFormula, col.ComputedPersisted = true, text, old.ComputedPersisted
	if c.to.Columns.Computed == designer.ComputedStored && !old.ComputedPersisted {
		col.ComputedPersisted = true
		c.note(t, old.Name, "the formula's value is stored: %s computes none while it reads", c.to.Title)
	}
	if !col.IsNullable && c.to.Name != "postgres" {
		col.IsNullable = true // not every server takes NOT NULL there
		c.note(t, old.Name, "NOT NULL is left out of a computed column")
	}
}

func (c *converter) check(t *table, name, expression string) {
	text, ok := c.expression(t, expression, inCheck)
	if !ok {
		c.note(t, cmp.Or(name, "check"), "the check %s is left out: it has no equivalent in %s", excerpt(expression), c.to.Title)
		return
	}
	if counter := t.counterIn(c.to, text); counter != "" && !c.can().freeCounter {
		c.note(t, cmp.Or(name, "check"), "the check %s is left out: %s counts %s up, and no check may name such a column there", excerpt(expression), c.to.Title, counter)
		return
	}
	t.out.Checks = append(t.out.Checks, designer.CheckDefinition{Name: c.checkName(t, name), Expression: text})
}

// counterIn is the identity column of the result that a text names, "" for
// none.
func (t *table) counterIn(d *designer.Dialect, text string) string {
	tokens, _ := d.Tokens(text)
	for _, col := range t.out.Columns {
		if col.IsIdentity && slices.ContainsFunc(tokens, func(one designer.Token) bool {
			return one.Kind == designer.TokenIdentifier && strings.EqualFold(one.Name, col.Name)
		}) {
			return col.Name
		}
	}
	return ""
}

// checkName gives a check without a name one where every check has one.
func (c *converter) checkName(t *table, name string) string {
	if name == "" && c.to.Name != "sqlite" {
		return c.free(t.out.Schema, "CK_"+t.out.Name, constraints)
	}
	return c.partName(t, "check", name, constraints)
}

// basicPlane takes the characters beyond U+FFFF out of what the other
// dialect's catalogue keeps, where it keeps none.
func (c *converter) basicPlane(t *table) {
	if !c.to.Names.BasicPlane {
		return
	}
	replaced := func(part, what, text string) string {
		out := withoutPlanes(text, '\ufffd')
		if out != text {
			c.note(t, part, "the %s has characters beyond U+FFFF, which %s cannot keep there: they are replaced", what, c.to.Title)
		}
		return out
	}
	t.out.Comment = replaced("", "comment", t.out.Comment)
	for i := range t.out.Columns {
		col := &t.out.Columns[i]
		col.Comment = replaced(col.Name, "comment", col.Comment)
		col.DefaultValue = replaced(col.Name, "default", col.DefaultValue)
		for j, v := range col.Values {
			col.Values[j] = replaced(col.Name, "value "+excerpt(v), v)
		}
	}
}

// withoutPlanes replaces the characters beyond U+FFFF.
func withoutPlanes(text string, by rune) string {
	return strings.Map(func(r rune) rune {
		if r > 0xffff {
			return by
		}
		return r
	}, text)
}
