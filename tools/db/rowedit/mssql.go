package rowedit

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// mssqlRules: a text is compared with what is no text as one of the column's
// type.
type mssqlRules struct{ *target }

func (r mssqlRules) hole(n int) string { return holeNumbered("@p", n) }

func holeNumbered(sign string, n int) string { return sign + strconv.Itoa(n) }

func (r mssqlRules) literal(value any) string {
	return literalOf(value, func(text string) string { return "N" + r.dialect.StringLiteral(text) }, func(digits string) string { return "0x" + digits })
}

func (r mssqlRules) written(c *designer.Column, v Value) (term, error) {
	value, err := r.value(c, v)
	return term{value: value}, err
}

func (r mssqlRules) value(c *designer.Column, v Value) (any, error) {
	switch k := r.kind(c); {
	case k == designer.KindBool && v.As == Text && (strings.EqualFold(v.Text, "true") || strings.EqualFold(v.Text, "false")):
		return integerOf(c, Value{Bool, strings.ToLower(v.Text)})
	case isInteger(k), k == designer.KindBool:
		return integerOf(c, v)
	case k == designer.KindDecimal, k == designer.KindMoney:
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

func (r mssqlRules) key(c *designer.Column, v Value) (term, error) {
	value, err := r.value(c, v)
	if text, isText := value.(string); err == nil && isText && !r.isText(c) {
		return r.typed(c, text), nil
	}
	return term{value: value}, err
}

// typed is a text made one of the column's type. A datetime comes with more
// digits than a text of one may have.
func (r mssqlRules) typed(c *designer.Column, text string) term {
	if name := strings.ToLower(c.DataType); name == "datetime" || name == "smalldatetime" {
		if point := strings.LastIndexByte(text, '.'); point >= 0 && len(text) > point+8 {
			text = text[:point+8]
		}
		return term{"CAST(CAST(", text, " AS datetime2(7)) AS " + name + ")"}
	}
	return cast(text, r.dialect.TypeText(*c))
}

// same compares texts byte by byte, whatever the column's collation is.
func (r mssqlRules) same(c *designer.Column, name string, v Value) (string, []term, error) {
	k := r.kind(c)
	if v.As == Blob && !isBytes(k) || k == "" || k == designer.KindGeometry || k == designer.KindGeography || k == designer.KindRowVersion {
		return "", nil, nil
	}
	if !r.isText(c) && k != designer.KindXML {
		t, err := r.key(c, v)
		return name, []term{t}, err
	}
	value, err := r.value(c, v)
	return "CAST(CAST(" + name + " AS nvarchar(max)) AS varbinary(max))", []term{{"CAST(CAST(", value, " AS nvarchar(max)) AS varbinary(max))"}}, err
}

func (r mssqlRules) isText(c *designer.Column) bool {
	switch r.kind(c) {
	case designer.KindChar, designer.KindVarchar, designer.KindNChar, designer.KindNVarchar, designer.KindText:
		return true
	}
	return strings.EqualFold(c.DataType, "sysname")
}
