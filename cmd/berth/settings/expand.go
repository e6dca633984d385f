package settings

import (
	"fmt"
	"strings"
)

// expand replaces each ${NAME} by its variable and reports the names it met.
// A lone dollar sign stays: only the braced form is ours. Errors name the
// variable, never a value.
func expand(text string, lookup func(string) (string, bool)) (string, []string, error) {
	var b strings.Builder
	var seen []string
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			b.WriteString(text)
			return b.String(), seen, nil
		}
		b.WriteString(text[:start])
		name, rest, closed := strings.Cut(text[start+2:], "}")
		if !closed || !isVariable(name) {
			return "", seen, fmt.Errorf("%s is not a variable: write ${NAME} with letters, digits and _", shown("${"+name))
		}
		value, ok := lookup(name)
		if !ok {
			return "", seen, &unsetError{name}
		}
		seen = append(seen, name)
		b.WriteString(value)
		text = rest
	}
}

// unsetError names a variable that the environment lacks.
type unsetError struct{ name string }

func (e *unsetError) Error() string {
	return fmt.Sprintf("environment variable %s is not set", e.name)
}

func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || (r >= 'A' && r <= 'Z') || (r >= 'a' && r <= 'z')
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 128
}
