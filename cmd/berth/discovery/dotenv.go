package discovery

import (
	"bytes"
	"strings"

	"github.com/joho/godotenv"
)

// setting is one variable of an environment file.
type setting struct {
	name, value string
	file        string // below the root; "" until someone says
	line        int
}

// parseDotenv reads the variables of an environment file, in its order. The
// library knows quotes, export and comments. It is given one statement after
// another, so that one that is broken hides no other, and dollar signs and
// backslashes are kept from it, because it would change them in a password:
//
//   - ${NAME} is expanded, outside of single quotes; $NAME too, where the file
//     or look knows NAME. Any other dollar sign is one: pa$$word is pa$$word.
//   - In double quotes \" \\ \$ \n \r \t are escapes; any other backslash is one.
//
// look finds variables that stand elsewhere.
func parseDotenv(data []byte, look func(string) (string, bool)) []setting {
	var list []setting
	known := map[string]string{}
	find := func(name string) (string, bool) {
		if value, ok := known[name]; ok {
			return value, true
		}
		return look(name)
	}
	lines := strings.SplitAfter(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for at := 0; at < len(lines); at++ {
		statement, more := oneStatement(lines[at:])
		if s, ok := parseStatement(statement, find); ok {
			s.line = at + 1
			known[s.name] = s.value
			list = append(list, s)
			at += more
		}
	}
	return list
}

// maxStatement bounds the lines of a quoted value.
const maxStatement = 100

// oneStatement joins lines as long as a quote that begins the value is open.
// Where it never ends the first line stands alone.
func oneStatement(lines []string) (statement string, more int) {
	_, value, _ := strings.Cut(lines[0], "=")
	value = strings.TrimLeft(value, " \t")
	if value == "" || !strings.ContainsRune("\"'`", rune(value[0])) {
		return lines[0], 0
	}
	text := lines[0]
	for n := 0; n < len(lines) && n < maxStatement; n++ {
		if n > 0 {
			text += lines[n]
			value += lines[n]
		}
		if closingQuote(value) > 0 {
			return text, n
		}
	}
	return lines[0], 0
}

// closingQuote is the index of the quote that ends the value which begins
// with one, -1 where it is not there. A backslash escapes in double quotes.
func closingQuote(value string) int {
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && value[0] == '"':
			i++
		case value[i] == value[0]:
			return i
		}
	}
	return -1
}

// parseStatement reads one statement; false: it is none.
func parseStatement(statement string, find func(string) (string, bool)) (setting, bool) {
	name, value, ok := strings.Cut(statement, "=")
	if !ok || strings.HasPrefix(strings.TrimSpace(name), "#") || strings.IndexByte(statement, 0) >= 0 {
		return setting{}, false
	}
	if strings.HasPrefix(strings.TrimLeft(value, " \t"), "#") && value[0] != '#' {
		value = "" // a comment and no value
	}
	value = strings.TrimLeft(value, " \t")
	quote := byte(0)
	if end := -1; value != "" && strings.IndexByte("\"'`", value[0]) >= 0 {
		if end = closingQuote(value); end < 0 {
			return setting{}, false
		}
		quote = value[0]
		value = `"` + hide(value[1:end], quote) + `"` + value[end+1:]
	} else {
		value = hide(beforeComment(value), 0)
	}
	read, err := godotenv.UnmarshalBytes(bytes.TrimSpace([]byte(name + "=" + value)))
	if err != nil || len(read) != 1 {
		return setting{}, false
	}
	for name, value := range read {
		value, ok := show(value, find)
		return setting{name: name, value: value}, ok
	}
	return setting{}, false
}

// maxValue bounds a value in bytes: variables of variables grow quickly.
const maxValue = 64 << 10

// beforeComment ends an unquoted value at the first number sign with space
// before it; the library would at the last.
func beforeComment(value string) string {
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			return value[:i]
		}
	}
	return value
}

// What the library is not to see stands as a NUL, a letter and another NUL:
// a file that has a NUL is none.
const (
	hiddenDollar    = "\x00d\x00"
	hiddenBackslash = "\x00b\x00"
	hiddenDouble    = "\x00q\x00"
	literalDollar   = "\x00l\x00"
)

// hide takes out what the library would change. An escape of double quotes
// becomes what it stands for.
func hide(text string, quote byte) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"' && i+1 < len(text) && strings.IndexByte(`"\$nrt`, text[i+1]) >= 0:
			i++
			b.WriteString(map[byte]string{'"': hiddenDouble, '\\': hiddenBackslash, '$': literalDollar,
				'n': "\n", 'r': "\r", 't': "\t"}[text[i]])
		case c == '\\':
			b.WriteString(hiddenBackslash)
		case c == '$' && quote == '\'' || c == '$' && quote == '`':
			b.WriteString(literalDollar)
		case c == '$':
			b.WriteString(hiddenDollar)
		case c == '"' && quote != 0:
			b.WriteString(hiddenDouble)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// show puts back what was hidden, and expands; false: it grows too long.
func show(text string, find func(string) (string, bool)) (string, bool) {
	plain := strings.NewReplacer(hiddenBackslash, `\`, hiddenDouble, `"`, literalDollar, "$")
	pieces := strings.Split(text, hiddenDollar)
	out := plain.Replace(pieces[0])
	for _, piece := range pieces[1:] {
		if out += dollar(plain.Replace(piece), find); len(out) > maxValue {
			return "", false
		}
	}
	return out, true
}

// dollar expands what stands behind a dollar sign.
func dollar(rest string, find func(string) (string, bool)) string {
	if inner, ok := strings.CutPrefix(rest, "{"); ok {
		name, after, closed := strings.Cut(inner, "}")
		name, fallback, _ := strings.Cut(name, ":-")
		if !closed || variableEnd(name) != len(name) || name == "" {
			return "$" + rest
		}
		if value, ok := find(name); ok {
			return value + after
		}
		return fallback + after
	}
	end := variableEnd(rest)
	if value, ok := find(rest[:end]); end > 1 && ok {
		return value + rest[end:]
	}
	return "$" + rest
}

// variableEnd is where the name of a variable that text begins with ends.
func variableEnd(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		letter := c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
