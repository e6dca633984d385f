package schema

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// matchTables returns the tables whose name or schema.name matches.
func matchTables(tables []*designer.Table, pattern string) []*designer.Table {
	if pattern == "" {
		return tables
	}
	var found []*designer.Table
	for _, t := range tables {
		if matchTable(t, pattern) {
			found = append(found, t)
		}
	}
	return found
}

func matchTable(t *designer.Table, pattern string) bool {
	return match(pattern, t.Name) || match(pattern, t.Schema+"."+t.Name)
}

// match reports whether text matches a pattern in which * stands for any
// characters and ? for one, without regard to case. A pattern without either
// matches anywhere in the text.
func match(pattern, text string) bool {
	pattern, text = designer.Fold(pattern), designer.Fold(text)
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(text, pattern)
	}
	return glob([]rune(pattern), []rune(text))
}

// glob backtracks to the last star only, so it takes at most the product of
// the two lengths.
func glob(pattern, text []rune) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
