package designer

import (
	"slices"
	"strconv"
	"strings"
)

// writeType gives c the type that r asks for. old is nil for a new column. A
// column that keeps its type keeps the attributes that are not given; a
// changed type starts from its defaults.
func (d *Dialect) writeType(c, old *Column, r typeRequest) {
	switch {
	case !r.given || r.err != nil:
		return
	case r.info == nil:
		c.DataType = r.text.name
		return
	}
	c.DataType = r.text.name
	if d.TypeNames.Canonical {
		c.DataType = r.info.Name
	}
	if !r.same {
		c.MaxLength, c.Precision, c.Scale = r.info.defaults(old != nil)
	}
	r.info.writeArgs(c, r.args)
	switch {
	case !r.info.Values:
		c.Values = nil
	case len(r.text.values) > 0:
		c.Values = r.text.values
	}
	if old == nil || !slices.Equal(c.Values, old.Values) || !strings.EqualFold(c.DataType, old.DataType) ||
		c.MaxLength != old.MaxLength || c.Precision != old.Precision || c.Scale != old.Scale {
		c.TypeText = ""
	}
}

func (t *TypeInfo) writeArgs(c *Column, a typeArgs) {
	if a.length != nil {
		c.MaxLength = t.spellLength(*a.length)
	}
	if a.precision != nil {
		c.Precision = *a.precision
		if a.scale == nil && c.Scale == t.Scale.Default && c.Scale > c.Precision {
			c.Scale = c.Precision // nobody asked for the default
		}
	}
	set(&c.Scale, a.scale)
}

// spellLength returns the one spelling of a length: "MAX", or digits.
func (t *TypeInfo) spellLength(length string) string {
	length = strings.TrimSpace(length)
	if t.AllowsMax && strings.EqualFold(length, "max") {
		return "MAX"
	}
	if n, err := strconv.Atoi(length); err == nil {
		return strconv.Itoa(n)
	}
	return length
}

// fallbackLength is the default of a required length that has none.
const fallbackLength = "50"

// defaults returns what a column of the type has where nothing is given. A
// required length is filled in only when an existing column changes its type.
func (t *TypeInfo) defaults(changing bool) (length string, precision, scale int) {
	if changing && t.Length != NotTaken {
		length = t.DefaultLength
		if length == "" && t.Length == Required {
			length = fallbackLength
		}
	}
	return length, t.Precision.Default, t.Scale.Default
}

// set writes a value that is given.
func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
