package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// loadAction describes what happens to a statement of a script that is loaded.
type loadAction int

const (
	runs      loadAction = iota
	skipped              // says nothing of the schema: rows, rights, other databases
	byAdmin              // CREATE EXTENSION
	toNowhere            // CREATE SERVER
)

// The words that statements begin with, and for CREATE, ALTER and DROP those
// that follow. Unknown ones are refused.
var (
	skippedWords = words(`insert update delete truncate copy select values table with grant revoke analyze analyse vacuum cluster
		reindex refresh lock notify listen unlisten checkpoint begin start commit end rollback abort savepoint release
		security discard show explain merge fetch close declare move`)
	madeKinds = words(`schema table type domain sequence view materialized recursive index unique function procedure aggregate
		routine trigger constraint rule policy statistics collation operator cast unlogged foreign text conversion transform
		temp temporary global local access`)
	elsewhere = words(`database role user group tablespace publication subscription server system default large language event`)
)

func words(list string) []string { return strings.Fields(list) }

// judge decides what happens to a statement. What runs code by itself, or
// reaches beyond the database, is refused or left out.
func judge(s statement) (loadAction, error) {
	if len(s.words) == 0 {
		return skipped, s.refuse("it is none that is known")
	}
	verb, object := s.words[0], s.object()
	switch {
	case slices.Contains(skippedWords, verb):
		return skipped, nil
	case verb == "set" || verb == "reset":
		if s.has("role") || s.has("authorization") {
			return skipped, nil
		}
		return runs, nil
	case verb == "comment":
		return s.comment(), nil
	case verb != "create" && verb != "alter" && verb != "drop":
		return skipped, s.refuse("it may run code: say with CREATE and ALTER what the schema has")
	case object == "extension" && verb == "create":
		return byAdmin, nil
	case object == "server" && verb == "create":
		return toNowhere, nil
	case s.needsSuperuser(), object == "extension", slices.Contains(elsewhere, object), verb == "alter" && s.changesOwner():
		return skipped, nil
	case slices.Contains(madeKinds, object):
		return runs, nil
	}
	return skipped, s.refuse("it is none that is known")
}

// needsSuperuser reports whether a statement makes or changes what no script
// may: functions of the server's are called through it as it says.
func (s statement) needsSuperuser() bool {
	rest := strings.Join(s.words[1:], " ") + " "
	return slices.ContainsFunc([]string{"operator class ", "operator family ", "text search parser ", "text search template ",
		"access method ", "foreign data "}, func(kind string) bool { return strings.HasPrefix(rest, kind) })
}

// server returns the name of the server that the statement makes.
func (s statement) server() string {
	for _, t := range significant(s.text)[2:] {
		if !t.Is("if") && !t.Is("not") && !t.Is("exists") {
			return t.Name
		}
	}
	return ""
}

// withoutBody writes CREATE FUNCTION with a body that only fails, in a
// language that everybody may use; "" where it has no place for one.
func (s statement) withoutBody() string {
	text, depth := s.text, 0
	const body = "'BEGIN RAISE ''its body was left out''; END'"
	tokens := significant(s.text)
	for i, found := len(tokens)-2, 0; i >= 0; i-- {
		switch t, next := tokens[i], tokens[i+1]; {
		case t.Text == ")":
			depth++
		case t.Text == "(":
			depth--
		case depth != 0:
		case t.Is("language"):
			text, found = text[:next.Pos]+"plpgsql"+text[next.End():], found+1
		case t.Is("as") && next.Kind == sqltext.String:
			end := next.End()
			if i+3 < len(tokens) && tokens[i+2].Text == "," && tokens[i+3].Kind == sqltext.String { // a library and a symbol
				end = tokens[i+3].End()
			}
			text, found = text[:next.Pos]+body+text[end:], found+1
		}
		if found == 2 {
			return text
		}
	}
	return ""
}

func (s statement) has(word string) bool { return slices.Contains(s.words, word) }

// changesOwner reports whether an ALTER is one of ownership.
func (s statement) changesOwner() bool {
	tokens := significant(s.text)
	for i := range tokens {
		if tokens[i].Is("owner") && i+1 < len(tokens) && tokens[i+1].Is("to") {
			return true
		}
	}
	return false
}

// extension writes CREATE EXTENSION with no more than a name and a schema:
// the connection's own user makes it.
func (s statement) extension() string {
	text, tokens := "", significant(s.text)
	for i := 2; i < len(tokens); i++ {
		switch {
		case tokens[i].Is("if"), tokens[i].Is("not"), tokens[i].Is("exists"), tokens[i].Is("with"):
		case text == "":
			text = "CREATE EXTENSION IF NOT EXISTS " + ident(tokens[i].Name)
		case tokens[i].Is("schema") && i+1 < len(tokens):
			return text + " WITH SCHEMA " + ident(tokens[i+1].Name) + " CASCADE"
		}
	}
	return text + " CASCADE"
}

// object returns the word for what CREATE, ALTER or DROP is about.
func (s statement) object() string {
	rest := s.words[1:]
	if len(rest) > 2 && rest[0] == "or" && rest[1] == "replace" {
		rest = rest[2:]
	}
	if len(rest) > 1 && rest[0] == "trusted" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return ""
	}
	return rest[0]
}

// comment judges COMMENT ON by what it is on.
func (s statement) comment() loadAction {
	on := statement{words: s.words[1:]} // reads as what makes it would
	if len(s.words) > 2 && (slices.Contains(elsewhere, s.words[2]) || s.words[2] == "extension" || on.needsSuperuser()) {
		return skipped
	}
	return runs
}

func (s statement) refuse(why string) error {
	return fmt.Errorf("statement %s is not loaded: %s", strings.ToUpper(strings.Join(s.words[:min(2, len(s.words))], " ")), why)
}

// unfilled makes what a query would fill be made without rows: the query is
// not run. A name may be "data" too, so only the whole clause counts, whose
// WITH is reserved.
func (s statement) unfilled() string {
	tokens := significant(s.text)
	if !s.isFilled() || len(tokens) < 3 {
		return s.text
	}
	last := tokens[len(tokens)-3:]
	switch {
	case last[0].Is("with") && last[1].Is("no") && last[2].Is("data"):
		return s.text
	case last[1].Is("with") && last[2].Is("data"):
		return s.text[:last[1].Pos] + "WITH NO DATA"
	}
	return s.text + "\nWITH NO DATA"
}

// viewName returns the last part of the name of the view that the statement
// makes.
func (s statement) viewName() string {
	name, seen := "", false
	for _, t := range significant(s.text) {
		switch {
		case t.Is("view"):
			seen = true
		case !seen, t.Is("if"), t.Is("not"), t.Is("exists"), t.Text == ".":
		case t.Kind == sqltext.Quoted, t.Kind == sqltext.Word && !reserved[lower(t.Text)]:
			name = t.Name
		default:
			return name
		}
	}
	return name
}

// isFilled reports whether the statement is CREATE MATERIALIZED VIEW or CREATE
// TABLE AS.
func (s statement) isFilled() bool {
	if s.words[0] != "create" {
		return false
	}
	if s.object() == "materialized" {
		return true
	}
	if !slices.Contains([]string{"table", "temp", "temporary", "unlogged", "global", "local"}, s.object()) {
		return false
	}
	depth := 0
	for i, t := range significant(s.text) {
		switch {
		case t.Text == "(":
			depth++
		case t.Text == ")":
			depth--
		case t.Is("as") && depth == 0 && i > 0:
			return true
		}
	}
	return false
}
