package discovery

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// erb replaces the tags of an ERB template by marks that no other text has,
// so that whatever a variable holds it stays one value. Understood are ENV
// and nothing else; a line of code is left out.
type erb struct {
	values []string
	bad    []bool // could not be told
}

var (
	erbTag = lazyregexp.New(`(?s)<%(.*?)-?%>`)
	erbEnv = lazyregexp.New(`^ENV\[\s*(?:"([^"]*)"|'([^']*)')\s*\](?:\s*\|\|\s*(.+))?$`)
	// erbFetch is ENV.fetch("X"), ENV.fetch("X", default), ENV.fetch("X") { default }.
	erbFetch = lazyregexp.New(`(?s)^ENV\.fetch\(\s*(?:"([^"]*)"|'([^']*)')\s*(?:,\s*(.+?))?\s*\)(?:\s*\{\s*(.+?)\s*\})?$`)
	erbText  = lazyregexp.New(`^(?:"([^"\\#]*)"|'([^'\\]*)'|(\d+)|:(\w+))(?:\.to_[si])?$`)
	erbMark  = lazyregexp.New(`berthERB(\d+)x`)
)

// replace returns the text with marks.
func (e *erb) replace(text string, look func(string) (string, bool)) string {
	return erbTag().ReplaceAllStringFunc(text, func(tag string) string {
		code := strings.TrimSpace(erbTag().FindStringSubmatch(tag)[1])
		expression, output := strings.CutPrefix(code, "=")
		if !output {
			return strings.Repeat("\n", strings.Count(tag, "\n")) // code or a comment: lines stay
		}
		value, ok := evaluate(strings.TrimSpace(expression), look, 3)
		e.values, e.bad = append(e.values, value), append(e.bad, !ok)
		return fmt.Sprintf("berthERB%dx", len(e.values)-1) + strings.Repeat("\n", strings.Count(tag, "\n"))
	})
}

// evaluate tells what an expression of ENV or a literal stands for.
func evaluate(code string, look func(string) (string, bool), depth int) (string, bool) {
	if m := erbText().FindStringSubmatch(code); m != nil {
		return m[1] + m[2] + m[3] + m[4], true
	}
	if depth == 0 {
		return "", false
	}
	if m := erbEnv().FindStringSubmatch(code); m != nil {
		if value, ok := look(m[1] + m[2]); ok {
			return value, true
		}
		if m[3] == "" {
			return "", true // nil, which ERB prints as nothing
		}
		return evaluate(strings.TrimSpace(m[3]), look, depth-1)
	}
	if m := erbFetch().FindStringSubmatch(code); m != nil {
		if value, ok := look(m[1] + m[2]); ok {
			return value, true
		}
		return evaluate(strings.TrimSpace(m[3]+m[4]), look, depth-1)
	}
	return "", false
}

// restore puts values in; false: one could not be told.
func (e *erb) restore(text string) (string, bool) {
	ok := true
	return erbMark().ReplaceAllStringFunc(text, func(mark string) string {
		var n int
		if _, err := fmt.Sscanf(mark, "berthERB%dx", &n); err != nil || n >= len(e.values) {
			return mark
		}
		ok = ok && !e.bad[n]
		return e.values[n]
	}), ok
}
