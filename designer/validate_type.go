package designer

import (
	"slices"
	"strconv"
	"strings"
)

// typeText is a data type as callers write it, taken apart.
type typeText struct {
	name   string
	args   []string // as written, trimmed
	values []string // of an enumerated type
}

// splitType takes a data type apart as the dialect does, else as any.
func (d *Dialect) splitType(text string) typeText {
	if d.SplitType != nil {
		if name, args, values, ok := d.SplitType(text); ok {
			return typeText{name: name, args: args, values: values}
		}
	}
	return parseType(text)
}

// parseType splits "decimal(18, 2)" and "timestamp(3) with time zone" into
// name and arguments. Text that is not of this form is all name.
func parseType(text string) typeText {
	text = strings.Join(strings.Fields(text), " ")
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return typeText{name: text}
	}
	end := strings.IndexByte(text, ')')
	if end < open || strings.ContainsAny(text[end+1:], "()") {
		return typeText{name: text}
	}
	name := strings.TrimSpace(text[:open])
	switch rest := strings.TrimSpace(text[end+1:]); {
	case strings.HasPrefix(rest, "["): // varchar(20)[]
		name += rest
	case rest != "":
		name += " " + rest
	}
	args := strings.Split(text[open+1:end], ",")
	for i := range args {
		args[i] = strings.TrimSpace(args[i])
	}
	return typeText{name: name, args: args}
}

// typeArgs are the parameters of a type as an edit gives them; nil: not given.
type typeArgs struct {
	length           *string
	precision, scale *int
}

// readArgs gives the arguments in a type's text their meaning.
func readArgs(info *TypeInfo, text typeText) (typeArgs, *Error) {
	var a typeArgs
	bad := invalid("Data type %s does not take (%s)", quote(info.Name), clip(strings.Join(text.args, ",")))
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
		return invalid("%s conflicts with the data type's own text: give it once", what).at(what)
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

// setType applies the type attributes of spec to c. old is nil for a new
// column. A column that keeps its type keeps the attributes that are not
// given; a changed type starts from its defaults.
func (d *Dialect) setType(c *Column, old *Column, spec ColumnSpec) *Error {
	if spec.DataType == nil && spec.MaxLength == nil && spec.Precision == nil && spec.Scale == nil {
		return nil
	}
	text := typeText{name: c.DataType}
	if spec.DataType != nil {
		text = d.splitType(*spec.DataType)
	}
	info, ok := d.Type(text.name)
	if !ok {
		if old != nil && strings.EqualFold(text.name, old.DataType) && spec.sameParams(old) && len(text.args) == 0 {
			c.DataType = text.name
			return nil
		}
		return d.unknownType(text.name)
	}
	args, err := readArgs(info, text)
	if err != nil {
		return err.at("dataType")
	}
	sameType := old != nil && d.sameType(old.DataType, text.name)
	if len(text.args) > 0 || old != nil && !sameType {
		spec = info.withoutBlanks(spec)
	}
	if args, err = mergeArgs(info, args, spec); err != nil {
		return err
	}
	c.DataType = text.name
	if d.CanonicalTypes {
		c.DataType = info.Name
	}
	if !sameType {
		c.MaxLength, c.Precision, c.Scale = info.defaults(old != nil)
	}
	if err := info.setParams(c, args); err != nil {
		if len(text.args) > 0 && !spec.gives(err.Field) {
			err = err.blame("dataType") // which holds it
		}
		return err
	}
	if err := info.setValues(c, sameType, text.values); err != nil {
		return err.at("dataType")
	}
	if old == nil || !slices.Equal(c.Values, old.Values) || !strings.EqualFold(c.DataType, old.DataType) ||
		c.MaxLength != old.MaxLength || c.Precision != old.Precision || c.Scale != old.Scale {
		c.TypeText = ""
	}
	return nil
}

// gives reports whether spec has the attribute of a type beside the type.
func (s ColumnSpec) gives(attribute string) bool {
	return attribute == "maxLength" && s.MaxLength != nil || attribute == "precision" && s.Precision != nil ||
		attribute == "scale" && s.Scale != nil
}

// sameType reports whether two names mean one type.
func (d *Dialect) sameType(a, b string) bool {
	x, known := d.Type(a)
	y, both := d.Type(b)
	return strings.EqualFold(a, b) || known && both && x.Name == y.Name
}

// sameParams reports whether spec repeats the column's attributes or says
// nothing of them.
func (s ColumnSpec) sameParams(c *Column) bool {
	return (s.MaxLength == nil || strings.EqualFold(*s.MaxLength, c.MaxLength)) &&
		(s.Precision == nil || *s.Precision == c.Precision) &&
		(s.Scale == nil || *s.Scale == c.Scale)
}

func (d *Dialect) unknownType(name string) *Error {
	names := mapEach(d.Types, func(t TypeInfo) string { return t.Name })
	return &Error{Reason: ValidationError, Message: "Data type " + quote(name) + " is invalid",
		Hints: &Hints{AllowedDataTypeSample: Nearest(name, names)}, Field: "dataType"}
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

// setParams checks and sets the given attributes.
func (t *TypeInfo) setParams(c *Column, a typeArgs) *Error {
	if a.length != nil {
		length, err := t.checkLength(*a.length)
		if err != nil {
			return err.at("maxLength")
		}
		c.MaxLength = length
	}
	if t.Length == Required && c.MaxLength == "" {
		return invalid("Column %s needs a maxLength for data type %s: give %s", quote(c.Name), quote(t.Name), t.lengths()).at("maxLength")
	}
	if a.precision != nil {
		if err := t.checkRange("precision", *a.precision, t.Precision); err != nil {
			return err.at("precision")
		}
		c.Precision = *a.precision
		if a.scale == nil && c.Scale == t.Scale.Default && c.Scale > c.Precision {
			c.Scale = c.Precision // nobody asked for the default
		}
	}
	if a.scale != nil {
		if err := t.checkRange("scale", *a.scale, t.Scale); err != nil {
			return err.at("scale")
		}
		c.Scale = *a.scale
	}
	if t.Precision != (Range{}) && t.Scale != (Range{}) && c.Scale > c.Precision && (a.scale != nil || a.precision != nil) {
		return invalid("Scale %d exceeds precision %d", c.Scale, c.Precision).at("scale")
	}
	return nil
}

// setValues sets the values of an enumerated type; a column that keeps its
// type keeps them where none are given.
func (t *TypeInfo) setValues(c *Column, sameType bool, values []string) *Error {
	switch {
	case !t.Values && len(values) > 0:
		return invalid("Data type %s takes no values", quote(t.Name))
	case !t.Values:
		c.Values = nil
		return nil
	case len(values) == 0 && sameType:
		return nil
	case len(values) == 0:
		return invalid("Column %s needs the values of data type %s: write %s('a','b')", quote(c.Name), quote(t.Name), clip(t.Name))
	}
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v] {
			return invalid("Column %s has the value %s twice", quote(c.Name), quote(v))
		}
		seen[v] = true
	}
	c.Values = values
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

// checkLength returns the one spelling of a length.
func (t *TypeInfo) checkLength(length string) (string, *Error) {
	length = strings.TrimSpace(length)
	if t.Length == NotTaken {
		return "", invalid("Data type %s takes no maxLength", quote(t.Name))
	}
	if length == "" {
		return "", nil
	}
	if t.AllowsMax && strings.EqualFold(length, "max") {
		return "MAX", nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 || t.MaxLength > 0 && n > t.MaxLength {
		return "", invalid("maxLength %s is invalid for data type %s: give %s", quote(length), quote(t.Name), t.lengths())
	}
	return strconv.Itoa(n), nil
}

func (t *TypeInfo) checkRange(what string, n int, r Range) *Error {
	if r == (Range{}) {
		return invalid("Data type %s takes no %s", quote(t.Name), what)
	}
	if n == 0 && r.Unset {
		return nil
	}
	if n < r.Min || n > r.Max {
		return invalid("%s %d is out of range for data type %s: %d to %d",
			strings.ToUpper(what[:1])+what[1:], n, quote(t.Name), r.Min, r.Max)
	}
	return nil
}
