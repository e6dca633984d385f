package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// reader takes a statement token by token.
type ruleReader struct {
	tokens []sqltext.Token
	at     int
}

func readRules(text string) *ruleReader { return &ruleReader{tokens: significant(scan(text))} }

func (r *ruleReader) peek() sqltext.Token {
	if r.at < len(r.tokens) {
		return r.tokens[r.at]
	}
	return sqltext.Token{}
}

func (r *ruleReader) next() sqltext.Token {
	t := r.peek()
	r.at++
	return t
}

// eat takes the words if all of them come.
func (r *ruleReader) eat(words ...string) bool {
	for i, w := range words {
		if r.at+i >= len(r.tokens) || !r.tokens[r.at+i].Is(w) {
			return false
		}
	}
	r.at += len(words)
	return true
}

func (r *ruleReader) name() string { return r.next().Name }

// qualified reads [a].[b].
func (r *ruleReader) qualified() (schema, name string) {
	schema = r.name()
	if r.eat(".") {
		return schema, r.name()
	}
	return DefaultSchema, schema
}

// joined puts tokens together again.
func joined(tokens []sqltext.Token) string {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.Text
	}
	return strings.Join(parts, " ")
}

// parens reads a text in parentheses, without them.
func (r *ruleReader) parens() []sqltext.Token {
	if !r.eat("(") {
		return nil
	}
	start, depth := r.at, 1
	for depth > 0 && r.at < len(r.tokens) {
		switch t := r.next(); {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
	}
	return r.tokens[start : r.at-1]
}

// list reads names in parentheses, each perhaps with DESC.
func (r *ruleReader) list() (names []string, written string) {
	inner := r.parens()
	for i, t := range inner {
		if i == 0 || inner[i-1].Is(",") {
			names = append(names, t.Name)
		}
	}
	return names, joined(inner)
}

// rest is what is left as text.
func (r *ruleReader) rest() string {
	t := joined(r.tokens[min(r.at, len(r.tokens)):])
	r.at = len(r.tokens)
	return t
}

// elements splits what stands in parentheses at its outer commas.
func elements(inner []sqltext.Token) [][]sqltext.Token {
	var list [][]sqltext.Token
	depth, start := 0, 0
	for i, t := range inner {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Is(",") && depth == 0:
			list = append(list, inner[start:i])
			start = i + 1
		}
	}
	return append(list, inner[start:])
}

// attributeWords begin what may follow a column's type.
var attributeWords = sqltext.WordSet("COLLATE SPARSE MASKED IDENTITY GENERATED NOT NULL ROWGUIDCOL CONSTRAINT DEFAULT COLUMN_SET HIDDEN")

// addColumn reads a column's definition.
func (s *ruleServer) addColumn(t *ruleTable, r *ruleReader) error {
	c := &ruleColumn{name: r.name(), nullable: true}
	if _, err := t.column(c.name); err == nil {
		return fmt.Errorf("column names in each table must be unique: %s", c.name)
	}
	t.columns = append(t.columns, c)
	if r.eat("AS") {
		c.computed = joined(r.parens())
		c.persisted = r.eat("PERSISTED")
		c.nullable = !r.eat("NOT", "NULL")
		return nil
	}
	s.readColumn(c, r)
	name := ""
	if r.eat("CONSTRAINT") {
		name = r.name()
	}
	if r.eat("DEFAULT") {
		return s.setDefault(t, c, name, joined(r.parens()))
	}
	return nil
}

// readColumn reads type and attributes.
func (s *ruleServer) readColumn(c *ruleColumn, r *ruleReader) {
	start := r.at
	for r.at < len(r.tokens) && (r.peek().Kind == sqltext.Quoted || !attributeWords[strings.ToUpper(r.peek().Text)]) {
		r.next()
	}
	c.typ = strings.ToLower(joined(r.tokens[start:r.at]))
	c.collation, c.attributes = "", ""
	for r.at < len(r.tokens) && !r.peek().Is("CONSTRAINT") && !r.peek().Is("DEFAULT") {
		switch {
		case r.eat("COLLATE", "DATABASE_DEFAULT"):
		case r.eat("COLLATE"):
			c.collation = r.next().Text
		case r.eat("NOT", "NULL"):
			c.nullable = false
		case r.eat("NULL"):
			c.nullable = true
		default:
			c.attributes += r.next().Text + " "
		}
	}
}

func (s *ruleServer) setDefault(t *ruleTable, c *ruleColumn, name, value string) error {
	switch {
	case c.standard != nil:
		return fmt.Errorf("column %s already has a default", c.name)
	case strings.Contains(c.attributes, "IDENTITY"):
		return fmt.Errorf("column %s is an identity: it takes no default", c.name)
	}
	k := &ruleConstraint{kind: "DEFAULT", text: value}
	if err := s.nameConstraint(t, k, name); err != nil {
		return err
	}
	c.standard = k
	return nil
}

func (s *ruleServer) nameConstraint(t *ruleTable, k *ruleConstraint, name string) error {
	if name == "" {
		s.made++
		k.name, k.madeUp = fmt.Sprintf("%.2s__%s__%d", k.kind, t.name, s.made), true
		return nil
	}
	k.name = name
	return s.free(t.schema, name)
}

// addConstraint reads a table's constraint.
func (s *ruleServer) addConstraint(t *ruleTable, r *ruleReader) error {
	k := &ruleConstraint{}
	name := ""
	if r.eat("CONSTRAINT") {
		name = r.name()
	}
	k.kind = strings.ToUpper(r.next().Text)
	if err := s.nameConstraint(t, k, name); err != nil {
		return err
	}
	switch k.kind {
	case "PRIMARY", "UNIQUE":
		return s.addKey(t, k, r)
	case "CHECK":
		k.text = r.rest()
		k.uses = identifiers(k.text)
	case "FOREIGN":
		r.eat("KEY")
		k.columns, _ = r.list()
		r.eat("REFERENCES")
		schema, target := r.qualified()
		to, err := s.table(schema, target)
		if err != nil {
			return err
		}
		k.target = to
		k.targetColumns, _ = r.list()
		k.text = r.rest()
		if err := s.checkForeignKey(t, k); err != nil {
			return err
		}
	case "DEFAULT":
		value := joined(r.parens())
		r.eat("FOR")
		c, err := t.column(r.name())
		if err != nil {
			return err
		}
		return s.setDefault(t, c, name, value)
	default:
		return fmt.Errorf("a constraint of kind %s", k.kind)
	}
	t.constraints = append(t.constraints, k)
	return nil
}

func (s *ruleServer) addKey(t *ruleTable, k *ruleConstraint, r *ruleReader) error {
	r.eat("KEY")
	nonclustered := r.eat("NONCLUSTERED")
	clustered := r.eat("CLUSTERED")
	k.columns, k.text = r.list()
	k.text += r.rest()
	taken := false
	for _, other := range t.constraints {
		if other.kind == "PRIMARY" && k.kind == "PRIMARY" {
			return fmt.Errorf("table %s already has a primary key", t.name)
		}
		taken = taken || strings.Contains(other.text, "clustered!")
	}
	for _, x := range t.indexes {
		taken = taken || x.clustered
	}
	switch {
	case clustered && taken:
		return fmt.Errorf("table %s already has a clustered index", t.name)
	case clustered || k.kind == "PRIMARY" && !nonclustered && !taken:
		k.text += " clustered!"
	}
	for _, n := range k.columns {
		c, err := t.column(n)
		if err != nil {
			return err
		}
		virtual := c.computed != "" && !c.persisted // the server finds out by itself
		if k.kind == "PRIMARY" && c.nullable && !virtual {
			return fmt.Errorf("cannot define a primary key on nullable column %s", n)
		}
	}
	t.constraints = append(t.constraints, k)
	return nil
}

// checkForeignKey checks that the columns are there, of one type, and a key.
func (s *ruleServer) checkForeignKey(t *ruleTable, k *ruleConstraint) error {
	for i, n := range k.columns {
		a, err := t.column(n)
		if err != nil {
			return err
		}
		b, err := k.target.column(k.targetColumns[i])
		if err != nil {
			return err
		}
		derived := a.computed != "" || b.computed != "" || strings.HasPrefix(a.typ+b.typ, "[") || strings.Contains(b.typ, "[")
		if !derived && (a.typ != b.typ || !strings.EqualFold(a.collation, b.collation)) {
			return fmt.Errorf("column %s (%s) is not the same type as %s (%s)", a.name, a.typ, b.name, b.typ)
		}
	}
	if s.keyOf(k) == nil {
		return fmt.Errorf("there are no primary or candidate keys in %s for %v", k.target.name, k.targetColumns)
	}
	return nil
}

// keyOf finds the names of the keys that a foreign key may rely on.
func (s *ruleServer) keyOf(k *ruleConstraint) []string {
	var list []string
	covers := func(columns []string) bool {
		for _, n := range k.targetColumns {
			if !has(columns, n) {
				return false
			}
		}
		return len(columns) == len(k.targetColumns)
	}
	for _, c := range k.target.constraints {
		if (c.kind == "PRIMARY" || c.kind == "UNIQUE") && covers(c.columns) {
			list = append(list, c.name)
		}
	}
	for _, x := range k.target.indexes {
		if x.unique && x.uses == nil && covers(x.columns) {
			list = append(list, x.name)
		}
	}
	return list
}
