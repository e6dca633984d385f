package dbml

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

var (
	plainName   = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	plainType   = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*(\((\d+|[A-Za-z]+)(,\d+)?\))?$`)
	plainNumber = lazyregexp.New(`^-?\d+(\.\d+)?$`)
)

// keywords begin something else where a name may stand. It is never modified.
var keywords = map[string]bool{
	"table": true, "tablepartial": true, "tablegroup": true, "enum": true, "ref": true, "note": true, "project": true,
	"indexes": true, "checks": true, "records": true, "metadata": true, "as": true, "use": true, "reuse": true,
	"pk": true, "unique": true, "null": true, "not": true, "true": true, "false": true,
}

// identifier writes a name, in double quotes unless it is a plain word.
func identifier(name string) string {
	if plainName().MatchString(name) && !keywords[strings.ToLower(name)] {
		return name
	}
	return `"` + escape(name, `"`) + `"`
}

// literal writes text in single quotes, on one line.
func literal(s string) string { return "'" + escape(s, "'") + "'" }

// escape writes s so that it can stand between quotes on one line.
func escape(s, quote string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\' || string(r) == quote:
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// block writes text of several lines as it is, where it would be read back so.
func block(s string) string {
	if !strings.Contains(s, "\n") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' }) || unindent(s) != s {
		return literal(s)
	}
	s = strings.ReplaceAll(s, `\`, `\\`)
	return "'''" + strings.ReplaceAll(s, "'", `\'`) + "'''"
}

// backticks writes SQL as an expression; ok is false where it holds a
// backtick, which DBML has no way to write.
func backticks(sql string) (s string, ok bool) {
	return "`" + sql + "`", !strings.Contains(sql, "`") && strings.TrimSpace(sql) == sql && sql != ""
}

// unquoted takes the backticks off identifiers that need none.
func unquoted(sql string) string {
	return quotedWord().ReplaceAllString(sql, "$1")
}

var quotedWord = lazyregexp.New("`([A-Za-z_][A-Za-z0-9_]*)`")

// comment returns a comment for the end of a line with what DBML cannot
// express, or "".
func comment(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return " // " + strings.Join(strings.Fields(strings.Join(notes, "; ")), " ")
}
