package mysql

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// settle makes of a table that an edit has changed what the server would return
// of it: attributes that a new type does not have go, and default values that
// the server writes in one way of many are written so.
func settle(t *designer.Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		settleColumn(c)
		if c.DefaultValue != "" {
			c.DefaultValue = normalDefault(*c)
		}
		c.ComputedFormula = bare(c.ComputedFormula)
	}
	for i := range t.Checks {
		t.Checks[i].Expression = bare(t.Checks[i].Expression)
	}
	for i := range t.Indexes {
		settleParts(t, t.Indexes[i].Parts)
	}
	settleKey(t.PrimaryKey)
}

// settleColumn takes away what the column's type does not have.
func settleColumn(c *designer.Column) {
	info, known := typeNamed(c.DataType)
	if !known {
		return
	}
	text := info.Family == "text" || info.Values
	if !text {
		c.Collation = ""
	}
	drop := func(key string, has bool) {
		if !has {
			delete(c.Options, key)
		}
	}
	if c.Options[OptionCompressed] != "" && !text && c.DefaultValue == "''" {
		c.DefaultValue = "" // which the server had given it
	}
	timed := info.Name == "datetime" || info.Name == "timestamp"
	drop(OptionOnUpdate, timed && !c.IsComputed)
	drop(OptionCompressed, (text || info.Family == "binary") && !info.Values && info.Name != "char" && info.Name != "binary" && !c.IsComputed)
	drop(OptionSRID, info.Kind == designer.KindGeometry)
	if on := c.Options[OptionOnUpdate]; on != "" {
		c.Options[OptionOnUpdate] = currentTime(c.Scale) // of another precision it is refused
	}
	if c.Options[OptionCompressed] != "" && !c.IsNullable && c.DefaultValue == "" {
		c.DefaultValue = "''" // the server gives it one
	}
	if len(c.Options) == 0 {
		c.Options = nil
	}
}

func currentTime(scale int) string {
	if scale == 0 {
		return "current_timestamp()"
	}
	return "current_timestamp(" + strconv.Itoa(scale) + ")"
}

// settleParts takes lengths away that say nothing: those of columns that have
// no parts, and those of the whole column.
func settleParts(t *designer.Table, parts []designer.IndexKey) {
	for i := range parts {
		p := &parts[i]
		c := columnByID(t, p.Column)
		if c == nil || p.Length == 0 {
			continue
		}
		info, known := typeNamed(c.DataType)
		whole, err := strconv.Atoi(c.MaxLength)
		if known && info.Family != "text" && info.Family != "binary" || err == nil && p.Length >= whole {
			p.Length = 0
		}
	}
}

// settleKey takes options away that are of a key with other columns.
func settleKey(k *designer.PrimaryKey) {
	if k == nil {
		return
	}
	for _, key := range []string{OptionLengths, OptionOrder} {
		if v, has := k.Options[key]; has && len(strings.Split(v, ",")) != len(k.Columns) {
			delete(k.Options, key)
		}
	}
	if len(k.Options) == 0 {
		k.Options = nil
	}
}

// The forms of a default value that are distinguished; none is ever modified.
var (
	currentForm = lazyregexp.New(`(?i)^(current_timestamp|now|localtime|localtimestamp)\s*(\(\s*([0-6]?)\s*\))?$`)
	numberForm  = lazyregexp.New(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$`)
	bitForm     = lazyregexp.New(`(?i)^b'0*([01]*)'$`)
)

// normalDefault writes a default value as the server would. What it does not
// know stays as it is.
func normalDefault(c designer.Column) string {
	text := bare(c.DefaultValue)
	info, known := typeNamed(c.DataType)
	switch {
	case strings.EqualFold(text, "null"):
		return ""
	case !known || strings.Contains(c.TypeText, "zerofill"):
		return text
	}
	if m := currentForm().FindStringSubmatch(text); m != nil && (info.Name == "datetime" || info.Name == "timestamp") {
		scale, _ := strconv.Atoi(m[3]) // "": 0
		return currentTime(scale)
	}
	value, quoted := unquote(text)
	if !quoted {
		switch {
		case strings.EqualFold(text, "true"):
			value = "1"
		case strings.EqualFold(text, "false"):
			value = "0"
		case numberForm().MatchString(text), bitForm().MatchString(text):
			value = text
		default:
			return text
		}
	}
	return normalValue(c, info, text, value)
}

// normalValue writes the value of a literal.
func normalValue(c designer.Column, info *designer.TypeInfo, text, value string) string {
	number := numberForm().MatchString(value)
	switch {
	case info.Name == "varchar" || info.Name == "char":
		return quoteString(value)
	case info.Values:
		for _, v := range c.Values {
			if strings.EqualFold(v, value) {
				return quoteString(v)
			}
		}
	case info.Identity && number, info.Name == "boolean" && number:
		return fixed(value, 0)
	case info.Family == "decimal" && number, info.Family == "decimal unsigned" && number:
		return fixed(value, c.Scale)
	case info.Family == "double" || info.Family == "float":
		if number && c.Precision > 0 {
			return fixed(value, c.Scale)
		}
		return floating(text, value, info.Family)
	case info.Name == "bit":
		if m := bitForm().FindStringSubmatch(value); m != nil && m[1] != "" {
			return "b'" + m[1] + "'"
		}
	}
	return text
}

// fixed writes a number with so many digits behind the point, rounded away
// from zero at the half as the server does.
func fixed(value string, scale int) string {
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(value, "+"))
	if !ok {
		return value
	}
	text := r.FloatString(scale)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// floating writes a number as short as it is exact. The server writes large
// ones otherwise: they stay as they are.
func floating(text, value, family string) string {
	bits := 64
	if family == "float" {
		bits = 32
	}
	f, err := strconv.ParseFloat(value, bits)
	if err != nil || math.Abs(f) >= 1e6 || f != 0 && math.Abs(f) < 1e-4 {
		return text
	}
	return strconv.FormatFloat(f, 'f', -1, bits)
}
