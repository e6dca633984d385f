package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// renderer writes the statements that make the objects of a schema. What it
// writes reads back as the same model.
type renderer struct{ schema *designer.Schema }

// column is one column with what belongs to it alone.
func (r renderer) column(t *designer.Table, c *designer.Column) string {
	words := []string{ident(c.Name)}
	add := func(when bool, word string) {
		if when {
			words = append(words, word)
		}
	}
	key := keyInline(t) && t.PrimaryKey.Columns[0] == c.ID
	add(typeOf(*c) != "", typeOf(*c))
	add(key, inlineKey(t, c))
	add(!c.IsNullable && (!key || !aliasesRowID(t) || c.Options[OptionOnConflict] != ""), "NOT NULL"+onConflict(c.Options))
	add(c.DefaultValue != "", "DEFAULT "+renderDefault(c.DefaultValue))
	add(c.Collation != "", "COLLATE "+ident(c.Collation))
	add(c.IsComputed && c.ComputedPersisted, "GENERATED ALWAYS AS "+parens(c.ComputedFormula)+" STORED")
	add(c.IsComputed && !c.ComputedPersisted, "GENERATED ALWAYS AS "+parens(c.ComputedFormula)+" VIRTUAL")
	return strings.Join(words, " ")
}

func renderDefault(expression string) string {
	if isLiteral(expression) {
		return expression
	}
	return parens(expression)
}

func renderCheck(k designer.Check) string {
	return named(k.Name) + "CHECK " + parens(k.Expression) + onConflict(k.Options)
}

// named is what stands before a constraint of this name.
func named(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + ident(name) + " "
}

func onConflict(o map[string]string) string {
	if o[OptionOnConflict] == "" {
		return ""
	}
	return " ON CONFLICT " + strings.ToUpper(o[OptionOnConflict])
}
