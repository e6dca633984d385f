package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// reachesOut says how a statement would reach beyond the scratch database, ""
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
