package convert

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// PostgreSQL keeps an expression with the types it worked out: 'x'::text, and
// a IN ('x', 'y') as a = ANY (ARRAY['x'::text, 'y'::text]).

// withoutCasts removes redundant casts and turns comparisons with an array back
// into lists. ok is false if a cast has an effect.
func (e *translation) withoutCasts(in []designer.Token) (out []designer.Token, ok bool) {
	for i := 0; i < len(in); {
		switch {
		case in[i].Text == "::":
			name, n := castType(in[i+1:])
			if n == 0 || !e.redundant(out, name) {
				return nil, false
			}
			i += 1 + n
		case quantified(in[i:]):
			list, n, ok := e.arrayList(in[i+1:])
			if !ok {
				return nil, false
			}
			if in[i].Text == "<>" || in[i].Text == "!=" {
				out = append(out, word("NOT"))
			}
			out = append(append(out, word("IN")), list...)
			i += 1 + n
		default:
			out = append(out, in[i])
			i++
		}
	}
	return out, true
}

func word(text string) designer.Token {
	return designer.Token{Kind: designer.TokenIdentifier, Text: text, Name: text}
}

func is(t designer.Token, text string) bool {
	return t.Kind == designer.TokenIdentifier && !t.Quoted && strings.EqualFold(t.Text, text)
}

// castType reads the type after a cast: its name, and how many tokens it is.
func castType(in []designer.Token) (name string, n int) {
	var words []string
	for n < len(in) && in[n].Kind == designer.TokenIdentifier && (len(words) == 0 || castWord(words, in[n].Name)) {
		words = append(words, strings.ToLower(in[n].Name))
		n++
		if n+1 < len(in) && in[n].Text == "." {
			words, n = nil, n+1 // a schema
		}
	}
	if len(words) == 0 {
		return "", 0
	}
	if n < len(in) && in[n].Text == "(" {
		end := closes(in, n)
		if end < 0 {
			return "", 0
		}
		for n = end + 1; n < len(in) && in[n].Kind == designer.TokenIdentifier && castWord(words, in[n].Name); n++ {
			words = append(words, strings.ToLower(in[n].Name))
		}
	}
	for n+1 < len(in) && in[n].Text == "[" && in[n+1].Text == "]" {
		n += 2
	}
	return strings.Join(words, " "), n
}

// castWord reports whether the word continues a type.
func castWord(before []string, next string) bool {
	next = strings.ToLower(next)
	switch before[0] {
	case "character", "bit":
		return next == "varying"
	case "double":
		return next == "precision"
	case "time", "timestamp":
		return next == "with" || next == "without" || next == "time" && len(before) > 1 || next == "zone"
	}
	return false
}

// redundant reports whether a cast of the expression at the end of out has no
// relevant effect: of a literal, or of a text column to a text.
func (e *translation) redundant(out []designer.Token, to string) bool {
	if to == "interval" || to == "regclass" || len(out) == 0 {
		return false
	}
	operand := out[len(out)-1:]
	if operand[0].Text == ")" {
		open := opens(out)
		if open < 0 || open > 0 && out[open-1].Kind == designer.TokenIdentifier && !portableWords[strings.ToUpper(out[open-1].Name)] {
			return false // of a function's result
		}
		operand = unwrapped(out[open:])
	}
	if len(operand) == 2 && operand[0].Text == "-" {
		operand = operand[1:]
	}
	if len(operand) != 1 {
		return false
	}
	t := operand[0]
	switch {
	case t.Kind == designer.TokenString, plainNumber().MatchString(t.Text), is(t, "NULL"), is(t, "TRUE"), is(t, "FALSE"):
		return true
	case t.Kind != designer.TokenIdentifier || e.t == nil:
		return false
	}
	name := e.t.column(t.Name)
	if name == "" {
		return false
	}
	kind := e.t.kinds[e.t.at[name]]
	switch {
	case isNumber(kind) && (to == "numeric" || to == "bigint" || to == "double precision"):
		e.widened = true
		return true
	}
	texts := to == "text" || to == "character varying" || to == "varchar" || to == "bpchar"
	return texts && (kind == designer.KindVarchar || kind == designer.KindText || kind == designer.KindChar || kind == designer.KindEnum)
}

// opens returns where the parenthesis that out ends with opens, -1 if nowhere.
func opens(out []designer.Token) int {
	depth := 0
	for i := len(out) - 1; i >= 0; i-- {
		switch {
		case out[i].Kind != designer.TokenOther:
		case out[i].Text == ")":
			depth++
		case out[i].Text == "(":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// quantified reports whether a comparison with an array begins.
func quantified(in []designer.Token) bool {
	return len(in) > 4 && in[2].Text == "(" &&
		(in[0].Text == "=" && is(in[1], "ANY") || (in[0].Text == "<>" || in[0].Text == "!=") && is(in[1], "ALL"))
}

// arrayList reads ANY ((ARRAY[…])::text[]) from its first word, as a list in
// parentheses; n is how many tokens it is.
func (e *translation) arrayList(in []designer.Token) (list []designer.Token, n int, ok bool) {
	end := closes(in, 1)
	if end < 0 {
		return nil, 0, false
	}
	inner := unwrapped(in[1 : end+1])
	if cut := lastCast(inner); cut > 0 {
		if _, n := castType(inner[cut+1:]); n == len(inner)-cut-1 {
			inner = unwrapped(inner[:cut])
		}
	}
	if len(inner) < 3 || !is(inner[0], "ARRAY") || inner[1].Text != "[" || inner[len(inner)-1].Text != "]" {
		return nil, 0, false
	}
	inner, ok = e.withoutCasts(inner[2 : len(inner)-1])
	if !ok {
		return nil, 0, false
	}
	list = append([]designer.Token{{Text: "("}}, inner...)
	return append(list, designer.Token{Text: ")"}), end + 1, true
}

// lastCast returns the place of the last cast that stands in no parentheses
// or brackets, -1 if there is none.
func lastCast(in []designer.Token) int {
	depth, at := 0, -1
	for i, t := range in {
		switch {
		case t.Kind != designer.TokenOther:
		case t.Text == "(" || t.Text == "[":
			depth++
		case t.Text == ")" || t.Text == "]":
			depth--
		case t.Text == "::" && depth == 0:
			at = i
		}
	}
	return at
}
