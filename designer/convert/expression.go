package convert

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/sqltext"
)

// exprContext is where an expression is used, which determines what it may contain.
type exprContext int

const (
	inCheck   exprContext = iota // of a column or a table
	inFormula                    // of a computed column
	inKey                        // of an index
	inWhere                      // of a partial index
	inDefault                    // where no column can be named
)

// portable words are operators and constants that mean the same everywhere.
var portableWords = sqltext.WordSet("AND OR NOT IN IS NULL BETWEEN LIKE CASE WHEN THEN ELSE END")

// portableFunctions are functions that mean the same everywhere, with what
// each dialect calls them. A dialect that is not there has none such.
var portableFunctions = map[string]map[string]string{
	"lower":     everywhere("lower"),
	"upper":     everywhere("upper"),
	"abs":       everywhere("abs"),
	"coalesce":  everywhere("coalesce"),
	"nullif":    everywhere("nullif"),
	"trim":      everywhere("trim"),
	"ltrim":     everywhere("ltrim"),
	"rtrim":     everywhere("rtrim"),
	"length":    {"sqlite": "length", "postgres": "length", "mysql": "char_length", "mssql": "len"},
	"substring": {"sqlite": "substr", "postgres": "substr", "mysql": "substring", "mssql": "substring"},
	"replace":   everywhere("replace"),
}

// spellings maps what a dialect calls a function to its name in
// portableFunctions, where that differs.
var spellings = map[string]map[string]string{
	"sqlite":   {"substr": "substring", "ifnull": "coalesce"},
	"postgres": {"substr": "substring", "char_length": "length", "character_length": "length", "btrim": "trim"},
	"mysql":    {"substr": "substring", "mid": "substring", "char_length": "length", "character_length": "length", "ifnull": "coalesce", "lcase": "lower", "ucase": "upper", "length": ""},
	"mssql":    {"len": "length", "isnull": "coalesce"},
}

func everywhere(name string) map[string]string {
	return map[string]string{"sqlite": name, "postgres": name, "mysql": name, "mssql": name}
}

var plainNumber = lazyregexp.New(`^\d+(\.\d+)?([eE][+-]?\d+)?$`)

// expression converts SQL text of a table. ok is false if it contains something
// that the other dialect does not have or may interpret differently.
func (c *converter) expression(t *table, sql string, where exprContext) (out string, ok bool) {
	return c.expressionOf(t, nil, sql, where)
}

// expressionOf is expression for the formula of a column of the result.
func (c *converter) expressionOf(t *table, col *designer.Column, sql string, where exprContext) (out string, ok bool) {
	tokens, ok := c.from.Tokens(sql)
	if !ok {
		return "", false
	}
	e := &translation{c: c, t: t, where: where, in: unwrapped(significant(tokens))}
	if c.from.TypeNames.Enums {
		if e.in, ok = e.withoutCasts(e.in); !ok {
			return "", false
		}
	}
	if e.in = unwrapped(plainAtoms(e.in)); len(e.in) == 0 {
		return "", false
	}
	for e.pos = 0; e.pos < len(e.in); {
		if !e.step() {
			return "", false
		}
	}
	return e.text(), e.portable() && e.understood(col)
}

// significant returns the tokens without white space, with operators of several
// characters joined.
func significant(tokens []designer.Token) []designer.Token {
	var out []designer.Token
	apart := true
	for _, t := range tokens {
		if strings.TrimSpace(t.Text) == "" {
			apart = true
			continue
		}
		if n := len(out) - 1; n >= 0 && !apart && t.Kind == designer.TokenOther && out[n].Kind == designer.TokenOther &&
			slices.Contains([]string{"<=", ">=", "<>", "!=", "||", "::", "~~", "!~", "!~~", "~~*"}, out[n].Text+t.Text) {
			out[n].Text += t.Text
			continue
		}
		out = append(out, t)
		apart = false
	}
	return out
}

// unwrapped returns the tokens without parentheses around the whole.
func unwrapped(tokens []designer.Token) []designer.Token {
	for len(tokens) > 2 && tokens[0].Text == "(" && closes(tokens, 0) == len(tokens)-1 {
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

// plainAtoms removes parentheses around single names and literals, a few levels
// deep, unless they are those of a function or a list.
func plainAtoms(tokens []designer.Token) []designer.Token {
	for range 4 {
		out := withoutLayer(tokens)
		if len(out) == len(tokens) {
			break
		}
		tokens = out
	}
	return tokens
}

func withoutLayer(tokens []designer.Token) []designer.Token {
	var out []designer.Token
	for i := 0; i < len(tokens); i++ {
		alone := tokens[i].Text == "(" && i+2 < len(tokens) && tokens[i+2].Text == ")" &&
			(tokens[i+1].Kind != designer.TokenOther || plainNumber().MatchString(tokens[i+1].Text))
		if n := len(out); alone && n > 0 && out[n-1].Kind == designer.TokenIdentifier {
			before := strings.ToUpper(out[n-1].Text)
			alone = portableWords[before] && before != "IN"
		}
		if alone {
			i++
			out = append(out, tokens[i])
			i++
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// closes returns where the parenthesis at i closes, -1 if it does not.
func closes(tokens []designer.Token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch {
		case tokens[i].Kind != designer.TokenOther:
		case tokens[i].Text == "(":
			depth++
		case tokens[i].Text == ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// translation is one expression being converted.
type translation struct {
	c     *converter
	t     *table
	where exprContext
	in    []designer.Token
	pos   int
	out   []string
	// what it turned out to hold
	columns   []string // old names
	texts     bool     // literals
	brackets  bool     // in a literal
	operators map[string]bool
	words     map[string]bool
	functions bool
	widened   bool // a number is made one of another type
}

func (e *translation) peek(n int) designer.Token {
	if e.pos+n < len(e.in) {
		return e.in[e.pos+n]
	}
	return designer.Token{}
}

func (e *translation) emit(text string, n int) bool {
	e.out = append(e.out, text)
	e.pos += n
	return true
}

// step converts the next part.
func (e *translation) step() bool {
	t := e.peek(0)
	switch t.Kind {
	case designer.TokenString:
		return e.literal(t)
	case designer.TokenIdentifier:
		return e.identifier(t)
	}
	if plainNumber().MatchString(t.Text) {
		return e.emit(t.Text, 1)
	}
	operator := t.Text
	switch operator {
	case "!=":
		operator = "<>"
	case "~~":
		operator = "LIKE"
	case "!~~":
		operator = "NOT LIKE"
	}
	if !slices.Contains([]string{"+", "-", "*", "/", "%", "(", ")", ",", "=", "<", ">", "<=", ">=", "<>", "||", "LIKE", "NOT LIKE"}, operator) {
		return false
	}
	if e.operators == nil {
		e.operators = map[string]bool{}
	}
	e.operators[operator] = true
	return e.emit(operator, 1)
}

func (e *translation) literal(t designer.Token) bool {
	text, ok := e.c.literal(t)
	e.texts, e.brackets = true, e.brackets || strings.ContainsAny(t.Name, "[]")
	return ok && e.emit(text, 1)
}

// literal converts a string literal; ok is false for one with a prefix that
// changes its meaning, and for one that the other dialect cannot hold.
func (c *converter) literal(t designer.Token) (string, bool) {
	switch p := strings.ToLower(t.Prefix); {
	case p == "", p == "n", strings.HasPrefix(p, "_utf8"), p == "e" && !strings.Contains(t.Name, `\`):
		return c.quoted(t.Name)
	}
	return "", false
}

// quoted returns a string literal, with the prefix for Unicode where the
// dialect needs one. ok is false where the dialect cannot hold the text: MySQL
// alone takes a zero byte.
func (c *converter) quoted(text string) (literal string, ok bool) {
	literal = c.to.StringLiteral(text)
	if !c.can().unicode && strings.ContainsFunc(text, func(r rune) bool { return r > 0x7e }) {
		literal = "N" + literal
	}
	_, ok = c.to.Tokens(literal)
	return literal, ok
}

// identifier converts a keyword, a function or a column.
func (e *translation) identifier(t designer.Token) bool {
	word := strings.ToUpper(t.Name)
	switch {
	case e.peek(1).Text == "(" && !(portableWords[word] && !t.Quoted):
		return e.function(t)
	case t.Quoted:
		return e.column(t)
	case portableWords[word]:
		if e.words == nil {
			e.words = map[string]bool{}
		}
		e.words[word] = true
		return e.emit(word, 1)
	case word == "TRUE" || word == "FALSE":
		return e.c.can().booleans && e.emit(word, 1)
	}
	return e.column(t)
}

func (e *translation) function(t designer.Token) bool {
	name := strings.ToLower(t.Name)
	if own, ok := spellings[e.c.from.Name][name]; ok {
		name = own
	}
	spelled, ok := portableFunctions[name][e.c.to.Name]
	if _, had := portableFunctions[name][e.c.from.Name]; !ok || !had {
		return false
	}
	e.functions = true
	return e.emit(spelled+"(", 2)
}

// column converts a column's name, with its table's before it or not.
func (e *translation) column(t designer.Token) bool {
	path, n := []designer.Token{t}, 1
	for e.peek(n).Text == "." && len(path) < 3 {
		path = append(path, e.peek(n+1))
		n += 2
	}
	if e.t == nil || e.where == inDefault || e.peek(n).Text == "(" || e.peek(n).Text == "." {
		return false
	}
	for i, own := range []string{"", e.t.old.Name, e.t.old.Schema} {
		if i < len(path) && (path[len(path)-1-i].Kind != designer.TokenIdentifier || i > 0 && !strings.EqualFold(path[len(path)-1-i].Name, own)) {
			return false
		}
	}
	name := e.t.column(path[len(path)-1].Name)
	if name == "" {
		return false
	}
	e.columns = append(e.columns, name)
	return e.emit(e.c.to.QuoteIdentifier(e.t.columns[name]), n)
}

// text joins what was converted.
func (e *translation) text() string {
	var b strings.Builder
	for i, s := range e.out {
		glued := i == 0 || s == ")" || s == "," || strings.HasSuffix(e.out[i-1], "(")
		if !glued {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// portable reports whether the expression means the same in the other dialect.
func (e *translation) portable() bool {
	can, had := e.c.can(), e.c.had()
	has := func(operators ...string) bool {
		return slices.ContainsFunc(operators, func(o string) bool { return e.operators[o] })
	}
	truth, text := false, e.texts
	for _, name := range e.columns {
		switch e.t.kinds[e.t.at[name]] {
		case designer.KindBool:
			truth = true
		case designer.KindChar, designer.KindVarchar, designer.KindNChar, designer.KindNVarchar, designer.KindText:
			text = true
		}
	}
	switch {
	case has("||") && !(can.concat && had.concat),
		has("/") && (can.wholeDivide != had.wholeDivide || e.widened),
		has("+") && text,
		e.brackets && (has("LIKE", "NOT LIKE") || e.words["LIKE"]) && can.patternSets != had.patternSets,
		truth && (can.strictBool || had.strictBool):
		return false
	}
	if e.where == inWhere && can.plainWhere {
		return !e.functions && !has("LIKE", "NOT LIKE", "+", "-", "*", "/", "%", "||") &&
			!e.words["OR"] && !e.words["LIKE"] && !e.words["BETWEEN"] && !e.words["CASE"] && e.plainNots()
	}
	return true
}

// plainNots reports whether every NOT is part of IS NOT NULL.
func (e *translation) plainNots() bool {
	for i, s := range e.out {
		if s == "NOT" && (i == 0 || e.out[i-1] != "IS") {
			return false
		}
	}
	return true
}
