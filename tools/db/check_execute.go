package db

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// checkExecute admits one statement for execute-sql: one that changes data,
// the schema or permissions in its database. A person, or the project's
// settings, allow it; this says that it is what it looks like: nothing hides
// behind it, it leaves no state in a session, and it does not reach for files
// and programs of the machine.
func checkExecute(dialect, text string) *readonly.Refusal {
	if r := checkText(text); r != nil {
		return r
	}
	var tokens []sqltext.Token
	for _, t := range sqltext.Significant(driver.Tokens(dialect, text)) {
		if r := executeToken(dialect, t); r != nil {
			return r
		}
		tokens = append(tokens, t)
	}
	for n := len(tokens); n > 0 && tokens[n-1].Is(";"); n = len(tokens) {
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 {
		return readonly.Refuse("one statement", "there is no statement")
	}
	s := &executable{text: text, tokens: tokens}
	if r := s.executeKind(dialect); r != nil {
		return r
	}
	if r := s.executeAlone(dialect); r != nil {
		return r
	}
	return s.executeReach(dialect)
}

// checkText refuses text that a person would not see as it is.
func checkText(text string) *readonly.Refusal {
	switch {
	case len(text) > readonly.MaxQuery:
		return readonly.Refuse("length", "the statement has %d bytes; the limit is %d", len(text), readonly.MaxQuery)
	case !utf8.ValidString(text):
		return readonly.Refuse("legal text", "the statement is not UTF-8")
	}
	for i, r := range text {
		if replytext.Hidden(r) {
			return readonly.Refuse("legal text", "the statement has a control, direction or invisible character at byte %d; a person could not see what runs", i)
		}
	}
	return nil
}

// executable is one statement for execute-sql.
type executable struct {
	text   string
	tokens []sqltext.Token // significant ones, without the closing semicolons
}

func executeToken(dialect string, t sqltext.Token) *readonly.Refusal {
	if t.Kind == sqltext.Parameter && dialect == dial.SQLite {
		return readonly.Refuse("no placeholders", "%s has no value here; write the value itself", replytext.Quote(t.Text))
	}
	return readonly.LegalToken(t)
}

// executes lists the words that a statement for execute-sql begins with. What
// changes a session or a transaction is not among them: nothing would be left
// of it.
func executes(dialect string) []string {
	common := []string{"INSERT", "UPDATE", "DELETE", "WITH", "SELECT", "VALUES", "CREATE", "ALTER", "DROP"}
	switch dialect {
	case dial.PostgreSQL:
		return append(common, "MERGE", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "REFRESH", "REINDEX", "ANALYZE", "VACUUM", "CLUSTER", "CALL", "DO", "REASSIGN")
	case dial.MySQL:
		return append(common, "REPLACE", "TRUNCATE", "RENAME", "GRANT", "REVOKE", "ANALYZE", "OPTIMIZE", "REPAIR", "CALL")
	case dial.SQLServer:
		return append(common, "MERGE", "TRUNCATE", "GRANT", "REVOKE", "DENY", "EXEC", "EXECUTE")
	}
	return append(common, "REPLACE", "REINDEX", "ANALYZE", "VACUUM")
}

func (s *executable) executeKind(dialect string) *readonly.Refusal {
	first := s.tokens[0]
	word := strings.ToUpper(first.Text)
	switch {
	case first.Kind == sqltext.Word && slices.Contains(executes(dialect), word):
		return nil
	case word == "EXPLAIN":
		return readonly.Refuse("statement kind", "for a plan use explain-query")
	case slices.Contains([]string{"BEGIN", "START", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "RESET", "USE", "LOCK"}, word):
		return readonly.Refuse("statement kind", "%s is for a session, and execute-sql runs one statement in one of its own, all of it or nothing", word)
	}
	return readonly.Refuse("statement kind", "execute-sql runs one statement that begins with %s, not with %s", strings.Join(executes(dialect), ", "), replytext.Quote(first.Text))
}

// executeAlone refuses a second statement. The body of a routine or a trigger
// has statements of its own. Where it ends, SQLite says itself: its driver
// would run what follows. The servers see to it that nothing follows.
func (s *executable) executeAlone(dialect string) *readonly.Refusal {
	if s.definesBody(dialect) {
		return nil
	}
	for _, t := range s.tokens {
		if t.Is(";") && (dialect != dial.SQLite || rosqlite.Complete(s.text[:t.Pos+1])) {
			return readonly.Refuse("one statement", "another statement begins behind the semicolon at byte %d; send them one by one", t.Pos)
		}
	}
	if dialect == dial.SQLServer {
		return s.aloneInBatch()
	}
	return nil
}

// definesBody reports whether a statement has others in it, on the servers.
func (s *executable) definesBody(dialect string) bool {
	if dialect == dial.SQLite || !s.tokens[0].Is("CREATE") && !(s.tokens[0].Is("ALTER") && dialect == dial.SQLServer) {
		return false
	}
	kinds := []string{"FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE"}
	if dialect == dial.SQLServer {
		kinds = []string{"FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "VIEW"} // alone in their batch, says the server
	}
	for _, t := range s.tokens[1:min(len(s.tokens), 12)] { // DEFINER = a@b, OR REPLACE, …
		if slices.ContainsFunc(kinds, t.Is) {
			return true
		}
		if t.Is("TABLE") || t.Is("INDEX") || t.Is("AS") || t.Is("(") {
			return false
		}
	}
	return false
}

// executeReach refuses what reads or writes files of the machine, or runs its
// programs, by what it calls. It is a second line: the login's privileges are
// the first.
func (s *executable) executeReach(dialect string) *readonly.Refusal {
	for i, t := range s.tokens {
		next := sqltext.Token{}
		if i+1 < len(s.tokens) {
			next = s.tokens[i+1]
		}
		name := strings.ToLower(t.Name)
		beyond := false
		switch dialect {
		case dial.SQLite:
			beyond = next.Is("(") && rosqlite.UnsafeFunction(t.Name) || t.Is("VACUUM") && slices.ContainsFunc(s.tokens, func(t sqltext.Token) bool { return t.Is("INTO") }) && i == 0
		case dial.PostgreSQL:
			beyond = next.Is("(") && slices.Contains([]string{"lo_import", "lo_export", "pg_read_file", "pg_read_binary_file", "pg_ls_dir", "pg_file_write"}, name) ||
				t.Is("LANGUAGE") && untrustedLanguage(next)
		case dial.MySQL:
			beyond = t.Is("OUTFILE") || t.Is("DUMPFILE") || next.Is("(") && name == "load_file" || t.Is("SONAME")
		case dial.SQLServer:
			beyond = t.IsName() && slices.Contains([]string{"xp_cmdshell", "sp_configure", "sp_oacreate", "openrowset", "opendatasource", "xp_regwrite"}, name)
		}
		if beyond {
			return readonly.Refuse("reach", "%s reaches beyond the database", replytext.Quote(t.Text))
		}
	}
	return nil
}

// untrustedLanguage reports whether a language of PostgreSQL can do what the
// server's account can: C, and those whose names end in u.
func untrustedLanguage(language sqltext.Token) bool {
	name := strings.ToLower(strings.Trim(language.Text, `'"`))
	return name == "c" || name == "internal" || strings.HasPrefix(name, "pl") && strings.HasSuffix(name, "u")
}
