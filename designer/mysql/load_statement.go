package mysql

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// definition is a statement of a script that makes or changes an object.
type definition struct {
	text  string // as it runs: without the script's own databases
	pos   int    // in the script
	words string // its first words, for messages
}

// definitions picks the statements of a script that load runs, and notes in
// loaded what else it says.
func definitions(script string, loaded *designer.LoadResult) ([]definition, error) {
	var out []definition
	own := map[string]bool{} // databases that the script makes or uses
	for _, p := range splitScript(script) {
		tokens := scan(p.text)
		words := code(tokens)
		d := definition{pos: p.pos + words[0].Pos, words: firstWords(words)}
		refuse := func(reason string) ([]definition, error) {
			return nil, designer.ErrorAt(script, d.pos, fmt.Errorf("the statement %s %s", d.words, reason))
		}
		if last := words[len(words)-1]; last.Unclosed {
			return nil, designer.ErrorAt(script, p.pos+last.Pos, errors.New("the quote is not closed"))
		}
		if what, name := leftOut(words); what != "" {
			loaded.Omit(what, name, 1)
		}
		switch {
		case ownDatabase(words, own), passedOver(words):
			continue
		case words[0].Is("SET"):
			if !settable(words) {
				continue
			}
		case !defines(words):
			return refuse("is none that defines tables, views, routines, triggers or sequences")
		}
		tokens = withoutDefiner(withoutDatabases(tokens, own))
		if reason := reachesOut(code(tokens)); reason != "" {
			return refuse(reason)
		}
		d.text = textOf(tokens)
		out = append(out, d)
	}
	return out, nil
}

// firstWords shortens a statement for a message.
func firstWords(words []sqltext.Token) string {
	var list []string
	for _, t := range words[:min(len(words), 4)] {
		text := t.Text
		if len(text) > 40 {
			text = text[:40] + "…"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// begins reports whether the statement begins with the words; "a|b" is either.
func begins(words []sqltext.Token, pattern ...string) bool {
	if len(words) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		if !slices.ContainsFunc(strings.Split(p, "|"), words[i].Is) {
			return false
		}
	}
	return true
}

// ownDatabase notes what database the script is about, and reports whether the
// statement does no more than that.
func ownDatabase(words []sqltext.Token, own map[string]bool) bool {
	switch {
	case begins(words, "USE") && len(words) > 1:
		own[words[1].Name] = true
		return true
	case begins(words, "CREATE|ALTER|DROP", "DATABASE|SCHEMA"):
		for _, t := range words[2:] {
			if name := t.Name; name != "" && !begins([]sqltext.Token{t}, "IF|NOT|EXISTS") {
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
func passedOver(words []sqltext.Token) bool {
	return begins(words, "INSERT|REPLACE|UPDATE|DELETE|TRUNCATE|SELECT|WITH|SHOW|CALL|DO|LOCK|UNLOCK|START|BEGIN|COMMIT|ROLLBACK|"+
		"GRANT|REVOKE|FLUSH|ANALYZE|OPTIMIZE|CHECK|DESCRIBE|EXPLAIN|DELIMITER|SOURCE") ||
		begins(words, "CREATE|ALTER|DROP", "USER|ROLE|EVENT") || eventWithDefiner(words)
}

func eventWithDefiner(words []sqltext.Token) bool {
	kind, _ := objectKind(words)
	return begins(words, "CREATE") && strings.EqualFold(kind, "EVENT")
}

// settable reports whether a SET is one that dumps have, of this session alone.
func settable(words []sqltext.Token) bool {
	for i, t := range words[1:] {
		starts := i == 0 || begins(words[i:], ",|SESSION|LOCAL|.")
		switch {
		case begins(words[i+1:], "GLOBAL|PERSIST|PASSWORD|ROLE|STATEMENT|TRANSACTION|SELECT"):
			return false
		case t.Is("(") && !begins(words[i:], "CONCAT|REPLACE"):
			return false // a function may do anything
		case t.Kind == sqltext.Parameter && !ofSession(t.Text):
			return false
		case t.IsName() && starts && !begins(words[i+1:], "SESSION|LOCAL|NAMES|CHARACTER|CHARSET|"+dumpVariables):
			return false
		}
	}
	return true
}

// dumpVariables are the system variables that dumps set.
const dumpVariables = "SQL_MODE|FOREIGN_KEY_CHECKS|UNIQUE_CHECKS|TIME_ZONE|SQL_NOTES|CHARACTER_SET_CLIENT|CHARACTER_SET_RESULTS|" +
	"CHARACTER_SET_CONNECTION|COLLATION_CONNECTION|CHECK_CONSTRAINT_CHECKS"

// ofSession reports whether a variable is one of the user, or a system variable
// without a scope. With one, only those of the session that dumps set are.
func ofSession(variable string) bool {
	name, system := strings.CutPrefix(variable, "@@")
	if !system {
		return true
	}
	words := scan(name)
	if len(words) == 1 {
		return !begins(words, "GLOBAL|PERSIST|PERSIST_ONLY")
	}
	return begins(words, "SESSION|LOCAL", ".", dumpVariables)
}

// objectKind finds what a CREATE, ALTER or DROP is about, and where its name
// begins.
func objectKind(words []sqltext.Token) (kind string, at int) {
	for i := 1; i < len(words) && i < 24; i++ { // behind OR REPLACE, DEFINER = …, ALGORITHM = …, SQL SECURITY …
		for _, k := range []string{"TABLE", "INDEX", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "SEQUENCE", "EVENT"} {
			if words[i].Is(k) {
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
func defines(words []sqltext.Token) bool {
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
func withoutDatabases(tokens []sqltext.Token, own map[string]bool) []sqltext.Token {
	var out []sqltext.Token
	for i := 0; i < len(tokens); i++ {
		after := i > 0 && tokens[i-1].Is(".")
		if own[tokens[i].Name] && !after && i+1 < len(tokens) && tokens[i+1].Is(".") {
			i++
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// withoutDefiner leaves DEFINER = user@host out: who runs the script owns
// what it makes.
func withoutDefiner(tokens []sqltext.Token) []sqltext.Token {
	var out []sqltext.Token
	for i := 0; i < len(tokens); i++ {
		if !tokens[i].Is("DEFINER") || !nextIs(tokens, i, "=") {
			out = append(out, tokens[i])
			continue
		}
		i += definerLength(tokens[i+1:])
	}
	return out
}

// nextIs reports whether the first code after a token is the one given.
func nextIs(tokens []sqltext.Token, i int, text string) bool {
	words := code(tokens[i+1:])
	return len(words) > 0 && words[0].Is(text)
}

// definerLength counts the tokens of "= user@host", white space among them.
// What follows the user is taken only where it belongs to it.
func definerLength(tokens []sqltext.Token) int {
	n, parts := 0, 0
	for i, t := range tokens {
		switch {
		case isBlank(t):
			continue
		case parts < 2, parts == 2 && strings.HasPrefix(t.Text, "@"):
			parts, n = parts+1, i+1
		case parts == 3 && tokens[n-1].Text == "@": // the host stands apart
			return i + 1
		default:
			return n
		}
	}
	return n
}

// reachesOut returns how a statement would reach beyond the scratch database, ""
// where it does not. Reading elsewhere is no harm: what is read is a
// definition, and it is dropped again.
func reachesOut(words []sqltext.Token) string {
	if begins(words, "SET") {
		return ""
	}
	kind, _ := objectKind(words)
	for i, t := range words {
		if t.Is("SELECT") && kind == "TABLE" {
			return "makes a table of a query, which is run: give the columns"
		}
		if t.Is("DIRECTORY") && i > 0 && (words[i-1].Is("DATA") || words[i-1].Is("INDEX")) {
			return "places files on the server: leave the directory out"
		}
		if t.Is("SONAME") && kind == "FUNCTION" {
			return "adds a function of a library to the whole server: leave it out"
		}
		if t.Is("ENGINE") && i+1 < len(words) {
			engine := words[i+1]
			if engine.Is("=") && i+2 < len(words) {
				engine = words[i+2]
			}
			if begins([]sqltext.Token{engine}, "FEDERATED|FEDERATEDX|CONNECT|SPIDER|S3|MERGE|MRG_MYISAM") {
				return "makes a table that is kept elsewhere"
			}
		}
	}
	for _, i := range targets(words) {
		if qualified(words, i) {
			return "names an object of another database: " + words[i].Text + "." + words[i+2].Text
		}
	}
	return ""
}

// droppedFrom names the scratch database in a DROP FUNCTION: without one the
// server drops a function of a library of that name, which all databases share.
func droppedFrom(database, text string) string {
	tokens := scan(text)
	words := code(tokens)
	if !begins(words, "DROP", "FUNCTION") {
		return text
	}
	_, at := objectKind(words)
	for i, t := range tokens {
		if at < len(words) && t == words[at] {
			return textOf(tokens[:i]) + quoteName(database) + "." + textOf(tokens[i:])
		}
	}
	return text
}

func qualified(words []sqltext.Token, i int) bool {
	return i+2 < len(words) && words[i+1].Is(".")
}

// targets finds the names of what the statement makes, changes or drops.
func targets(words []sqltext.Token) []int {
	kind, at := objectKind(words)
	switch {
	case begins(words, "RENAME", "TABLE"), begins(words, "DROP") && (kind == "TABLE" || kind == "VIEW"), begins(words, "ALTER"):
		return outside(words, at)
	case kind == "INDEX", kind == "TRIGGER":
		return append(behind(words, at, "ON"), at)
	}
	return []int{at}
}

// outside lists the names that stand outside of parentheses and are not what
// a foreign key refers to.
func outside(words []sqltext.Token, from int) []int {
	var out []int
	depth := 0
	for i := from; i < len(words); i++ {
		switch {
		case words[i].Is("("):
			depth++
		case words[i].Is(")"):
			depth--
		case depth == 0 && qualified(words, i) && !words[i-1].Is("REFERENCES") && !strings.HasPrefix(words[i].Text, "."):
			out = append(out, i)
		}
	}
	return out
}

// behind finds the name that follows the first of a word.
func behind(words []sqltext.Token, from int, word string) []int {
	for i := from; i+1 < len(words); i++ {
		if words[i].Is(word) {
			return []int{i + 1}
		}
	}
	return nil
}
