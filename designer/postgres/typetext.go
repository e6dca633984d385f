package postgres

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// setType fills in the type of c. text is the server's spelling, where the
// modifier is not one of the usual numbers; else "".
func setType(c *designer.Column, t columnType, modifier int, text string) {
	c.DataType = t.designName(modifier)
	info, builtin := known.Type(c.DataType)
	switch {
	case !builtin || text != "" && t.name != "interval":
		setForeign(c, text)
	case info.Length != designer.NotTaken && modifier >= 0:
		c.MaxLength = strconv.Itoa(lengthOf(t, modifier))
	case info.Precision != designer.Range{} && modifier >= 0:
		c.Precision, c.Scale = (modifier-4)>>16&0xffff, (modifier-4)&0x7ff^1024-1024
	case t.name == "interval" && modifier >= 0:
		setInterval(c, modifier, text)
	case info.Scale != designer.Range{} && info.Precision == designer.Range{}:
		c.Scale = fractions
		if modifier >= 0 {
			c.Scale = modifier
		}
	}
}

// designName returns the name that an edit would give the type: that of a
// type of the database's own comes with its schema, but for the default one.
func (t columnType) designName(modifier int) string {
	name := t.name
	switch {
	case t.schema != "pg_catalog" && t.schema != DefaultSchema:
		name = t.schema + "." + t.name
	case t.schema != "pg_catalog":
	case t.name == "bpchar" && modifier >= 0:
		name = "char"
	case t.name == "char":
		name = `"char"`
	case internalNames[t.name] != "":
		name = internalNames[t.name]
	}
	if t.array {
		name += "[]"
	}
	return name
}

// lengthOf returns the length that a modifier holds: texts add the size of a
// header to it.
func lengthOf(t columnType, modifier int) int {
	if t.name == "varchar" || t.name == "bpchar" {
		return modifier - 4
	}
	return modifier
}

// setForeign reads the modifier of a type that the dialect does not know:
// one number is a length, anything else stays text.
func setForeign(c *designer.Column, text string) {
	open := strings.LastIndexByte(text, '(')
	if open < 0 {
		return
	}
	args, _, _ := strings.Cut(text[open+1:], ")")
	if _, err := strconv.Atoi(args); err == nil {
		c.MaxLength = args
		return
	}
	c.TypeText = text
}

// setInterval reads the modifier of an interval: its low half is the digits
// of seconds, the high one the fields it has.
func setInterval(c *designer.Column, modifier int, text string) {
	c.Scale = fractions
	if digits := modifier & 0xffff; digits != 0xffff {
		c.Scale = digits
	}
	if fields := modifier >> 16 & 0x7fff; fields != 0x7fff {
		c.TypeText = text
	}
}
