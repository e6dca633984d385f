package ddl

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// cursor reads tokens in order.
type cursor struct {
	tokens []sqltext.Token
	i      int
}

func (c *cursor) done() bool { return c.i >= len(c.tokens) }

// peek returns the next token, the zero one at the end.
func (c *cursor) peek() sqltext.Token { return c.after(0) }

func (c *cursor) after(n int) sqltext.Token {
	if c.i+n < len(c.tokens) {
		return c.tokens[c.i+n]
	}
	return sqltext.Token{Kind: sqltext.Space}
}

func (c *cursor) next() sqltext.Token {
	t := c.peek()
	if !c.done() {
		c.i++
	}
	return t
}

// is reports whether the next tokens are these words.
func (c *cursor) is(words ...string) bool {
	for n, w := range words {
		if !c.after(n).Is(w) {
			return false
		}
	}
	return true
}

// take is like is, and passes them.
func (c *cursor) take(words ...string) bool {
	if !c.is(words...) {
		return false
	}
	c.i += len(words)
	return true
}

// ifExists passes IF EXISTS or IF NOT EXISTS.
func (c *cursor) ifExists() {
	if !c.take("IF", "NOT", "EXISTS") {
		c.take("IF", "EXISTS")
	}
}

// name takes a name. SQLite takes a string for one.
func (c *cursor) name() (string, bool) {
	t := c.peek()
	if t.Name == "" {
		return "", false
	}
	c.i++
	return t.Name, true
}

// group takes what stands in parentheses; false if there are none that close.
func (c *cursor) group() ([]sqltext.Token, bool) {
	if !c.is("(") {
		return nil, false
	}
	depth := 0
	for i := c.i; i < len(c.tokens); i++ {
		switch t := c.tokens[i]; {
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 {
				inner := c.tokens[c.i+1 : i]
				c.i = i + 1
				return inner, true
			}
		}
	}
	return nil, false
}

// commas splits tokens at the commas outside of parentheses.
func commas(tokens []sqltext.Token) (parts [][]sqltext.Token) {
	depth, from := 0, 0
	for i, t := range tokens {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Is(",") && depth == 0:
			parts = append(parts, tokens[from:i])
			from = i + 1
		}
	}
	return append(parts, tokens[from:])
}

// text writes tokens as they stand in the script, with one space for
// whatever is between them.
func text(tokens []sqltext.Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && tokens[i-1].End() < t.Pos {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// qualified takes a name with its schema, "" where it is the default one or
// not given.
func (r *reader) qualified(c *cursor) (schema, name string, ok bool) {
	name, ok = c.name()
	schema = r.search
	for ok && c.take(".") {
		schema = r.schema(name)
		name, ok = c.name()
	}
	return schema, name, ok
}

// schema returns a schema as a definition has it: "" for the default one. What
// MySQL qualifies a name with is the database.
func (r *reader) schema(name string) string {
	if r.product == isMySQL || len(r.d.Schemas.Common) > 0 && strings.EqualFold(name, r.d.Schemas.Common[0]) {
		return ""
	}
	return name
}

// key is where a table is found: but for PostgreSQL, whatever the case of its
// name.
func (r *reader) key(schema, name string) [2]string {
	if r.product == isPostgres {
		return [2]string{schema, name}
	}
	return [2]string{designer.Fold(schema), designer.Fold(name)}
}

// table returns a table of the script, nil if it makes none of the name.
func (r *reader) table(schema, name string) *designer.TableDefinition {
	if i, ok := r.tables[r.key(schema, name)]; ok {
		return &r.loaded.Tables[i]
	}
	return nil
}

// value returns what a string says.
func (r *reader) value(t sqltext.Token) string {
	s := t.Contents()
	if strings.HasPrefix(t.Text, "$") || !strings.Contains(s, `\`) || !r.d.SQL.Backslashes && !strings.HasPrefix(strings.ToLower(t.Text), "e'") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if at := strings.IndexByte("nrt0", s[i]); at >= 0 {
				b.WriteByte("\n\r\t\x00"[at])
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
