package designer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns the form in which names are compared: two strings have the
// same folded form exactly when [strings.EqualFold] holds for them.
func Fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s)
}

// foldRune returns one fixed rune of r's case orbit: the ASCII lower-case
// letter where the orbit has one, else the smallest rune.
func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		return least + ('a' - 'A')
	}
	return least
}
