package mysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// typeWords is a parsed data type: "int(10) unsigned" is int, 10 and
// unsigned; "enum('a','b')" is enum, 'a' and 'b'.
type typeWords struct {
	name  string
	args  []string // as written
	after []string // the words behind the parentheses, in lower case
}

// readType parses a data type; ok is false for text that is none.
func readType(text string) (t typeWords, ok bool) {
	tokens := code(scan(text))
	i := 0
	for ; i < len(tokens) && tokens[i].Kind == sqltext.Word; i++ {
		t.name = strings.TrimSpace(t.name + " " + strings.ToLower(tokens[i].Text))
	}
	if i == 0 {
		return t, false
	}
	if i < len(tokens) && tokens[i].Is("(") {
		for i++; i < len(tokens) && !tokens[i].Is(")"); i++ {
			if !tokens[i].Is(",") {
				t.args = append(t.args, tokens[i].Text)
			}
		}
		if i == len(tokens) {
			return t, false
		}
		i++
	}
	for ; i < len(tokens); i++ {
		if tokens[i].Kind != sqltext.Word {
			return t, false
		}
		t.after = append(t.after, strings.ToLower(tokens[i].Text))
	}
	return t, true
}

// splitType parses a type that a caller writes:
// aliases become the name the server gives back, the display width of a number
// is left out, and tinyint(1) is what it is used for.
func splitType(text string) (name string, args, values []string, ok bool) {
	t, ok := readType(text)
	if !ok {
		return "", nil, nil, false
	}
	full := strings.TrimSuffix(strings.Join(append([]string{t.name}, t.after...), " "), " signed")
	info, known := typeNamed(full)
	if !known {
		return full, t.args, nil, true
	}
	switch {
	case info.Values:
		for _, a := range t.args {
			v, quoted := unquote(a)
			if !quoted {
				return "", nil, nil, false
			}
			values = append(values, v)
		}
		return info.Name, nil, values, true
	case info.Name == "tinyint" && slices.Equal(t.args, []string{"1"}):
		return "boolean", nil, nil, true
	case len(t.args) != 1 || !isWhole(t.args[0]):
	case info.Name == "float" && !isSingle(t.args[0]):
		return "double", nil, nil, true
	case info.Identity, info.Name == "year", info.Family == "float", info.Family == "double":
		return info.Name, nil, nil, true
	}
	return info.Name, t.args, nil, true
}

// isWhole reports whether an argument is a number without a fraction.
func isWhole(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isSingle reports whether float(n) is of single precision.
func isSingle(bits string) bool {
	n, err := strconv.Atoi(bits)
	return err == nil && n <= 24
}

// setType fills in what the text of a column's type says, as the server has
// it in COLUMN_TYPE. A text that the parts do not render back to is kept
// beside them.
func setType(c *designer.Column, columnType string) {
	text, compressed, _ := strings.Cut(columnType, " /*M!100301 ")
	if compressed != "" {
		setOption(&c.Options, OptionCompressed, strings.TrimSuffix(compressed, "*/"))
	}
	t, ok := readType(text)
	info, known := typeNamed(strings.Join(append([]string{t.name}, without(t.after, "zerofill")...), " "))
	if !ok || !known {
		c.DataType, c.TypeText = text, ""
		if ok && len(t.args) > 0 {
			c.DataType, c.TypeText = t.name, text
		}
		return
	}
	c.DataType = info.Name
	switch {
	case info.Values:
		_, _, c.Values, _ = splitType(text)
	case info.Name == "tinyint" && text == "tinyint(1)":
		c.DataType = "boolean"
	case info.Length != designer.NotTaken && len(t.args) == 1:
		c.MaxLength = t.args[0]
	case info.Precision != designer.Range{}:
		c.Precision = argument(t.args, 0)
		c.Scale = argument(t.args, 1)
	case info.Scale != designer.Range{}:
		c.Scale = argument(t.args, 0)
	case len(t.args) == 1 && t.args[0] != displayWidth[info.Name]:
		c.TypeText = text
	}
	if slices.Contains(t.after, "zerofill") {
		c.TypeText = text
	}
}

// displayWidth is what a server that writes the width of a number writes
// where none was chosen; it is never modified.
var displayWidth = map[string]string{
	"tinyint": "4", "tinyint unsigned": "3", "smallint": "6", "smallint unsigned": "5",
	"mediumint": "9", "mediumint unsigned": "8", "int": "11", "int unsigned": "10",
	"bigint": "20", "bigint unsigned": "20", "year": "4",
}

func without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

func argument(args []string, i int) int {
	if i >= len(args) {
		return 0
	}
	n, err := strconv.Atoi(args[i])
	if err != nil {
		return 0
	}
	return n
}

// typeOf renders a column's type. It is the reverse of setType.
func typeOf(c designer.Column) string {
	text := c.TypeText
	if text == "" {
		text = typeOfParts(c)
	}
	if v := c.Options[OptionCompressed]; v != "" {
		text += " /*M!100301 " + v + "*/"
	}
	return text
}

func typeOfParts(c designer.Column) string {
	base, unsigned := strings.CutSuffix(strings.ToLower(c.DataType), " unsigned")
	var args string
	info, known := typeNamed(c.DataType)
	switch {
	case len(c.Values) > 0:
		quoted := make([]string, len(c.Values))
		for i, v := range c.Values {
			quoted[i] = quoteString(v)
		}
		args = strings.Join(quoted, ",")
	case c.MaxLength != "":
		args = c.MaxLength
	case known && info.Precision != designer.Range{} && info.Scale != designer.Range{} && c.Precision > 0:
		args = strconv.Itoa(c.Precision) + "," + strconv.Itoa(c.Scale)
	case c.Precision > 0:
		args = strconv.Itoa(c.Precision)
	case c.Scale > 0:
		args = strconv.Itoa(c.Scale)
	}
	if !known {
		base = c.DataType
		unsigned = false
	}
	if args != "" {
		base += "(" + args + ")"
	}
	if unsigned {
		base += " unsigned"
	}
	return base
}
