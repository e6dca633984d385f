package convert

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// grammar reads an expression and refuses what the other dialect would read
// otherwise or not at all: comparisons in a row, whose order differs; numbers
// and texts that are truths, and the other way round; functions with other
// arguments. Its methods return false in ok once something is refused.
type grammar struct {
	e      *translation
	in     []designer.Token
	strict bool // the other dialect tells truths, numbers and texts apart
	exact  bool // one of the two does, so that a text beside a number is no number: 'NaN'
}

// understood reports whether the tokens are an expression that the other
// dialect reads as this one does. col is the computed column that it is the
// formula of, nil if it is none.
func (e *translation) understood(col *designer.Column) bool {
	can := e.c.can()
	g := &grammar{e: e, in: e.in, strict: can.strictBool, exact: can.strictBool || e.c.had().strictBool}
	s, ok := g.any()
	switch {
	case !ok || len(g.in) > 0:
		return false
	case !g.strict || e.where == inDefault:
		return true
	case e.where == inCheck || e.where == inWhere:
		return s == isTruth
	case s == isTruth && !can.booleans:
		return false
	case col != nil:
		_, fits := g.both(s, e.c.sortOf(*col))
		return fits
	}
	return true
}

// next returns the token at n, an empty one past the end.
func (g *grammar) next(n int) designer.Token {
	if n < len(g.in) {
		return g.in[n]
	}
	return designer.Token{}
}

// take consumes one of the words or operators, which it returns.
func (g *grammar) take(words ...string) string {
	t := g.next(0)
	for _, w := range words {
		if t.Kind == designer.TokenOther && t.Text == w || is(t, w) && g.next(1).Text != "." {
			g.in = g.in[1:]
			return w
		}
	}
	return ""
}

// any reads AND, OR and all that binds closer.
func (g *grammar) any() (exprType, bool) {
	s, ok := g.negated()
	for ok && g.take("AND", "OR") != "" {
		var right exprType
		right, ok = g.negated()
		ok = ok && g.truths(s, right)
		s = isTruth
	}
	return s, ok
}

// truths reports whether the parts can stand where a predicate must.
func (g *grammar) truths(parts ...exprType) bool {
	return !g.strict || !slices.ContainsFunc(parts, func(s exprType) bool { return s != isTruth && s != isNull })
}

func (g *grammar) negated() (exprType, bool) {
	if g.take("NOT") == "" {
		return g.comparison()
	}
	s, ok := g.negated()
	return isTruth, ok && g.truths(s)
}

// comparison reads at most one comparison: of two in a row each dialect has its
// own reading.
func (g *grammar) comparison() (exprType, bool) {
	left, ok := g.sum()
	if !ok {
		return left, false
	}
	if g.take("=", "<", ">", "<=", ">=", "<>", "!=") != "" {
		right, ok := g.sum()
		return isTruth, ok && g.comparable(left, right)
	}
	if g.take("IS") != "" {
		g.take("NOT")
		constant := g.take("NULL", "TRUE", "FALSE")
		return isTruth, constant == "NULL" && g.value(left) || constant != "" && g.truths(left) && g.value(left)
	}
	negated := is(g.next(0), "NOT") && (is(g.next(1), "IN") || is(g.next(1), "LIKE") || is(g.next(1), "BETWEEN"))
	if negated {
		g.take("NOT")
	}
	switch g.take("IN", "LIKE", "~~", "!~~", "BETWEEN") {
	case "IN":
		return isTruth, g.list(left)
	case "LIKE", "~~", "!~~":
		right, ok := g.sum()
		return isTruth, ok && g.texts(left, right)
	case "BETWEEN":
		low, ok := g.sum()
		if !ok || g.take("AND") == "" {
			return isTruth, false
		}
		high, ok := g.sum()
		return isTruth, ok && g.comparable(left, low) && g.comparable(left, high)
	}
	return left, true
}

// value reports whether a part can stand where a value must.
func (g *grammar) value(s exprType) bool { return s != isTruth || g.e.c.can().booleans }

func (g *grammar) comparable(a, b exprType) bool {
	_, ok := g.both(a, b)
	return ok && g.value(a) && g.value(b)
}

// list reads the values of IN.
func (g *grammar) list(left exprType) bool {
	parts, ok := g.arguments()
	return ok && len(parts) > 0 && !slices.ContainsFunc(parts, func(s exprType) bool { return !g.comparable(left, s) })
}

// arguments reads values in parentheses.
func (g *grammar) arguments() (parts []exprType, ok bool) {
	if g.take("(") == "" {
		return nil, false
	}
	for {
		s, ok := g.any()
		if !ok || !g.value(s) {
			return nil, false
		}
		parts = append(parts, s)
		switch g.take(",", ")") {
		case ")":
			return parts, true
		case "":
			return nil, false
		}
	}
}

// sum reads + - and ||. Dialects differ in which of them binds closer, so that
// the two kinds do not mix.
func (g *grammar) sum() (exprType, bool) {
	left, ok := g.product()
	joined, added := false, false
	for ok {
		operator := g.take("+", "-", "||")
		if operator == "" {
			break
		}
		right, more := g.product()
		joined, added = joined || operator == "||", added || operator != "||"
		switch {
		case !more || joined && added:
			return left, false
		case operator == "||":
			ok, left = g.texts(left, right), isText
		default:
			ok, left = g.calculated(left, right)
		}
	}
	return left, ok
}

// calculated is what arithmetic of two parts gives. With times it means
// something else in each dialect.
func (g *grammar) calculated(a, b exprType) (bool, exprType) {
	ok := a != isMoment && b != isMoment && g.numbers(a, b)
	if a == isFloat || b == isFloat {
		return ok, isFloat
	}
	return ok, isNumeral
}

func (g *grammar) product() (exprType, bool) {
	left, ok := g.signed()
	for ok {
		operator := g.take("*", "/", "%")
		if operator == "" {
			break
		}
		right, more := g.signed()
		if !more || g.next(0).Text == "||" {
			return left, false
		}
		ok, left = g.calculated(left, right)
		if operator == "%" && left == isFloat && g.strict {
			return left, false
		}
	}
	return left, ok
}

func (g *grammar) signed() (exprType, bool) {
	if g.take("-", "+") == "" {
		return g.atom()
	}
	s, ok := g.signed()
	fits, s := g.calculated(s, isNull)
	return s, ok && fits
}

func (g *grammar) atom() (exprType, bool) {
	t := g.next(0)
	switch {
	case t.Kind == designer.TokenString:
		g.in = g.in[1:]
		return literalSort(strings.TrimSpace(t.Name)), true
	case t.Text == "(":
		g.in = g.in[1:]
		s, ok := g.any()
		return s, ok && g.take(")") != ""
	case t.Kind == designer.TokenOther:
		g.in = g.in[min(1, len(g.in)):]
		return isNumeral, plainNumber().MatchString(t.Text)
	case g.take("NULL") != "":
		return isNull, true
	case g.take("TRUE", "FALSE") != "":
		return isTruth, true
	case g.take("CASE") != "":
		return g.cases()
	case g.next(1).Text == "(":
		return g.call(t)
	}
	return g.column(t)
}

// cases reads CASE after that word. Its results are values of one sort, and so
// are what it compares.
func (g *grammar) cases() (result exprType, ok bool) {
	compared, result := exprType(""), isNull
	if !is(g.next(0), "WHEN") {
		if compared, ok = g.any(); !ok {
			return result, false
		}
	}
	for g.take("WHEN") != "" {
		condition, ok := g.any()
		switch {
		case !ok || g.take("THEN") == "":
			return result, false
		case compared == "" && !g.truths(condition), compared != "" && !g.comparable(compared, condition):
			return result, false
		}
		if result, ok = g.result(result); !ok {
			return result, false
		}
	}
	if g.take("ELSE") != "" {
		if result, ok = g.result(result); !ok {
			return result, false
		}
	}
	return result, g.take("END") != ""
}

// result reads one of the values of CASE, of which those before have a sort.
func (g *grammar) result(before exprType) (exprType, bool) {
	s, ok := g.any()
	if !ok || !g.value(s) {
		return s, false
	}
	return g.both(before, s)
}

// call reads a function. The others were refused as it was translated.
func (g *grammar) call(t designer.Token) (exprType, bool) {
	g.in = g.in[1:]
	parts, ok := g.arguments()
	if !ok {
		return isText, false
	}
	name := strings.ToLower(t.Name)
	if own, is := spellings[g.e.c.from.Name][name]; is {
		name = own
	}
	n := len(parts)
	switch name {
	case "lower", "upper":
		return isText, n == 1 && g.texts(parts...)
	case "trim", "ltrim", "rtrim":
		return isText, (n == 1 || n == 2 && g.e.c.can().trimsAny && g.e.c.had().trimsAny) && g.texts(parts...)
	case "length":
		return isNumeral, n == 1 && g.texts(parts...)
	case "abs":
		return parts[0], n == 1 && g.numbers(parts...)
	case "replace":
		return isText, n == 3 && g.texts(parts...)
	case "substring":
		whole := n == 3 || n == 2 && !g.e.c.can().threeParts
		return isText, whole && g.texts(parts[0]) && g.numbers(parts[1:]...) && !slices.ContainsFunc(parts[1:], isString)
	case "nullif":
		_, fits := g.both(parts[0], parts[n-1])
		return parts[0], n == 2 && fits
	case "coalesce":
		s, fits := parts[0], n > 1
		for _, more := range parts[1:] {
			var same bool
			s, same = g.both(s, more)
			fits = fits && same
		}
		return s, fits
	}
	return isText, false
}

// column reads a column's name, with its table's before it or not.
func (g *grammar) column(t designer.Token) (exprType, bool) {
	g.in = g.in[1:]
	for g.take(".") != "" && len(g.in) > 0 {
		t, g.in = g.in[0], g.in[1:]
	}
	if g.e.t == nil || t.Kind != designer.TokenIdentifier {
		return isText, false
	}
	name := g.e.t.column(t.Name)
	if name == "" {
		return isText, false
	}
	return g.e.c.sortOf(g.e.t.out.Columns[g.e.t.at[name]]), true
}
