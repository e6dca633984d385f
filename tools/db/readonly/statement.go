package readonly

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// statement is the one statement of a query for a server, as its guard walks
// over it.
type statement struct {
	text   string          // the query
	tokens []sqltext.Token // significant ones, without the closing semicolons
	pos    int
}

// oneStatement splits a query into tokens and refuses what is not the text of
// exactly one statement. holes are the placeholders that it must have, in their
// order, and no others.
func oneStatement(query string, split func(string) []sqltext.Token, holes ...string) (*statement, *Refusal) {
	switch {
	case len(query) > MaxQuery:
		return nil, Refuse("length", "the query has %d bytes; the limit is %d", len(query), MaxQuery)
	case strings.IndexByte(query, 0) >= 0:
		return nil, Refuse("legal text", "the query has a NUL character at byte %d", strings.IndexByte(query, 0))
	case !utf8.ValidString(query):
		return nil, Refuse("legal text", "the query is not UTF-8")
	}
	all := sqltext.Significant(split(query))
	for _, t := range all {
		if len(holes) > 0 && isHole(t, holes[0]) {
			holes = holes[1:]
		} else if r := LegalToken(t); r != nil {
			return nil, r
		}
	}
	if len(holes) > 0 {
		return nil, lacks(holes[0])
	}
	for n := len(all); n > 0 && all[n-1].Is(";"); n = len(all) {
		all = all[:n-1]
	}
	if len(all) == 0 {
		return nil, Refuse("one statement", "there is no statement in the query")
	}
	for _, t := range all {
		if t.Is(";") {
			return nil, Refuse("one statement", "the query has more than one statement: another begins behind the semicolon at byte %d", t.Pos)
		}
	}
	return &statement{text: query, tokens: all}, nil
}

// LegalToken refuses what no statement for a server needs and guards cannot
// judge: nil, t is legal.
func LegalToken(t sqltext.Token) *Refusal {
	switch t.Kind {
	case sqltext.Illegal:
		return Refuse("legal text", "the query cannot be read from byte %d on: a quote or comment that is not closed, a number that runs into a word, or a character that means nothing", t.Pos)
	case sqltext.Program:
		return Refuse("legal text", "the comment at byte %d is one that the server runs; leave it out", t.Pos)
	case sqltext.Parameter:
		if !strings.HasPrefix(t.Text, "@") {
			return Refuse("no placeholders", "%s has no value here; write the value itself", replytext.Quote(t.Text))
		}
	}
	return nil
}

// at returns the token i behind the current one; a zero one beyond the end.
func (s *statement) at(i int) sqltext.Token {
	if i += s.pos; i >= 0 && i < len(s.tokens) {
		return s.tokens[i]
	}
	return sqltext.Token{}
}

func (s *statement) ended() bool { return s.pos >= len(s.tokens) }

// accept steps over one of words.
func (s *statement) accept(words ...string) bool {
	if s.isAny(words...) {
		s.pos++
		return true
	}
	return false
}

func (s *statement) isAny(words ...string) bool { return slices.ContainsFunc(words, s.at(0).Is) }

// rest is the query's text from the current token to its last one.
func (s *statement) rest() string {
	last := s.tokens[len(s.tokens)-1]
	return s.text[s.at(0).Pos : last.Pos+len(last.Text)]
}

// parens steps over a parenthesised text.
func (s *statement) parens() bool {
	if !s.at(0).Is("(") {
		return false
	}
	for depth := 0; !s.ended(); {
		t := s.at(0)
		s.pos++
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 {
				return true
			}
		}
	}
	return false
}

// selects admits what begins with one of words or, over its common tables,
// with WITH. Parentheses before it are stepped over.
func (s *statement) selects(words []string, other func(sqltext.Token) *Refusal) *Refusal {
	for s.accept("(") {
	}
	switch {
	case s.ended():
		return Refuse("statement kind", "the query ends where a SELECT should stand")
	case s.isAny(words...):
		return nil
	case s.accept("WITH"):
		return s.with(words, other)
	}
	return other(s.at(0))
}

// with walks over the common tables to the statement they are for. Whether
// those within a common table write is left to the engine: all of them refuse
// it there.
func (s *statement) with(words []string, other func(sqltext.Token) *Refusal) *Refusal {
	malformed := Refuse("statement kind", "what WITH begins cannot be read as a SELECT")
	s.accept("RECURSIVE")
	for {
		if !s.at(0).IsName() {
			return malformed
		}
		if s.at(0).Is("XMLNAMESPACES") && s.at(1).Is("(") { // SQL Server's, which name no table
			s.pos++
			if !s.parens() {
				return malformed
			}
			if s.accept(",") {
				continue
			}
			break
		}
		s.pos++ // the common table's name
		if s.at(0).Is("(") && !s.parens() || !s.accept("AS") {
			return malformed
		}
		if s.accept("NOT") && !s.at(0).Is("MATERIALIZED") {
			return malformed
		}
		s.accept("MATERIALIZED")
		if !s.at(0).Is("(") {
			return malformed
		}
		body := *s
		if r := body.selects(append([]string{"WITH"}, words...), other); r != nil {
			return r
		}
		if !s.parens() || !s.searchAndCycle() {
			return malformed
		}
		if !s.accept(",") {
			break
		}
	}
	for s.accept("(") {
	}
	if s.ended() {
		return malformed
	}
	if s.isAny(words...) {
		return nil
	}
	return other(s.at(0))
}

// searchAndCycle steps over what PostgreSQL and MariaDB let follow a common
// table: SEARCH … SET name, CYCLE … USING name, CYCLE … RESTRICT.
func (s *statement) searchAndCycle() bool {
	if s.accept("SEARCH") && !s.skipTo("SET") {
		return false
	}
	if !s.accept("CYCLE") {
		return true
	}
	for !s.ended() && !s.at(0).Is("(") {
		if s.accept("RESTRICT") {
			return true
		}
		if s.at(0).Is("USING") {
			return s.skipTo("USING")
		}
		s.pos++
	}
	return false
}

// skipTo steps behind the name that follows word.
func (s *statement) skipTo(word string) bool {
	for !s.ended() && !s.at(0).Is("(") {
		if s.accept(word) {
			s.pos++
			return !s.ended()
		}
		s.pos++
	}
	return false
}

// otherStatement explains why a statement that begins with t is refused.
// begins lists what one may begin with.
func otherStatement(t sqltext.Token, begins string, designerOpen bool) *Refusal {
	word := strings.ToUpper(t.Text)
	if t.Kind != sqltext.Word {
		return Refuse("statement kind", "a query begins with %s, not with %s", begins, replytext.Quote(t.Text))
	}
	switch word {
	case "CREATE", "DROP", "ALTER", "TRUNCATE", "RENAME", "COMMENT":
		if designerOpen {
			return Refuse("reads only", "run-query reads only, and %s changes the schema; use the apply_edits operation of mssql_schema_designer, which changes the design, or execute-sql", word)
		}
		return Refuse("reads only", "run-query reads only, and %s changes the schema; execute-sql does that", word)
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "UPSERT":
		return Refuse("reads only", "run-query reads only, and %s changes data; execute-sql does that", word)
	}
	if slices.Contains(moreThanRead, word) {
		return Refuse("reads only", "run-query reads only, and %s does more than read", word)
	}
	return Refuse("statement kind", "a query begins with %s, not with %s", begins, replytext.Quote(t.Text))
}

// moreThanRead are the first words of statements that servers know, for the
// sake of the message. What is on no list is refused too.
var moreThanRead = strings.Fields(`ABORT ANALYZE ANALYSE BACKUP BEGIN BINLOG BULK CACHE CALL CHANGE CHECK CHECKPOINT CHECKSUM
CLOSE CLUSTER COMMIT COPY DBCC DEALLOCATE DECLARE DENY DISABLE DISCARD DO ENABLE END EXEC EXECUTE FETCH FLUSH GET GO GOTO GRANT
HANDLER HELP IF IMPORT INSTALL KILL LISTEN LOAD LOCK MOVE NOTIFY OPEN OPTIMIZE PREPARE PRINT PURGE RAISERROR READTEXT REASSIGN
RECONFIGURE REFRESH REINDEX RELEASE REPAIR RESET RESIGNAL RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SAVEPOINT SECURITY SET SHUTDOWN
SIGNAL START STOP THROW UNINSTALL UNLISTEN UNLOCK UPDATETEXT USE VACUUM WAITFOR WHILE WRITETEXT XA`)
