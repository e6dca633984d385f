package mssql

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// setType fills in the type of c from the catalogue: the parts that the type
// takes, or for a type of the user's own its quoted name as the text.
func setType(c *designer.Column, t typeName) {
	c.DataType = catalogType(t)
	info, known := typesByName[strings.ToLower(c.DataType)]
	switch {
	case t.user:
		c.TypeText = qualified(t.schema, t.name)
	case strings.EqualFold(t.name, "vector"):
		const header = 8 // bytes before the numbers, of four bytes each
		c.TypeText = "vector(" + strconv.Itoa((t.length-header)/4) + ")"
	case !known:
	case info.Length != designer.NotTaken:
		c.MaxLength = lengthOf(t)
	case info.Precision != designer.Range{}:
		c.Precision, c.Scale = t.precision, t.scale
	case info.Scale != designer.Range{}:
		c.Scale = t.scale
	}
}

// catalogType is a type's name in the model: without its schema where that is
// the system's or the default one.
func catalogType(t typeName) string {
	switch {
	case t.user && !strings.EqualFold(t.schema, DefaultSchema):
		return t.schema + "." + t.name
	case !t.user && strings.EqualFold(t.name, "timestamp"):
		return "rowversion"
	}
	return t.name
}

// lengthOf counts characters where the type does.
func lengthOf(t typeName) string {
	switch {
	case t.length < 0:
		return "MAX"
	case strings.HasPrefix(strings.ToLower(t.name), "n"):
		return strconv.Itoa(t.length / 2)
	}
	return strconv.Itoa(t.length)
}

// typeText writes the type of a column.
func typeText(c designer.Column) string {
	if c.TypeText != "" {
		return c.TypeText
	}
	info, known := typesByName[strings.ToLower(c.DataType)]
	if !known {
		return c.DataType
	}
	name := info.Name
	switch {
	case info.Length != designer.NotTaken && c.MaxLength != "":
		return name + "(" + strings.ToLower(c.MaxLength) + ")"
	case info.Precision != designer.Range{} && c.Precision > 0:
		return name + "(" + strconv.Itoa(c.Precision) + "," + strconv.Itoa(c.Scale) + ")"
	case info.Precision == designer.Range{} && info.Scale != designer.Range{}:
		return name + "(" + strconv.Itoa(c.Scale) + ")"
	}
	return name
}
