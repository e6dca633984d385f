package sqlite

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// setType fills in the type of c from the text of the column definition. The
// parts stay empty where the type does not take them; the text is kept where
// the parts do not render to it.
func setType(c *designer.Column, text string, known map[string]designer.TypeInfo) {
	name, params, plain := splitType(text)
	c.DataType = name
	info, listed := known[strings.ToUpper(name)]
	takesLength := !listed || info.Length != designer.NotTaken
	takesPrecision := !listed || info.Precision != designer.Range{}
	switch {
	case len(params) == 1 && takesLength:
		c.MaxLength = strconv.Itoa(params[0])
	case len(params) == 1 && takesPrecision:
		c.Precision = params[0]
	case len(params) == 2 && takesPrecision && params[0] > 0:
		c.Precision, c.Scale = params[0], params[1]
	}
	if !plain || renderType(*c) != text {
		c.TypeText = text
	}
}

// splitType takes a type apart into its words, joined by single spaces, and
// up to two numbers. plain is false where there is more to the text than that.
func splitType(text string) (name string, params []int, plain bool) {
	tokens := sqltext.SQLite().Significant(text)
	i := 0
	for i < len(tokens) && !tokens[i].Is("(") {
		i++
	}
	words := make([]string, i)
	for j := range words {
		words[j] = tokens[j].Text
	}
	name = strings.Join(words, " ")
	plain = true
	for _, t := range tokens[min(i+1, len(tokens)):] {
		if t.Kind != sqltext.Number {
			plain = plain && (t.Is(",") || t.Is(")"))
			continue
		}
		n, err := strconv.Atoi(t.Text)
		if err != nil {
			return name, nil, false
		}
		params = append(params, n)
	}
	if !plain {
		params = nil
	}
	return name, params, plain
}

// renderType writes a type from its parts: NAME, NAME(length),
// NAME(precision) or NAME(precision,scale).
func renderType(c designer.Column) string {
	switch {
	case c.MaxLength != "":
		return c.DataType + "(" + c.MaxLength + ")"
	case c.Precision > 0 && c.Scale > 0:
		return c.DataType + "(" + strconv.Itoa(c.Precision) + "," + strconv.Itoa(c.Scale) + ")"
	case c.Precision > 0:
		return c.DataType + "(" + strconv.Itoa(c.Precision) + ")"
	}
	return c.DataType
}

// typeOf is a column's type as a table's text has it.
func typeOf(c designer.Column) string {
	if c.TypeText != "" {
		return c.TypeText
	}
	return renderType(c)
}
