package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// definition is a statement of a script that makes or changes an object.
type definition struct {
	text   string
	number int    // in the script, from 1
	words  string // its first words, for messages
}

// definitions picks the statements of a script that load runs, and notes in
// loaded what else it says.
func definitions(script string, loaded *designer.Loaded) ([]definition, error) {
	var out []definition
	own := map[string]bool{} // databases that the script makes or uses
	for i, text := range SplitScript(script) {
		tokens := scan(text)
		words := code(tokens)
		d := definition{number: i + 1, words: firstWords(words)}
		if what, name := leftOut(words); what != "" {
			loaded.LeaveOut(what, name, 1)
		}
		switch {
		case ownDatabase(words, own), passedOver(words):
			continue
		case words[0].is("SET"):
			if !settable(words) {
				continue
			}
		case !defines(words):
			return nil, fmt.Errorf("statement %d (%s) is none that defines tables, views, routines, triggers or sequences", d.number, d.words)
		}
		tokens = withoutDefiner(withoutDatabases(tokens, own))
		if reason := reachesOut(code(tokens)); reason != "" {
			return nil, fmt.Errorf("statement %d (%s) %s", d.number, d.words, reason)
		}
		d.text = textOf(tokens)
		out = append(out, d)
	}
	return out, nil
}

func textOf(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// firstWords shortens a statement for a message.
func firstWords(words []token) string {
	var list []string
	for _, t := range words[:min(len(words), 4)] {
		text := t.text
		if len(text) > 40 {
			text = text[:40] + "…"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// begins reports whether the statement begins with the words; "a|b" is either.
func begins(words []token, pattern ...string) bool {
	if len(words) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		if !slices.ContainsFunc(strings.Split(p, "|"), words[i].is) {
			return false
		}
	}
	return true
}

// ownDatabase notes what database the script is about, and reports whether the
// statement does no more than that.
func ownDatabase(words []token, own map[string]bool) bool {
	switch {
	case begins(words, "USE") && len(words) > 1:
		own[words[1].name()] = true
		return true
	case begins(words, "CREATE|ALTER|DROP", "DATABASE|SCHEMA"):
		for _, t := range words[2:] {
			if name := t.name(); name != "" && !begins([]token{t}, "IF|NOT|EXISTS") {
				own[name] = true
				break
			}
		}
		return true
	}
	return false
}

// passedOver reports whether the statement is about rows, rights or the session
// rather than about what a design holds.
func passedOver(words []token) bool {
	return begins(words, "INSERT|REPLACE|UPDATE|DELETE|TRUNCATE|SELECT|WITH|SHOW|CALL|DO|LOCK|UNLOCK|START|BEGIN|COMMIT|ROLLBACK|"+
		"GRANT|REVOKE|FLUSH|ANALYZE|OPTIMIZE|CHECK|DESCRIBE|EXPLAIN|DELIMITER|SOURCE") ||
		begins(words, "CREATE|ALTER|DROP", "USER|ROLE|EVENT") || eventWithDefiner(words)
}

func eventWithDefiner(words []token) bool {
	kind, _ := objectKind(words)
	return begins(words, "CREATE") && strings.EqualFold(kind, "EVENT")
}

// settable reports whether a SET is one that dumps have, of this session alone.
func settable(words []token) bool {
	for i, t := range words[1:] {
		if t.is("GLOBAL") || t.is("PERSIST") || t.is("PASSWORD") || t.is("ROLE") || t.is("STATEMENT") || t.is("TRANSACTION") {
			return false
		}
		if t.is("(") && !begins(words[i:], "CONCAT|REPLACE") || t.is("SELECT") {
			return false // a function may do anything
		}
		starts := i == 0 || words[i].is(",") || words[i].is("SESSION") || words[i].is("LOCAL") || words[i].is(".")
		if name := t.name(); name != "" && starts && !begins([]token{t}, "SESSION|LOCAL|NAMES|CHARACTER|CHARSET|SQL_MODE|FOREIGN_KEY_CHECKS|UNIQUE_CHECKS|"+
			"TIME_ZONE|SQL_NOTES|CHARACTER_SET_CLIENT|CHARACTER_SET_RESULTS|CHARACTER_SET_CONNECTION|COLLATION_CONNECTION|CHECK_CONSTRAINT_CHECKS") {
			return false
		}
	}
	return true
}

// objectKind finds what a CREATE, ALTER or DROP is about, and where its name
// begins.
func objectKind(words []token) (kind string, at int) {
	for i := 1; i < len(words) && i < 24; i++ { // behind OR REPLACE, DEFINER = …, ALGORITHM = …, SQL SECURITY …
		for _, k := range []string{"TABLE", "INDEX", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "SEQUENCE", "EVENT"} {
			if words[i].is(k) {
				at = i + 1
				for at < len(words) && begins(words[at:], "IF|NOT|EXISTS") {
					at++
				}
				return k, at
			}
		}
	}
	return "", len(words)
}

// defines reports whether the statement makes, changes or drops an object that
// a design holds.
func defines(words []token) bool {
	kind, _ := objectKind(words)
	switch {
	case begins(words, "CREATE|DROP"):
		return kind != "" && kind != "EVENT"
	case begins(words, "ALTER"):
		return kind == "TABLE" || kind == "VIEW" || kind == "SEQUENCE"
	}
	return begins(words, "RENAME", "TABLE")
}

// withoutDatabases leaves the script's own databases out where they qualify a
// name.
func withoutDatabases(tokens []token, own map[string]bool) []token {
	var out []token
	for i := 0; i < len(tokens); i++ {
		after := i > 0 && tokens[i-1].is(".")
		if own[tokens[i].name()] && !after && i+1 < len(tokens) && tokens[i+1].is(".") {
			i++
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// withoutDefiner leaves DEFINER = user@host out: who runs the script owns
// what it makes.
func withoutDefiner(tokens []token) []token {
	var out []token
	for i := 0; i < len(tokens); i++ {
		if !tokens[i].is("DEFINER") || !nextIs(tokens, i, "=") {
			out = append(out, tokens[i])
			continue
		}
		rest := tokens[i+1:]
		i += skip(rest, "=", "", "@", "")
	}
	return out
}

// nextIs reports whether the first code after a token is the one given.
func nextIs(tokens []token, i int, text string) bool {
	words := code(tokens[i+1:])
	return len(words) > 0 && words[0].is(text)
}

// skip counts the tokens that a pattern takes, white space among them; "" is
// any. What stands after the user is taken only where it belongs to it.
func skip(tokens []token, pattern ...string) int {
	n, at := 0, 0
	for i, t := range tokens {
		if t.kind == spaceToken {
			continue
		}
		if at == len(pattern) || pattern[at] != "" && !t.is(pattern[at]) {
			break
		}
		at, n = at+1, i+1
	}
	return n
}
