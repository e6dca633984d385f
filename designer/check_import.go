package designer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// checkImported applies the rules for what an edit could have made to what
// the import changes of one table. old is nil for a new one.
func (s *Schema) checkImported(old, t *Table) *Error {
	if old == nil {
		old = &Table{}
	}
	if err := s.checkImportedName(old, t); err != nil {
		return err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if was := old.column(c.ID); was == nil || !sameColumn(was, c) || was.TypeText != c.TypeText {
			if err := s.checkImportedColumn(t, c, was); err != nil {
				return err
			}
		}
	}
	for _, k := range t.ForeignKeys {
		if err := s.checkImportedKey(old, t, k); err != nil {
			return err
		}
	}
	if t.Comment != old.Comment {
		if err := s.dialect.checkPlane("The comment of table "+clip.Quote(t.Name), t.Comment); err != nil {
			return err
		}
	}
	return s.checkImportedTexts(old, t)
}

// checkImportedName verifies that a table may be called so and is the only one.
func (s *Schema) checkImportedName(old, t *Table) *Error {
	if Fold(old.Name) == Fold(t.Name) && Fold(old.Schema) == Fold(t.Schema) {
		return nil
	}
	if err := s.dialect.checkName("Table", t.Name); err != nil {
		return err
	}
	if err := s.dialect.checkPrefix("Table", t.Name); err != nil {
		return err
	}
	return s.checkTableName(t.Schema, t.Name, t)
}

func (s *Schema) checkImportedKey(old, t *Table, k ForeignKey) *Error {
	was := orZero(findByID(old.ForeignKeys, k.ID, func(k ForeignKey) ID { return k.ID }))
	switch {
	case k.Dangling != nil && was.Dangling == nil:
		label := "Foreign key"
		if k.Name != "" {
			label += " " + clip.Quote(k.Name)
		}
		return invalid("%s of table %s refers to %s.%s (%s), which the design does not have: import that table too",
			label, clip.Quote(t.Name), clip.Name(k.Dangling.Schema), clip.Name(k.Dangling.Table), clip.Name(strings.Join(k.Dangling.Columns, ", ")))
	case k.Name != "" && k.Name != was.Name:
		if err := s.dialect.checkName("Foreign key", k.Name); err != nil {
			return err
		}
	}
	return (rules{state{s: s}}).checkForeignKey(t, k, was)
}

func (s *Schema) checkImportedColumn(t *Table, c, was *Column) *Error {
	d := s.dialect
	if err := d.checkName("Column", c.Name); err != nil {
		return err
	}
	if _, known := d.Type(c.DataType); !known && c.DataType != "" {
		return d.unknownType(c.DataType)
	}
	for _, text := range slices.Concat([]string{c.TypeText, c.DefaultValue, c.ComputedFormula, c.Collation}, optionTexts(c.Options)) {
		if err := d.checkContained("column "+clip.Quote(c.Name), text); err != nil {
			return err
		}
	}
	if err := d.checkPlane("The default, comment or values of column "+clip.Quote(c.Name), c.DefaultValue+c.Comment+strings.Join(c.Values, "")); err != nil {
		return err
	}
	return d.checkKind(t, *c, was)
}

// checkImportedTexts looks at the SQL text of keys, indexes and checks that
// old does not have so.
func (s *Schema) checkImportedTexts(old, t *Table) *Error {
	texts := optionTexts(t.Options)
	if t.PrimaryKey != nil {
		texts = append(texts, optionTexts(t.PrimaryKey.Options)...)
	}
	for _, k := range t.ForeignKeys {
		texts = append(texts, optionTexts(k.Options)...)
	}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		if was := findByID(old.Indexes, x.ID, indexID); was != nil && sameIndex(was, x) {
			continue
		}
		texts = append(texts, x.Where, x.Method)
		texts = append(texts, optionTexts(x.Options)...)
		for _, p := range x.Parts {
			texts = append(texts, p.Expression, p.Collation, p.OpClass, p.Nulls)
		}
	}
	for i := range t.Checks {
		k := &t.Checks[i]
		if was := findByID(old.Checks, k.ID, checkID); was == nil || !sameCheck(was, k) {
			texts = append(texts, k.Expression)
			texts = append(texts, optionTexts(k.Options)...)
		}
	}
	for _, text := range texts {
		if err := s.dialect.checkContained("table "+clip.Quote(t.Name), text); err != nil {
			return err
		}
	}
	return nil
}

func optionTexts(options map[string]string) []string {
	var texts []string
	for _, v := range options {
		texts = append(texts, v)
	}
	slices.Sort(texts)
	return texts
}

// checkContained verifies that SQL text, as a database may have given it,
// cannot reach beyond the place where it stands. Unlike in an edit, strings
// may have escapes, as long as the text ends where it ends whether a server
// reads them or not.
func (d *Dialect) checkContained(of, text string) *Error {
	if text == "" {
		return nil
	}
	problem := ""
	switch {
	case len(text) > maxExpression:
		problem = "is too long"
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		problem = "holds bytes that are no text"
	default:
		problem = d.expressionProblem(text)
	}
	if problem == escapesProblem {
		escaped, plain := *d, *d
		escaped.SQL, plain.SQL = d.sql(), d.sql()
		escaped.SQL.Backslashes = true
		plain.SQL.Backslashes, plain.SQL.EscapePrefix = false, false
		if problem = escaped.reachesOut(text); problem == "" {
			problem = plain.reachesOut(text)
		}
	}
	if problem != "" {
		return invalid("SQL text of %s %s", of, problem)
	}
	return nil
}

func hasKey(t *Table, id ID) bool {
	return slices.ContainsFunc(t.ForeignKeys, func(k ForeignKey) bool { return k.ID == id })
}
