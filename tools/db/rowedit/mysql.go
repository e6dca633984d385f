package rowedit

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// mysqlRules: a text that is compared with a number is read there by guessing,
// so a value has the type of its column.
type mysqlRules struct{ *target }

func (r mysqlRules) hole(int) string { return "?" }

func (r mysqlRules) literal(value any) string {
	return literalOf(value, r.dialect.StringLiteral, func(digits string) string { return "X'" + digits + "'" })
}

func (r mysqlRules) written(c *designer.Column, v Value) (term, error) {
	value, err := r.value(c, v)
	return term{value: value}, err
}

func (r mysqlRules) value(c *designer.Column, v Value) (any, error) {
	switch k := r.kind(c); {
	case isInteger(k), k == designer.KindBool, k == designer.KindBit:
		return integerOf(c, v)
	case k == designer.KindDecimal:
		return decimalOf(c, v)
	case k == designer.KindFloat64:
		return floatOf(c, v)
	case k == designer.KindFloat32:
		return float32Of(c, v)
	case isBytes(k):
		return bytesOf(c, v)
	}
	return textOf(c, v)
}

func (r mysqlRules) key(c *designer.Column, v Value) (term, error) {
	value, err := r.value(c, v)
	if err == nil && r.kind(c) == designer.KindDecimal {
		return cast(value, "DECIMAL(65,"+strconv.Itoa(min(c.Scale, 30))+")"), nil // the server would compare a text as a float
	}
	return term{value: value}, err
}

// same compares texts byte by byte, whatever the column's collation is.
func (r mysqlRules) same(c *designer.Column, name string, v Value) (string, []term, error) {
	k := r.kind(c)
	if v.As == Blob && !isBytes(k) || k == designer.KindGeometry {
		return "", nil, nil
	}
	t, err := r.key(c, v)
	text, isText := t.value.(string)
	switch {
	case err != nil || !isText || k == designer.KindDecimal:
	case isTemporal(k) && !strings.Contains(text, "-00") && !strings.HasPrefix(text, "0000"):
	case isTemporal(k): // a strict server takes no such date as one
		return "CAST(" + name + " AS CHAR)", []term{t}, nil
	default:
		return "CAST(CONVERT(" + name + " USING utf8mb4) AS BINARY)", []term{cast(text, "BINARY")}, nil
	}
	return name, []term{t}, err
}

func isTemporal(k designer.TypeKind) bool {
	switch k {
	case designer.KindDate, designer.KindTime, designer.KindTimestamp, designer.KindTimestampTZ:
		return true
	}
	return false
}
