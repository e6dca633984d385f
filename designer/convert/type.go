package convert

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
)

// columns converts what a table's columns are, but for their SQL text.
func (c *converter) columns(t *table) {
	t.values, t.kinds = map[string][]string{}, make([]designer.TypeKind, len(t.old.Columns))
	t.out.Columns = make([]designer.Column, len(t.old.Columns))
	for i, old := range t.old.Columns {
		kind, own := c.kindOf(old)
		t.kinds[i] = kind
		if own != nil {
			old.Values = own
		}
		col := c.columnType(t, old, kind)
		col.Name, col.IsNullable = t.columns[old.Name], old.IsNullable
		col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = old.IsIdentity, old.IdentitySeed, old.IdentityIncrement
		if c.can().comments {
			col.Comment = old.Comment
		}
		c.columnOptions(t, old)
		t.out.Columns[i] = col
	}
	c.words(t)
}

// words notes comments and collations that are left out, of all columns
// together.
func (c *converter) words(t *table) {
	var comments, order []string
	collations := map[string][]string{}
	for _, old := range t.old.Columns {
		if old.Comment != "" && !c.can().comments {
			comments = append(comments, old.Name)
		}
		if old.Collation != "" {
			if collations[old.Collation] == nil {
				order = append(order, old.Collation)
			}
			collations[old.Collation] = append(collations[old.Collation], old.Name)
		}
	}
	for _, name := range order {
		c.note(t, "", "collation %s of %s is left out: %s has others", name, strings.Join(collations[name], ", "), c.to.Title)
	}
	if len(comments) > 0 {
		c.note(t, "", "the comments on %s are left out: %s keeps none", strings.Join(comments, ", "), c.to.Title)
	}
}

// columnType finds the other dialect's type for a column and says what is not
// the same.
func (c *converter) columnType(t *table, old designer.Column, kind designer.TypeKind) designer.Column {
	switch kind {
	case designer.KindChar, designer.KindVarchar, designer.KindNChar, designer.KindNVarchar, designer.KindText:
		return c.textType(t, old, kind, c.lengthOf(old), t.key[old.Name])
	case designer.KindBinary, designer.KindVarbinary, designer.KindBlob:
		return c.bytesType(t, old, kind, c.lengthOf(old))
	case designer.KindEnum, designer.KindSet:
		return c.enumType(t, old, kind)
	case designer.KindBit:
		return c.bitType(t, old)
	}
	if col, ok := c.ofKind(t, old, substituteType{kind: kind, exact: true}); ok {
		if strings.HasSuffix(old.DataType, "]") {
			c.becomes(t, old, col) // an array
		}
		return col
	}
	for _, s := range standIns[kind] {
		var col designer.Column
		var ok bool
		switch s.kind {
		case designer.KindText, designer.KindVarchar, designer.KindChar:
			bare := old
			bare.TypeText, bare.Precision, bare.Scale = "", 0, 0
			col, ok = c.textType(t, bare, s.kind, s.length, t.key[old.Name]), true
		case designer.KindBinary, designer.KindBlob:
			col, ok = c.bytesType(t, old, s.kind, s.length), true
		default:
			col, ok = c.ofKind(t, old, s)
		}
		if ok {
			if !s.exact {
				c.becomes(t, old, col)
			}
			return col
		}
	}
	col := c.textType(t, designer.Column{Name: old.Name}, designer.KindText, 0, t.key[old.Name])
	c.becomes(t, old, col)
	return col
}

// becomes notes that a type is not what it was.
func (c *converter) becomes(t *table, old, col designer.Column) {
	was := c.from.TypeText(old)
	if was == "" {
		was = "a column without a type"
	}
	c.note(t, old.Name, "%s becomes %s", was, c.to.TypeText(col))
}

// typeOf returns the type that stands for a kind, unless it is one to avoid.
func (c *converter) typeOf(kind designer.TypeKind) (*designer.TypeInfo, bool) {
	if slices.Contains(c.can().avoid, kind) {
		return nil, false
	}
	return c.to.TypeOfKind(kind)
}

// ofKind makes a column of a kind that is a number, a time or one without
// attributes. ok is false where the dialect has no type of the kind.
func (c *converter) ofKind(t *table, old designer.Column, s substituteType) (col designer.Column, ok bool) {
	info, ok := c.typeOf(s.kind)
	if !ok {
		return col, false
	}
	col.DataType = info.Name
	switch {
	case info.Length != designer.NotTaken:
		col.MaxLength = info.DefaultLength
	case s.kind == designer.KindDecimal:
		c.decimal(t, old, &col, info, s)
	case info.Scale != designer.Range{} && info.Precision == designer.Range{}:
		c.fraction(t, old, &col, info)
	case info.Precision != designer.Range{}:
		col.Precision, col.Scale = info.Precision.Default, info.Scale.Default
	}
	return col, true
}

// openDecimal is what a decimal without limits becomes where it needs some.
var openDecimal = substituteType{length: 38, scale: 10}

// decimal fills in precision and scale, cut to what the type allows.
func (c *converter) decimal(t *table, old designer.Column, col *designer.Column, info *designer.TypeInfo, s substituteType) {
	precision, scale := old.Precision, old.Scale
	if s.length > 0 {
		precision, scale = s.length, s.scale
	}
	if precision == 0 && !info.Precision.Unset {
		precision, scale = openDecimal.length, openDecimal.scale
		c.note(t, old.Name, "%s has no limits; here it has %d digits, %d of them after the point", c.from.TypeText(old), precision, scale)
	}
	if most := info.Precision.Max; precision > most {
		c.note(t, old.Name, "%s has more digits than %s takes: %d are left", c.from.TypeText(old), c.to.Title, most)
		scale = max(0, scale-(precision-most))
		precision = most
	}
	if most := min(info.Scale.Max, max(precision, 0)); scale > most && precision > 0 {
		c.note(t, old.Name, "%s has more digits after the point than %s takes: %d are left", c.from.TypeText(old), c.to.Title, most)
		scale = most
	}
	col.Precision, col.Scale = precision, max(scale, 0)
}

// fraction fills in how many digits of a second a time has.
func (c *converter) fraction(t *table, old designer.Column, col *designer.Column, info *designer.TypeInfo) {
	col.Scale = info.Scale.Default
	was, known := c.from.Type(old.DataType)
	digits := old.Scale
	switch {
	case strings.EqualFold(old.DataType, "datetime") && c.from.Name == "mssql":
		digits = 3
	case strings.EqualFold(old.DataType, "smalldatetime"):
		digits = 0
	case !known || was.Scale == designer.Range{}:
		return // it does not say
	}
	if digits > info.Scale.Max {
		c.note(t, old.Name, "%s has %d digits of a second: %s keeps %d", c.from.TypeText(old), digits, c.to.Title, info.Scale.Max)
		digits = info.Scale.Max
	}
	col.Scale = digits
}

// lengthOf is the length of a bounded text or bytes, 0 where there is no
// bound.
func (c *converter) lengthOf(old designer.Column) int {
	if info, known := c.from.Type(old.DataType); known && info.Length == designer.NotTaken && info.Name != "sysname" {
		return 0
	}
	if strings.EqualFold(old.DataType, "sysname") {
		return 128
	}
	n, err := strconv.Atoi(old.MaxLength)
	if err != nil {
		return 0
	}
	return n
}

// textType finds the type of a text of at most length characters, 0 for any.
func (c *converter) textType(t *table, old designer.Column, kind designer.TypeKind, length int, key bool) designer.Column {
	fixed := kind == designer.KindChar || kind == designer.KindNChar
	if length == 0 && key && c.can().keyText > 0 {
		length = c.can().keyText
		c.note(t, old.Name, "a text without a limit cannot be in a key of %s: it has %d characters at most", c.to.Title, length)
	}
	wide := kind == designer.KindNChar || kind == designer.KindNVarchar || !c.can().unicode && c.had().unicode
	if length > 0 && fixed {
		if info, ok := c.firstOf(wide, designer.KindNChar, designer.KindChar); ok && length <= c.most(info) {
			return designer.Column{DataType: info.Name, MaxLength: strconv.Itoa(length)}
		}
	}
	info, bounded := c.firstOf(wide, designer.KindNVarchar, designer.KindVarchar)
	if length > 0 && bounded && length <= c.most(info) {
		return designer.Column{DataType: info.Name, MaxLength: strconv.Itoa(length)}
	}
	col := c.openText(info)
	if length > 0 {
		c.note(t, old.Name, "%d characters are more than %s allows a text to be limited to: it becomes %s", length, c.to.Title, c.to.TypeText(col))
	}
	return col
}

// openText is the type of a text without a limit; bounded is the one that has
// one.
func (c *converter) openText(bounded *designer.TypeInfo) designer.Column {
	if info, ok := c.typeOf(designer.KindText); ok {
		return designer.Column{DataType: info.Name}
	}
	return openEnded(bounded)
}

func openEnded(info *designer.TypeInfo) designer.Column {
	switch {
	case info == nil:
		return designer.Column{}
	case info.AllowsMax:
		return designer.Column{DataType: info.Name, MaxLength: "MAX"}
	case info.Length == designer.Required:
		return designer.Column{DataType: info.Name, MaxLength: strconv.Itoa(max(info.MaxLength, 1))}
	}
	return designer.Column{DataType: info.Name}
}

// firstOf prefers the wide kind where it is asked for and there, else the
// plain one.
func (c *converter) firstOf(wantWide bool, wide, plain designer.TypeKind) (*designer.TypeInfo, bool) {
	if wantWide {
		if info, ok := c.typeOf(wide); ok {
			return info, true
		}
	}
	return c.typeOf(plain)
}

// most is how many characters a bounded text may have.
func (c *converter) most(info *designer.TypeInfo) int {
	most := info.MaxLength
	if most == 0 {
		return 1 << 30
	}
	if n := c.can().charBytes; n > 0 && info.Kind == designer.KindVarchar {
		most /= n // the limit is one of bytes
	}
	return most
}

// bytesType finds the type of at most length bytes, 0 for any.
func (c *converter) bytesType(t *table, old designer.Column, kind designer.TypeKind, length int) designer.Column {
	within := func(info *designer.TypeInfo) bool { return info.MaxLength == 0 || length <= info.MaxLength }
	sized := func(info *designer.TypeInfo) designer.Column {
		return designer.Column{DataType: info.Name, MaxLength: strconv.Itoa(length)}
	}
	if info, ok := c.typeOf(designer.KindBinary); ok && kind == designer.KindBinary && length > 0 && within(info) {
		return sized(info)
	}
	bounded, ok := c.typeOf(designer.KindVarbinary)
	if length == 0 && t.key[old.Name] && c.can().keyText > 0 {
		length = c.can().keyText
		c.note(t, old.Name, "bytes without a limit cannot be in a key of %s: there are %d at most", c.to.Title, length)
	}
	if ok && length > 0 && within(bounded) {
		return sized(bounded)
	}
	col := openEnded(bounded)
	if info, ok := c.typeOf(designer.KindBlob); ok {
		col = designer.Column{DataType: info.Name}
	}
	if length > 0 {
		c.note(t, old.Name, "the limit of %d bytes is left out: %s has none for %s", length, c.to.Title, c.to.TypeText(col))
	}
	return col
}

// enumType keeps an enum where the other dialect has such columns; else it is
// a text with a check, and a set a text of its values.
func (c *converter) enumType(t *table, old designer.Column, kind designer.TypeKind) designer.Column {
	if info, ok := c.to.TypeOfKind(kind); ok && info.Values && len(old.Values) > 0 {
		return designer.Column{DataType: info.Name, Values: slices.Clone(old.Values)}
	}
	longest, all := 1, 0
	for _, v := range old.Values {
		longest, all = max(longest, utf8.RuneCountInString(v)), all+utf8.RuneCountInString(v)+1
	}
	if kind == designer.KindSet {
		longest = max(all, 1)
	}
	col := c.textType(t, old, designer.KindVarchar, longest, t.key[old.Name])
	if kind == designer.KindEnum && len(old.Values) > 0 {
		t.values[old.Name] = old.Values
		c.note(t, old.Name, "the enum becomes %s with a check of its values", c.to.TypeText(col))
		return col
	}
	c.note(t, old.Name, "%s becomes %s: nothing checks its values", c.from.TypeText(old), c.to.TypeText(col))
	return col
}

// bitType keeps a string of bits, or makes it a text of 0 and 1.
func (c *converter) bitType(t *table, old designer.Column) designer.Column {
	n := old.Precision
	if length := c.lengthOf(old); length > 0 {
		n = length
	}
	n = max(n, 1)
	if info, ok := c.to.TypeOfKind(designer.KindBit); ok {
		if info.Length != designer.NotTaken && (info.MaxLength == 0 || n <= info.MaxLength) {
			return designer.Column{DataType: info.Name, MaxLength: strconv.Itoa(n)}
		}
		if n <= info.Precision.Max {
			return designer.Column{DataType: info.Name, Precision: n}
		}
	}
	col := c.textType(t, old, designer.KindChar, n, t.key[old.Name])
	if info, ok := c.to.TypeOfKind(designer.KindBool); ok && n == 1 {
		col = designer.Column{DataType: info.Name}
	}
	c.becomes(t, old, col)
	return col
}
