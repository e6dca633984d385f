package rowedit

import (
	"math"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// sqliteRules: a value has a type of its own, whatever the column's is.
type sqliteRules struct{ *target }

func (r sqliteRules) hole(int) string { return "?" }

func (r sqliteRules) literal(value any) string {
	return literalOf(value, r.dialect.StringLiteral, func(digits string) string { return "X'" + digits + "'" })
}

func (r sqliteRules) written(c *designer.Column, v Value) (term, error) {
	switch v.As {
	case Text:
		return term{value: v.Text}, nil
	case Number:
		n, err := r.number(c, v)
		return term{value: n}, err
	case Bool:
		n, err := integerOf(c, v)
		return term{value: n}, err
	case Blob:
		b, err := bytesOf(c, v)
		return term{value: b}, err
	}
	return term{}, unknownAs(v)
}

// number keeps every digit, or refuses.
func (r sqliteRules) number(c *designer.Column, v Value) (any, error) {
	text := strings.TrimSpace(v.Text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	f, err := floatOf(c, v)
	if err == nil && strings.Trim(text, "+-0123456789") == "" {
		return nil, invalid("SQLite has no whole number as great as that for column %s; write it with a fraction, as 1.0e20", clip.Quote(c.Name))
	}
	return f, err
}

func (r sqliteRules) key(c *designer.Column, v Value) (term, error) { return r.written(c, v) }

// maxExact is the greatest integer that comes as a number.
const maxExact = 1 << 53

// same compares texts byte by byte, whatever the column's collation is. An
// integer beyond 2^53 and an infinity come as texts.
func (r sqliteRules) same(c *designer.Column, name string, v Value) (string, []term, error) {
	t, err := r.written(c, v)
	if err != nil {
		return "", nil, err
	}
	terms := []term{t}
	text, isText := t.value.(string)
	if !isText {
		return name, terms, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (n > maxExact || n < -maxExact) {
		return name, append(terms, term{value: n}), nil
	}
	if sign, ok := strings.CutSuffix(text, "Infinity"); ok && (sign == "" || sign == "-") {
		return name, append(terms, term{value: math.Inf(1 - 2*len(sign))}), nil
	}
	terms[0].after = " COLLATE BINARY"
	return name, terms, nil
}
