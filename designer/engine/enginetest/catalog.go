package enginetest

import (
	"strings"
	"unicode"

	"github.com/berth-dev/berth/designer"
)

// words lists the folded identifiers and words of SQL text.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		all[designer.Fold(w)] = true
	}
	return all
}

// mentionsAny reports whether SQL text holds any of the folded names: as a word
// or, for a name that is no word, at all. Within quotes a quote is doubled.
func mentionsAny(text string, names []string) bool {
	all, folded := words(text), undoubled.Replace(designer.Fold(text))
	for _, n := range names {
		if all[n] || !words(n)[n] && strings.Contains(folded, undoubled.Replace(n)) {
			return true
		}
	}
	return false
}

var undoubled = strings.NewReplacer(`""`, `"`, "``", "`", "]]", "]")
