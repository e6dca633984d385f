package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// renderer writes the statements that make the objects of a schema. What it
// writes reads back as the same model.
type renderer struct{ schema *designer.Schema }

// table is CREATE TABLE with everything that belongs to the table but its
// indexes and triggers. Unique constraints, checks and foreign keys stand
// behind the columns, each on its line.
func (r renderer) table(t *designer.Table) string {
	lines := make([]string, 0, len(t.Columns)+len(t.Indexes)+len(t.Checks)+len(t.ForeignKeys)+1)
	for i := range t.Columns {
		lines = append(lines, r.column(t, &t.Columns[i]))
	}
	if k := t.PrimaryKey; k != nil && !keyInline(t) {
		lines = append(lines, named(k.Name)+"PRIMARY KEY ("+keyColumns(t)+")"+onConflict(k.Options))
	}
	for _, x := range t.Indexes {
		if x.Constraint {
			lines = append(lines, named(x.Name)+"UNIQUE ("+indexKeys(t, x)+")"+onConflict(x.Options))
		}
	}
	for _, k := range t.Checks {
		lines = append(lines, renderCheck(k))
	}
	for _, k := range t.ForeignKeys {
		lines = append(lines, named(k.Name)+"FOREIGN KEY "+idents(mappedColumns(t, k))+" "+r.references(k))
	}
	return "CREATE TABLE " + ident(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)" + renderOptions(t)
}

func renderOptions(t *designer.Table) string {
	var words []string
	if t.Options[OptionStrict] != "" {
		words = append(words, "STRICT")
	}
	if t.Options[OptionWithoutRowID] != "" {
		words = append(words, "WITHOUT ROWID")
	}
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words, ", ")
}

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

// keyInline reports whether the primary key stands with its only column. There
// alone DESC keeps an INTEGER key from being the rowid, and AUTOINCREMENT is
// read by everyone.
func keyInline(t *designer.Table) bool {
	if t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 {
		return false
	}
	c := columnByID(t, t.PrimaryKey.Columns[0])
	return c != nil && c.Options[OptionKeyCollation] == ""
}

func inlineKey(t *designer.Table, c *designer.Column) string {
	if t.PrimaryKey == nil {
		return ""
	}
	text := named(t.PrimaryKey.Name) + "PRIMARY KEY"
	if c.Options[OptionKeyOrder] != "" {
		text += " DESC"
	}
	text += onConflict(t.PrimaryKey.Options)
	if c.IsIdentity {
		text += " AUTOINCREMENT"
	}
	return text
}

func keyColumns(t *designer.Table) string {
	keys := make([]string, 0, len(t.PrimaryKey.Columns))
	for _, id := range t.PrimaryKey.Columns {
		if c := columnByID(t, id); c != nil {
			keys = append(keys, renderKey(ident(c.Name), c.Options[OptionKeyCollation], c.Options[OptionKeyOrder] != ""))
		}
	}
	return strings.Join(keys, ", ")
}

// index is CREATE INDEX; x is no constraint.
func (r renderer) index(t *designer.Table, x designer.Index) string {
	text := "CREATE INDEX "
	if x.Unique {
		text = "CREATE UNIQUE INDEX "
	}
	text += ident(x.Name) + " ON " + ident(t.Name) + " (" + indexKeys(t, x) + ")"
	if x.Where != "" {
		text += " WHERE " + closed(x.Where)
	}
	return text
}

func indexKeys(t *designer.Table, x designer.Index) string {
	keys := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		text := p.Expression
		if c := columnByID(t, p.Column); c != nil {
			text = ident(c.Name)
		}
		keys[i] = renderKey(text, p.Collation, p.Descending)
	}
	return strings.Join(keys, ", ")
}

func renderKey(text, collation string, descending bool) string {
	if collation != "" {
		text += " COLLATE " + ident(collation)
	}
	if descending {
		text += " DESC"
	}
	return text
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
