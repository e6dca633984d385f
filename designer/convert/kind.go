package convert

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// substituteType is a type used in place of another.
type substituteType struct {
	kind   designer.TypeKind
	length int  // of a text or bytes; of a decimal its precision
	scale  int  // of a decimal
	exact  bool // every value fits, so that there is nothing to tell
}

func as(k designer.TypeKind) substituteType           { return substituteType{kind: k} }
func wider(k designer.TypeKind) substituteType        { return substituteType{kind: k, exact: true} }
func sized(k designer.TypeKind, n int) substituteType { return substituteType{kind: k, length: n} }
func number(precision, scale int) substituteType {
	return substituteType{kind: designer.KindDecimal, length: precision, scale: scale}
}

// standIns lists, for each kind that a dialect may lack, what takes its place,
// the best first. Texts, bytes, enums and sets have ways of their own. It is
// never modified.
var standIns = map[designer.TypeKind][]substituteType{
	designer.KindBool:        {as(designer.KindInt8), as(designer.KindUint8), as(designer.KindInt16)},
	designer.KindInt8:        {wider(designer.KindInt16), wider(designer.KindInt32), wider(designer.KindInt64)},
	designer.KindUint8:       {wider(designer.KindInt16), wider(designer.KindInt32), wider(designer.KindInt64)},
	designer.KindInt16:       {wider(designer.KindInt32), wider(designer.KindInt64)},
	designer.KindUint16:      {wider(designer.KindInt32), wider(designer.KindInt64)},
	designer.KindInt24:       {wider(designer.KindInt32), wider(designer.KindInt64)},
	designer.KindInt32:       {wider(designer.KindInt64)},
	designer.KindUint32:      {wider(designer.KindInt64)},
	designer.KindInt64:       {number(19, 0)},
	designer.KindUint64:      {number(20, 0), as(designer.KindInt64)},
	designer.KindMoney:       {number(19, 4)},
	designer.KindDecimal:     {as(designer.KindFloat64)},
	designer.KindFloat32:     {wider(designer.KindFloat64)},
	designer.KindFloat64:     {as(designer.KindFloat32)},
	designer.KindDate:        {as(designer.KindTimestamp), as(designer.KindText)},
	designer.KindTime:        {sized(designer.KindVarchar, 20), as(designer.KindText)},
	designer.KindTimeTZ:      {as(designer.KindTime), sized(designer.KindVarchar, 30)},
	designer.KindTimestamp:   {as(designer.KindTimestampTZ), as(designer.KindText)},
	designer.KindTimestampTZ: {as(designer.KindTimestamp), as(designer.KindText)},
	designer.KindYear:        {wider(designer.KindInt16), wider(designer.KindInt32)},
	designer.KindInterval:    {sized(designer.KindVarchar, 64), as(designer.KindText)},
	designer.KindUUID:        {sized(designer.KindChar, 36), as(designer.KindText)},
	designer.KindJSON:        {as(designer.KindText)},
	designer.KindXML:         {as(designer.KindText)},
	designer.KindRowVersion:  {sized(designer.KindBinary, 8), sized(designer.KindBlob, 0)},
	designer.KindGeometry:    {as(designer.KindGeography), as(designer.KindText)},
	designer.KindGeography:   {as(designer.KindGeometry), as(designer.KindText)},
	designer.KindNetwork:     {sized(designer.KindVarchar, 45), as(designer.KindText)},
}

// kindOf says what a column's type holds. own is an enum's values where they
// are those of a type of the database.
func (c *converter) kindOf(col designer.Column) (kind designer.TypeKind, own []string) {
	info, known := c.from.Type(col.DataType)
	if !known {
		info, known = c.from.Type(strings.TrimSuffix(strings.ToLower(col.DataType), " unsigned"))
	}
	if known && info.Kind == "" {
		// an unsigned type that stands beside the one it is made of
		if base, ok := strings.CutSuffix(info.Name, " unsigned"); ok {
			if signed, ok := c.from.Type(base); ok {
				return signed.Kind, nil
			}
		}
	}
	switch {
	case known && info.Kind == designer.KindEnum && !info.Values:
		return designer.KindEnum, c.enumValues(col.DataType)
	case known && info.Kind != "":
		return info.Kind, nil
	case c.from.Name == "sqlite" && col.DataType != "" && !strings.EqualFold(col.DataType, "any"):
		return affinity(col.DataType), nil
	case strings.EqualFold(col.DataType, "sysname"):
		return designer.KindNVarchar, nil
	case strings.EqualFold(col.DataType, "cidr"), strings.HasPrefix(strings.ToLower(col.DataType), "macaddr"):
		return designer.KindNetwork, nil
	case strings.HasSuffix(col.DataType, "]") && c.from.TypeNames.Arrays:
		return designer.KindJSON, nil
	}
	return "", nil
}

// affinity returns the kind that SQLite's type affinity rules give an unknown
// type name.
func affinity(dataType string) designer.TypeKind {
	t := strings.ToUpper(dataType)
	for _, rule := range []struct {
		parts string
		kind  designer.TypeKind
	}{{"INT", designer.KindInt64}, {"CHAR CLOB TEXT", designer.KindText}, {"BLOB", designer.KindBlob}, {"REAL FLOA DOUB", designer.KindFloat64}} {
		for _, part := range strings.Fields(rule.parts) {
			if strings.Contains(t, part) {
				return rule.kind
			}
		}
	}
	return designer.KindDecimal
}

// enumValues returns the values of a type of the database, which a column then
// has itself.
func (c *converter) enumValues(dataType string) []string {
	for _, o := range c.def.Objects {
		if o.Kind == designer.ObjectType && len(o.Values) > 0 &&
			(strings.EqualFold(dataType, o.Name) || strings.EqualFold(dataType, o.Schema+"."+o.Name)) {
			c.unfolded[o.Schema+"."+o.Name] = true
			return o.Values
		}
	}
	return nil
}
