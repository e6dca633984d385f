package postgres

import "strings"

// ident writes a name as an identifier, quoted where it has to be.
func ident(name string) string {
	if plainName(name) && !quoted[name] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func plainName(name string) bool {
	for i, r := range name {
		switch {
		case 'a' <= r && r <= 'z', r == '_':
		case i > 0 && ('0' <= r && r <= '9' || r == '$'):
		default:
			return false
		}
	}
	return name != ""
}

// qualified writes the name of a table, type or other object of a schema; ""
// is none.
func qualified(schema, name string) string {
	if schema == "" {
		return ident(name)
	}
	return ident(schema) + "." + ident(name)
}

func idents(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = ident(n)
	}
	return strings.Join(out, ", ")
}

// literal writes a string constant that means the same whatever the setting
// standard_conforming_strings.
func literal(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
