package designer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// typeRequest is what an edit wants of a column's type.
type typeRequest struct {
	given bool // false: nothing is said of the type
	spec  ColumnSpec
	text  typeText
	info  *TypeInfo // nil: a type the dialect does not know, which the column has
	args  typeArgs
	same  bool // the column has this type already, if under another name
	err   *Error
}

// typeArgs are the parameters of a type as an edit gives them; nil: not given.
type typeArgs struct {
	length           *string
	precision, scale *int
}

// resolveType finds the type that spec means for a column; old is nil for a
// new one.
func (d *Dialect) resolveType(old *Column, spec ColumnSpec) typeRequest {
	r := typeRequest{spec: spec}
	if spec.DataType == nil && spec.MaxLength == nil && spec.Precision == nil && spec.Scale == nil && spec.Values == nil {
		return r
	}
	r.given = true
	switch {
	case spec.DataType != nil:
		r.text = d.splitType(*spec.DataType)
	case old != nil:
		r.text.name = old.DataType
	}
	info, known := d.Type(r.text.name)
	if !known {
		if old == nil || !strings.EqualFold(r.text.name, old.DataType) || !spec.sameParams(old) || len(r.text.args) > 0 {
			r.err = d.unknownType(r.text.name)
		}
		return r
	}
	r.info = info
	if r.args, r.err = readArgs(info, r.text); r.err != nil {
		r.err = r.err.At("dataType")
		return r
	}
	if spec.Values != nil {
		if len(r.text.values) > 0 && !slices.Equal(r.text.values, spec.Values) {
			r.err = invalid("values conflicts with the data type's own text: give it once").At("values")
			return r
		}
		r.text.values = spec.Values
	}
	r.same = old != nil && d.sameType(old.DataType, r.text.name)
	if len(r.text.args) > 0 || old != nil && !r.same {
		r.spec = info.withoutBlanks(spec)
	}
	r.args, r.err = mergeArgs(info, r.args, r.spec)
	return r
}

// readArgs gives the arguments in a type's text their meaning.
func readArgs(info *TypeInfo, text typeText) (typeArgs, *Error) {
	var a typeArgs
	bad := invalid("Data type %s does not take (%s)", clip.Quote(info.Name), clip.Name(strings.Join(text.args, ",")))
	if len(text.args) == 0 {
		return a, nil
	}
	if len(text.args) == 1 && info.Length != NotTaken {
		a.length = &text.args[0]
		return a, nil
	}
	numbers := make([]int, len(text.args))
	for i, arg := range text.args {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return a, bad
		}
		numbers[i] = n
	}
	takesPrecision, takesScale := info.Precision != Range{}, info.Scale != Range{}
	switch {
	case len(numbers) == 1 && takesPrecision:
		a.precision = &numbers[0]
	case len(numbers) == 1 && takesScale:
		a.scale = &numbers[0]
	case len(numbers) == 2 && takesPrecision && takesScale:
		a.precision, a.scale = &numbers[0], &numbers[1]
	default:
		return a, bad
	}
	return a, nil
}

// mergeArgs puts the explicit attributes and those of the type's text
// together; both may say the same.
func mergeArgs(info *TypeInfo, a typeArgs, spec ColumnSpec) (typeArgs, *Error) {
	conflict := func(what string) *Error {
		return invalid("%s conflicts with the data type's own text: give it once", what).At(what)
	}
	if l := spec.MaxLength; l != nil && !(info.Length == NotTaken && (*l == "" || *l == "0")) {
		if a.length != nil && !strings.EqualFold(*a.length, *l) && *l != "" {
			return a, conflict("maxLength")
		}
		if a.length == nil {
			a.length = l
		}
	}
	if p := spec.Precision; p != nil && !(info.Precision == Range{} && *p == 0) {
		if a.precision != nil && *a.precision != *p {
			return a, conflict("precision")
		}
		a.precision = p
	}
	if sc := spec.Scale; sc != nil && !(info.Scale == Range{} && *sc == 0) {
		if a.scale != nil && *a.scale != *sc {
			return a, conflict("scale")
		}
		a.scale = sc
	}
	return a, nil
}

// withoutBlanks takes the length "" and the precision 0 of a filled-in form
// as not given where the type has no use for them, and with such a precision
// the scale 0 that stands beside it.
func (t *TypeInfo) withoutBlanks(spec ColumnSpec) ColumnSpec {
	zero := func(n *int) bool { return n != nil && *n == 0 }
	if t.Length == Required && spec.MaxLength != nil && strings.TrimSpace(*spec.MaxLength) == "" {
		spec.MaxLength = nil
	}
	if zero(spec.Precision) && (t.Precision == Range{} || t.Precision.Min > 0 && !t.Precision.Unset) {
		spec.Precision = nil
		if zero(spec.Scale) {
			spec.Scale = nil
		}
	}
	return spec
}

// gives reports whether spec has the attribute of a type beside the type.
func (s ColumnSpec) gives(attribute string) bool {
	return attribute == "maxLength" && s.MaxLength != nil || attribute == "precision" && s.Precision != nil ||
		attribute == "scale" && s.Scale != nil
}

// sameParams reports whether spec repeats the column's attributes or says
// nothing of them.
func (s ColumnSpec) sameParams(c *Column) bool {
	return (s.MaxLength == nil || strings.EqualFold(*s.MaxLength, c.MaxLength)) &&
		(s.Precision == nil || *s.Precision == c.Precision) &&
		(s.Scale == nil || *s.Scale == c.Scale)
}

func (d *Dialect) unknownType(name string) *Error {
	message := "Data type " + clip.Quote(name) + " is invalid"
	if m, ok := d.Meant(name); ok {
		message += ": " + d.Title + " has " + m.Text
		if m.Identity {
			message += ", with isIdentity true"
		}
	} else if strings.EqualFold(name, "enum") && d.NamedTypes.has(ClassEnum) {
		message += ": make a type with add_type and give its name"
	} else if strings.EqualFold(name, "enum") && d.NamedTypes.Instead != "" {
		message += ": " + d.NamedTypes.Instead
	}
	return &Error{Reason: ValidationError, Message: message,
		Hints: &Hints{AllowedDataTypeSample: d.typesLike(name)}, Field: "dataType"}
}
