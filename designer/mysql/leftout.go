package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// leftOut returns what of a script's statement is not in the definition that is
// read of it, and of what; "" where nothing is, or nobody needs it, as with
// what a transaction or a session needs.
func leftOut(words []sqltext.Token) (what, name string) {
	kind, at := objectKind(words)
	verb := strings.ToUpper(words[0].Text)
	switch {
	case begins(words, "CREATE", "TEMPORARY"):
		return "temporary table", nameAt(words, at)
	case begins(words, "CREATE|ALTER|DROP", "DATABASE|SCHEMA|USER|ROLE"):
		return verb + " " + strings.ToUpper(words[1].Text) + " statement", ""
	case begins(words, "CREATE|ALTER|DROP") && kind == "EVENT":
		return "event", nameAt(words, at)
	case begins(words, "INSERT|REPLACE|UPDATE|DELETE|TRUNCATE"):
		return verb + " statement", nameAt(words, rowsOf(words))
	case begins(words, "CALL|DO|GRANT|REVOKE|SOURCE"), begins(words, "SET", "GLOBAL|PERSIST|PASSWORD|ROLE"):
		return verb + " statement", ""
	}
	return "", ""
}

// rowsOf finds the table whose rows a statement is about.
func rowsOf(words []sqltext.Token) int {
	at := 1
	for at < len(words) && begins(words[at:], "INTO|FROM|TABLE|IGNORE|LOW_PRIORITY|DELAYED|HIGH_PRIORITY|QUICK") {
		at++
	}
	return at
}

// nameAt is the name that begins at a word, with the database before it where
// one is given.
func nameAt(words []sqltext.Token, at int) string {
	if at >= len(words) {
		return ""
	}
	if qualified(words, at) {
		return words[at].Name + "." + words[at+2].Name
	}
	return words[at].Name
}
