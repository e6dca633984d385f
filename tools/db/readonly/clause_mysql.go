package readonly

import "github.com/berth-dev/berth/designer/sqltext"

// clauseMySQL follows a text from token to token, and knows where no table can
// be named behind a comma or a parenthesis: between SELECT and FROM, and behind
// WHERE and HAVING up to the next SELECT. These words are reserved, so without
// quotes they name nothing but behind a point. What is in parentheses is of
// the same kind until a word in them says otherwise.
type clauseMySQL struct{ onlyColumns []bool } // for each parenthesis that is open, and outside of them

// pass takes the token at i.
func (c *clauseMySQL) pass(tokens []sqltext.Token, i int) {
	if len(c.onlyColumns) == 0 {
		c.onlyColumns = []bool{false}
	}
	t, last := tokens[i], len(c.onlyColumns)-1
	switch {
	case t.Is("("):
		c.onlyColumns = append(c.onlyColumns, c.onlyColumns[last])
	case t.Is(")") && last > 0:
		c.onlyColumns = c.onlyColumns[:last]
	case t.Is(")"), t.Is(";"): // out of step, or another statement: nothing is known
		c.onlyColumns = []bool{false}
	case t.Kind != sqltext.Word || i > 0 && tokens[i-1].Is("."):
	case t.Is("SELECT"), t.Is("WHERE"), t.Is("HAVING"):
		c.onlyColumns[last] = true
	case t.Is("FROM"), t.Is("TABLE"), t.Is("JOIN"), t.Is("STRAIGHT_JOIN"), t.Is("UPDATE"), t.Is("DELETE"), t.Is("INSERT"), t.Is("REPLACE"), t.Is("INTO"), t.Is("USING"):
		c.onlyColumns[last] = false
	}
}

// columns reports whether no table can be named here behind a comma or a
// parenthesis.
func (c *clauseMySQL) columns() bool { return c.onlyColumns[len(c.onlyColumns)-1] }
