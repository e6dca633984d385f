package designer

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// checkType verifies that c, which has the type that r asks for, may have it
// with the attributes that r gives.
func (d *Dialect) checkType(c Column, r typeRequest) *Error {
	if !r.given || r.err != nil || r.info == nil {
		return r.err
	}
	if err := r.info.checkArgs(c, r.args); err != nil {
		if len(r.text.args) > 0 && !r.spec.gives(err.Field) {
			return err.blame("dataType") // which holds it
		}
		return err
	}
	member, instead := "dataType", ""
	if r.spec.Values != nil {
		member = "values"
	}
	if d.NamedTypes.has(ClassEnum) {
		instead = ": make a type of them with add_type and give its name"
	}
	return r.info.checkValues(c, r.same, r.text.values, instead).At(member)
}

func (t *TypeInfo) checkArgs(c Column, a typeArgs) *Error {
	if a.length != nil {
		if err := t.checkLength(*a.length); err != nil {
			return err.At("maxLength")
		}
	}
	if t.Length == Required && c.MaxLength == "" {
		return invalid("Column %s needs a maxLength for data type %s: give %s", clip.Quote(c.Name), clip.Quote(t.Name), t.lengths()).At("maxLength")
	}
	if a.precision != nil {
		if err := t.checkRange("precision", *a.precision, t.Precision); err != nil {
			return err.At("precision")
		}
	}
	if a.scale != nil {
		if err := t.checkRange("scale", *a.scale, t.Scale); err != nil {
			return err.At("scale")
		}
	}
	if t.Precision != (Range{}) && t.Scale != (Range{}) && c.Scale > c.Precision && (a.scale != nil || a.precision != nil) {
		return invalid("Scale %d exceeds precision %d", c.Scale, c.Precision).At("scale")
	}
	return nil
}

// checkValues verifies the values of an enumerated type; a column that keeps
// its type keeps them where none are given.
func (t *TypeInfo) checkValues(c Column, same bool, values []string, instead string) *Error {
	switch {
	case !t.Values && len(values) > 0:
		return invalid("Data type %s takes no values%s", clip.Quote(t.Name), instead)
	case !t.Values, len(values) == 0 && same:
		return nil
	case len(values) == 0:
		return invalid("Column %s needs the values of data type %s: write %s('a','b')", clip.Quote(c.Name), clip.Quote(t.Name), clip.Name(t.Name))
	}
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v] {
			return invalid("Column %s has the value %s twice", clip.Quote(c.Name), clip.Quote(v))
		}
		seen[v] = true
	}
	return nil
}

func (t *TypeInfo) lengths() string {
	out := "a number from 1"
	if t.MaxLength > 0 {
		out += " to " + strconv.Itoa(t.MaxLength)
	}
	if t.AllowsMax {
		out += " or MAX"
	}
	return out
}

func (t *TypeInfo) checkLength(length string) *Error {
	length = strings.TrimSpace(length)
	switch {
	case t.Length == NotTaken:
		return invalid("Data type %s takes no maxLength", clip.Quote(t.Name))
	case length == "", t.AllowsMax && strings.EqualFold(length, "max"):
		return nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 || t.MaxLength > 0 && n > t.MaxLength {
		return invalid("maxLength %s is invalid for data type %s: give %s", clip.Quote(length), clip.Quote(t.Name), t.lengths())
	}
	return nil
}

func (t *TypeInfo) checkRange(what string, n int, r Range) *Error {
	if r == (Range{}) {
		return invalid("Data type %s takes no %s", clip.Quote(t.Name), what)
	}
	if n == 0 && r.Unset {
		return nil
	}
	if n < r.Min || n > r.Max {
		return invalid("%s %d is out of range for data type %s: %d to %d",
			strings.ToUpper(what[:1])+what[1:], n, clip.Quote(t.Name), r.Min, r.Max)
	}
	return nil
}
