package rowedit

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// postgresRules: every value is a text, which the server reads as the column's
// type and refuses where it is none.
type postgresRules struct{ *target }

func (r postgresRules) hole(n int) string { return holeNumbered("$", n) }

func (r postgresRules) literal(value any) string {
	return literalOf(value, r.dialect.StringLiteral, func(digits string) string { return `'\x` + digits + `'` })
}

func (r postgresRules) written(c *designer.Column, v Value) (term, error) {
	switch v.As {
	case Text, Number, Bool:
		if r.kind(c) == designer.KindBlob {
			return term{}, notA(c, v, "hex digits, two a byte")
		}
		return term{value: v.Text}, nil
	case Blob:
		if r.kind(c) != designer.KindBlob {
			return term{}, invalid("the value of column %s is no UTF-8 text and is not changed here", clip.Quote(c.Name))
		}
		b, err := bytesOf(c, v)
		return term{value: b}, err
	}
	return term{}, unknownAs(v)
}

func (r postgresRules) key(c *designer.Column, v Value) (term, error) { return r.written(c, v) }

// same compares as text where the type has no equality, or one that takes
// what is not alike for equal.
func (r postgresRules) same(c *designer.Column, name string, v Value) (string, []term, error) {
	if v.As == Blob && r.kind(c) != designer.KindBlob {
		return "", nil, nil
	}
	t, err := r.written(c, v)
	if err == nil && !r.exact(c) {
		name += "::text"
	}
	return name, []term{t}, err
}

// exact reports types whose equality says that values are alike.
func (r postgresRules) exact(c *designer.Column) bool {
	switch k := r.kind(c); k {
	case designer.KindBool, designer.KindDecimal, designer.KindFloat32, designer.KindFloat64, designer.KindChar, designer.KindBlob, designer.KindUUID, designer.KindNetwork,
		designer.KindDate, designer.KindTime, designer.KindTimestamp, designer.KindTimestampTZ:
		return true
	case designer.KindText, designer.KindVarchar:
		return c.Collation == "" // the default ones are
	default:
		return isInteger(k)
	}
}
