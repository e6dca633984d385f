package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// doesMoreMySQL are the words with which statements begin that do more than
// read and compute.
var doesMoreMySQL = strings.Fields(`ALTER ANALYZE BACKUP BINLOG CACHE CALL CHANGE CREATE DELETE DO DROP EXECUTE FLUSH GRANT HANDLER IMPORT INSERT INSTALL
KILL LOAD LOCK OPTIMIZE PREPARE PURGE RENAME REPAIR REPLACE RESET REVOKE SHUTDOWN START STOP TRUNCATE UNINSTALL UNLOCK UPDATE XA`)

// doesMore returns the words by which the body of a stored function does more
// than read and compute. A transaction that reads only stops most of it.
func doesMore(tokens []sqltext.Token) string {
	handler := false // in DECLARE … HANDLER FOR, where a statement follows conditions
	set := false     // in SET, whose targets are looked at below
	for i, t := range tokens {
		var next sqltext.Token
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch {
		case t.Kind == sqltext.Illegal, t.Kind == sqltext.Program:
			return "what cannot be read"
		case t.Is("INTO") && (next.Is("OUTFILE") || next.Is("DUMPFILE")):
			return "INTO " + strings.ToUpper(next.Text)
		case t.Is(":=") && !set && !(i > 0 && isUserVariable(tokens[i-1])):
			return ":="
		case t.Is("HANDLER") && next.Is("FOR"):
			handler = true
			continue
		case t.Is(";"), t.Is("BEGIN"):
			handler, set = false, false
		case t.Is("SET") && t.Kind == sqltext.Word:
			set = true
		}
		if (handler || i == 0 || beginsStatement(tokens[i-1])) && slices.ContainsFunc(doesMoreMySQL, t.Is) {
			return strings.ToUpper(t.Text)
		}
	}
	for _, target := range setTargets(tokens) {
		if target.scoped() {
			return "SET " + replytext.Shown(replytext.Cut(strings.ToUpper(target.words[0].Text), 20))
		}
	}
	return ""
}

// isUserVariable reports whether t is a variable of the user's.
func isUserVariable(t sqltext.Token) bool {
	return t.Kind == sqltext.Parameter && strings.HasPrefix(t.Text, "@") && !strings.HasPrefix(t.Text, "@@")
}

// beginsStatement reports whether a statement can begin behind t.
func beginsStatement(t sqltext.Token) bool {
	return slices.ContainsFunc([]string{";", "BEGIN", "THEN", "ELSE", "LOOP", "DO", "REPEAT", "ATOMIC"}, t.Is)
}

// setTarget is what stands before the = of one of the assignments of a SET.
type setTarget struct{ words []sqltext.Token }

// scopes are the words behind SET, or a comma in it, with which something else
// is meant than a variable of the function.
var scopes = []string{"GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD", "SESSION", "LOCAL", "ROLE", "STATEMENT", "NAMES", "CHARACTER", "CHARSET", "CHAR",
	"TRANSACTION", "DEFAULT", "RESOURCE"}

// scoped reports whether the target is another than a plain name. Variables
// of a user's are the session's, which ends with the query.
func (t setTarget) scoped() bool {
	first := t.words[0]
	if isUserVariable(first) {
		return false
	}
	return !first.IsName() || first.Kind == sqltext.Word && len(t.words) > 1 && slices.ContainsFunc(scopes, first.Is)
}

// names are those by which the server may look a target up: that of a
// structured variable or of a component has a point in it.
func (t setTarget) names() []string {
	var all []string
	whole := ""
	for _, w := range t.words {
		whole += w.Name
		if w.Is(".") {
			whole += "."
		} else {
			all = append(all, w.Name)
		}
	}
	return append(all, whole)
}

// setTargets lists what the SETs in the body of a function assign to. The
// words CHARACTER SET are of a type.
func setTargets(tokens []sqltext.Token) (targets []setTarget) {
	for i, t := range tokens {
		if t.Is("SET") && t.Kind == sqltext.Word && !(i > 0 && (tokens[i-1].Is("CHARACTER") || tokens[i-1].Is("CHAR"))) {
			targets = append(targets, assigned(tokens[i+1:])...)
		}
	}
	return targets
}

// assigned lists the targets of one SET: what stands at its beginning and
// behind each comma that is in no parentheses, up to the = or, where there is
// none, the end.
func assigned(tokens []sqltext.Token) (targets []setTarget) {
	depth, value := 0, false
	var words []sqltext.Token
	end := func() {
		if len(words) > 0 {
			targets = append(targets, setTarget{words})
		}
		words, value = nil, false
	}
	for _, t := range tokens {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Is(";") && depth <= 0:
			end()
			return targets
		case t.Is(",") && depth <= 0:
			end()
		case t.Is("=") || t.Is(":="):
			value = true
		case !value:
			words = append(words, t)
		}
	}
	end()
	return targets
}
