package designer

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

func (o addIndex) check(r rules) *Error {
	if len(o.index.spec.Columns) == 0 {
		return invalid("Index needs at least one column: give columns").At("columns").within("index")
	}
	return r.checkIndex(o.table, o.index).within("index")
}

func (o setIndex) check(r rules) *Error { return r.checkSetIndex(o).within("set") }

func (r rules) checkSetIndex(o setIndex) *Error {
	old, spec := o.index.old, o.index.spec
	if spec.Columns != nil && len(spec.Columns) == 0 {
		return invalid("Index %s needs at least one column: give columns", clip.Quote(label(old.Name, old.ID))).At("columns")
	}
	if old.Constraint {
		if err := r.checkConstraint(o.index); err != nil {
			return err
		}
	}
	if err := r.checkIndex(o.table, o.index); err != nil {
		return err
	}
	return r.checkIndexUsers(o.table, r.table(o.table.ID))
}

// checkConstraint verifies that what q asks of a unique constraint is what one
// can have.
func (r rules) checkConstraint(q indexRequest) *Error {
	name := clip.Quote(label(q.old.Name, q.old.ID))
	fixed := func(what, member string) *Error {
		return invalid("%s is a unique constraint: it stays unique and takes no %s; drop it and add an index", name, what).At(member)
	}
	spec := q.spec
	switch {
	case spec.Unique != nil && !*spec.Unique:
		return fixed("where", "unique")
	case spec.Where != nil && *spec.Where != "":
		return fixed("where", "where")
	case q.index.Method != q.old.Method:
		return fixed("method", "method")
	case len(spec.Include) > 0 && !r.s.dialect.Indexes.ConstraintsInclude:
		return fixed("include", "include")
	}
	for i, p := range spec.Columns {
		switch {
		case p.Expression != "":
			return fixed("expression", "expression").At(item("columns", i))
		case p.Nulls != nil && *p.Nulls != "":
			return fixed("nulls", "nulls").At(item("columns", i))
		case p.OpClass != nil && *p.OpClass != "":
			return fixed("opClass", "opClass").At(item("columns", i))
		case p.Descending && r.s.dialect.Indexes.UnorderedConstraints:
			return invalid("%s is a unique constraint, and in one %s sorts no column descending: leave descending out, or drop it and add an index",
				name, r.s.dialect.Title).At("descending").At(item("columns", i))
		}
	}
	return nil
}

func (o dropIndex) check(r rules) *Error {
	return r.checkIndexUsers(o.table, r.table(o.table.ID)).blame("index")
}

// checkIndex verifies what q asks of an index of t.
func (r rules) checkIndex(t *Table, q indexRequest) *Error {
	if q.index.Name != q.old.Name {
		if err := r.checkIndexName(t, q.index); err != nil {
			return err.At("name")
		}
	}
	if where := q.spec.Where; where != nil && *where != "" {
		if err := r.s.dialect.checkWhere(*where); err != nil {
			return err.At("where")
		}
	}
	if err := r.s.dialect.checkKeys(t, q); err != nil {
		return err
	}
	if err := checkIncluded(t, q); err != nil {
		return err
	}
	return r.s.dialect.checkMethod(t, q)
}

// checkKeys verifies the keys that q gives, one by one.
func (d *Dialect) checkKeys(t *Table, q indexRequest) *Error {
	for i, p := range q.spec.Columns {
		if err := d.checkKey(t, p, q.index.Parts[i], q.noColumns[i]); err != nil {
			return err.At(item("columns", i))
		}
		key := q.index.Parts[i]
		if !slices.ContainsFunc(q.index.Parts[:i], func(k IndexKey) bool { return k.Column == key.Column && k.Expression == key.Expression }) {
			continue
		}
		if key.Column == "" {
			return invalid("Index has expression %s twice", clip.Quote(key.Expression)).At(item("columns", i))
		}
		return invalid("Index names column %s twice", clip.Quote(t.ColumnByID(key.Column).Name)).At(item("columns", i))
	}
	return nil
}

func (d *Dialect) checkKey(t *Table, p IndexPart, key IndexKey, notFound *Error) *Error {
	switch {
	case p.Name != "" && p.Expression != "":
		return badRequest(nil, "A key of an index is a column or an expression: give name or expression, not both").At("expression")
	case p.Name == "" && p.Expression == "":
		return badRequest(nil, "A key of an index needs a name, of a column, or an expression").At("name")
	case notFound != nil:
		return notFound
	case key.Nulls != "" && key.Nulls != "first" && key.Nulls != "last":
		return badRequest(&Hints{NearestNames: []string{"first", "last"}}, "nulls of an index is first or last, not %s", clip.Quote(key.Nulls)).At("nulls")
	case p.Length != nil && (*p.Length < 0 || *p.Length > 0 && p.Expression != ""):
		return invalid("length of an index is how many characters or bytes of a column are indexed, 1 or more: leave it out for all of it").At("length")
	}
	if p.Expression != "" {
		if err := d.checkKeyExpression(t, p.Expression); err != nil {
			return err.At("expression")
		}
	}
	if p.Length != nil && *p.Length > 0 && !d.hasParts(*t.ColumnByID(key.Column)) {
		c := t.ColumnByID(key.Column)
		return invalid("Column %s is of type %s, of which no part can be indexed: leave length out", clip.Quote(c.Name), clip.Name(c.DataType)).At("length")
	}
	if c := p.Collation; c != nil && *c != "" {
		if err := d.checkName("Collation", *c); err != nil {
			return err.At("collation")
		}
	}
	if c := p.OpClass; c != nil && *c != "" {
		if err := d.checkOpClass(*c); err != nil {
			return err.At("opClass")
		}
	}
	return nil
}

// hasParts reports whether the beginning of a column's values can be indexed.
func (d *Dialect) hasParts(c Column) bool {
	info, known := d.Type(c.DataType)
	switch info.Kind {
	case KindChar, KindVarchar, KindNChar, KindNVarchar, KindText, KindBinary, KindVarbinary, KindBlob:
		return true
	}
	return !known
}

// checkKeyExpression verifies that the text is one expression, and no column,
// order or collation, which a key has fields for.
func (d *Dialect) checkKeyExpression(t *Table, text string) *Error {
	const what = "expression of the index"
	if err := d.checkExpression(what, text); err != nil {
		return err
	}
	depth, tokens := 0, sqltext.Significant(d.scan(text))
	for i, token := range tokens {
		switch {
		case token.Is("("):
			depth++
		case token.Is(")"):
			depth--
		case depth > 0 || token.Quote() != 0:
		case token.Is(","):
			return invalid("%s holds several: give each as a key of its own", what)
		case strings.EqualFold(token.Text, "ASC"), strings.EqualFold(token.Text, "DESC"):
			return invalid("%s holds its order: give descending beside it", what)
		case strings.EqualFold(token.Text, "COLLATE") && i == len(tokens)-2:
			return invalid("%s ends in a collation: give collation beside it, or put the whole into parentheses", what)
		}
	}
	for _, c := range t.Columns {
		if len(tokens) == 1 && tokens[0].IsName() && strings.EqualFold(tokens[0].Name, c.Name) {
			return invalid("%s is a column: give it as name, %s", what, clip.Quote(c.Name))
		}
	}
	return nil
}

// checkOpClass verifies that the text is the name of an operator class, which
// may have a schema and parameters.
func (d *Dialect) checkOpClass(text string) *Error {
	const what = "opClass of the index"
	if err := d.checkExpression(what, text); err != nil {
		return err
	}
	tokens := sqltext.Significant(d.scan(text))
	names := 0
	for len(tokens) > 0 && tokens[0].IsName() {
		names++
		if tokens = tokens[1:]; len(tokens) < 2 || !tokens[0].Is(".") {
			break
		}
		tokens = tokens[1:]
	}
	closed, depth := len(tokens) == 0 || tokens[0].Is("("), 0
	for i, token := range tokens {
		switch {
		case token.Is("("):
			depth++
		case token.Is(")"):
			depth--
		}
		closed = closed && (depth > 0 || i == len(tokens)-1)
	}
	if names == 0 || !closed {
		return invalid("%s is a name, such as text_pattern_ops: give that alone", what)
	}
	return nil
}

func checkIncluded(t *Table, q indexRequest) *Error {
	for i, err := range q.noIncluded {
		if err != nil {
			return err.At(item("include", i))
		}
		id := q.index.Include[i]
		if slices.Contains(q.index.Include[:i], id) || slices.ContainsFunc(q.index.Parts, func(p IndexKey) bool { return p.Column == id }) {
			return invalid("Index names column %s twice", clip.Quote(t.ColumnByID(id).Name)).At(item("include", i))
		}
	}
	return nil
}

func (r rules) checkIndexName(t *Table, x Index) *Error {
	if err := r.s.dialect.checkName("Index", x.Name); err != nil {
		return err
	}
	if err := r.s.dialect.checkPrefix("Index", x.Name); err != nil {
		return err
	}
	if r.s.taken(indexName, t, indexNames(t, x.ID), x.Name) {
		return invalid("Index %s already exists", clip.Quote(x.Name))
	}
	return nil
}

func (d *Dialect) checkWhere(where string) *Error {
	if d.Indexes.WholeTable {
		return invalid("An index takes no where on %s: leave it out", d.Title)
	}
	return d.checkExpression("where of the index", where)
}
