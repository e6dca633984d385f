package convert

import (
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// exprType is what a part of an expression is worth, as far as a dialect that is
// strict about it has to know. Of a column of another kind it is that kind.
type exprType string

const (
	isTruth   exprType = "truth" // a predicate, or a boolean
	isNumeral exprType = "number"
	isFloat   exprType = "float"
	isText    exprType = "text"
	isMoment  exprType = "moment"
	isNull    exprType = "null"

	// string literals, which are read as what they stand beside
	isLiteral    exprType = "literal"
	isNumberText exprType = "literal of a number"
	isMomentText exprType = "literal of a moment"
)

// sortOf is the sort of a column of the result.
func (c *converter) sortOf(col designer.Column) exprType {
	info, known := c.to.Type(col.DataType)
	if !known {
		return exprType("type " + col.DataType)
	}
	kind := info.Kind
	switch kind {
	case designer.KindBool:
		return isTruth
	case designer.KindFloat32, designer.KindFloat64:
		return isFloat
	case designer.KindChar, designer.KindVarchar, designer.KindNChar, designer.KindNVarchar, designer.KindText, designer.KindEnum, designer.KindSet:
		return isText
	}
	switch {
	case isNumber(kind):
		return isNumeral
	case isTime(kind):
		return isMoment
	}
	return exprType("kind " + kind)
}

// both is the sort of two values that take each other's place. ok is false if
// the other dialect takes no such pair.
func (g *grammar) both(a, b exprType) (s exprType, ok bool) {
	switch {
	case a == b, b == isNull:
		return a, true
	case a == isNull, readAs(a, b):
		return b, true
	case readAs(b, a):
		return a, true
	case a == isLiteral || b == isLiteral:
		return a, !g.exact
	case a == isFloat && b == isNumeral, a == isNumeral && b == isFloat:
		return isFloat, true
	}
	return a, !g.strict
}

// readAs reports whether a string literal can be read as s.
func readAs(literal, s exprType) bool {
	switch literal {
	case isLiteral:
		return s == isText
	case isNumberText:
		return s == isText || s == isLiteral || s == isNumeral || s == isFloat
	case isMomentText:
		return s == isText || s == isLiteral || s == isMoment
	}
	return false
}

func (g *grammar) texts(parts ...exprType) bool {
	return !g.strict || !slices.ContainsFunc(parts, func(s exprType) bool { return s != isNull && s != isText && !readAs(s, isText) })
}

func (g *grammar) numbers(parts ...exprType) bool {
	return !g.strict || !slices.ContainsFunc(parts, func(s exprType) bool { return s != isNull && s != isNumeral && s != isFloat })
}

var (
	textOfNumber = lazyregexp.New(`^-?\d+(\.\d+)?$`)
	textOfMoment = lazyregexp.New(`^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$`)
)

// literalSort is what a string literal can be read as.
func literalSort(text string) exprType {
	switch {
	case textOfNumber().MatchString(text):
		return isNumberText
	case textOfMoment().MatchString(text):
		return isMomentText
	}
	return isLiteral
}

// isString reports whether a part is a text: as the second argument of
// substring it is a pattern in PostgreSQL.
func isString(s exprType) bool { return s == isText || readAs(s, isText) }
