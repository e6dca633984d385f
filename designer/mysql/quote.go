package mysql

import "strings"

// unquote returns the value of a string literal; ok is false for other text.
func unquote(text string) (value string, ok bool) {
	if len(text) < 2 || text[0] != '\'' && text[0] != '"' || text[len(text)-1] != text[0] {
		return "", false
	}
	quote, body := text[:1], text[1:len(text)-1]
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && i+1 < len(body):
			i++
			b.WriteString(escaped(body[i]))
		case strings.HasPrefix(body[i:], quote+quote):
			i++
			b.WriteString(quote)
		case body[i] == '\\', body[i] == quote[0]:
			return "", false // it does not end where the text does
		default:
			b.WriteByte(body[i])
		}
	}
	return b.String(), true
}

// escaped is what a character stands for after a backslash.
func escaped(c byte) string {
	switch c {
	case '0':
		return "\x00"
	case 'b':
		return "\b"
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case 'Z':
		return "\x1a"
	case '%', '_':
		return `\` + string(c)
	}
	return string(c)
}

// quoteString writes a string literal.
func quoteString(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''", "\x00", `\0`).Replace(s) + "'"
}

// quoteName writes an identifier.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// quoteNames writes identifiers with commas between them.
func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteName(n)
	}
	return strings.Join(quoted, ", ")
}
