package sqltext

import (
	"slices"
	"strings"
)

// Whether two expressions are the same in another spelling is decided here, as
// strictly as the answer's use demands:
//
//   - [Rules.Same]: what a person writes in place of an expression is no change;
//   - [Rules.SameRenamed]: the same for an expression from before a plan and one
//     from after it, which renames what they name;
//   - [Rules.SameButParens]: a server stored an expression in its own words.

// Same reports whether two expressions say the same but for spaces, comments,
// the quotes of names, and parentheses that say nothing: around the whole, and
// around operands of AND, OR and NOT that bind closer. A reserved word is no
// name where it stands without quotes. It reports false when in doubt.
func (r Rules) Same(a, b string, reserved func(string) bool) bool {
	return r.SameRenamed(a, b, reserved, func([]Token, int) string { return "" })
}

// SameRenamed is [Rules.Same] where b says the same in other names: renamed
// returns the new name of what token i of a names, "" if that keeps its own.
func (r Rules) SameRenamed(a, b string, reserved func(string) bool, renamed func(tokens []Token, i int) string) bool {
	x, y := r.Significant(a), r.Significant(b)
	return slices.EqualFunc(r.withoutSpare(x), r.withoutSpare(y), func(i, j int) bool {
		if name := renamed(x, i); name != "" {
			return y[j].Name == name
		}
		return sameToken(x[i], y[j], reserved)
	})
}

func sameToken(a, b Token, reserved func(string) bool) bool {
	isName := func(t Token) bool { return t.Name != "" && (t.Kind == Word || t.Kind == Quoted) }
	switch {
	case a.Kind != b.Kind:
		return isName(a) && isName(b) && a.Name == b.Name && !reserved(a.Name)
	case isName(a):
		return a.Name == b.Name
	}
	return a.Text == b.Text
}

// SameButParens reports whether two expressions differ in spaces, comments,
// the case and quotes of names, and parentheses only, wherever those are. What
// servers change when they store an expression is mostly that; an expression
// that means something else by its parentheses alone is the same here.
func (r Rules) SameButParens(a, b string) bool {
	return slices.EqualFunc(r.withoutParens(a), r.withoutParens(b), func(x, y Token) bool {
		if x.Kind == String || y.Kind == String {
			return x.Kind == y.Kind && x.Text == y.Text
		}
		return strings.EqualFold(x.spelling(), y.spelling())
	})
}

func (r Rules) withoutParens(text string) []Token {
	return slices.DeleteFunc(r.Significant(text), func(t Token) bool { return t.Is("(") || t.Is(")") })
}

// spelling is a quoted name without its quotes, and any other token as it is.
func (t Token) spelling() string {
	if t.Kind == Quoted && t.Name != "" {
		return t.Name
	}
	return t.Text
}
