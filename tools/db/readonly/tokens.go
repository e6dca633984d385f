package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// Text is split strictly: what servers or versions of a dialect read
// differently is illegal.

// PostgresTokens splits a text as PostgreSQL does.
func PostgresTokens(text string) []sqltext.Token { return strictly(sqltext.PostgreSQL()).Tokens(text) }

// MySQLTokens splits a text as MySQL and MariaDB do.
func MySQLTokens(text string) []sqltext.Token { return strictly(sqltext.MySQL()).Tokens(text) }

// MySQLModeTokens splits the body of a routine, which the server reads in the
// sql_mode that it was made in.
func MySQLModeTokens(text, mode string) []sqltext.Token {
	r := strictly(sqltext.MySQL())
	modes := strings.Split(strings.ToUpper(mode), ",")
	if slices.Contains(modes, "ANSI_QUOTES") {
		r.NameQuotes, r.StringQuotes = "`\"", "'"
	}
	if slices.Contains(modes, "NO_BACKSLASH_ESCAPES") {
		r.Backslashes = false
	}
	return r.Tokens(text)
}

// TSQLTokens splits a text as SQL Server does.
func TSQLTokens(text string) []sqltext.Token { return strictly(sqltext.TSQL()).Tokens(text) }

// SQLiteTokens splits a text as SQLite does, but for the open comment that
// SQLite takes, which is illegal: a person would not see its end.
func SQLiteTokens(text string) []sqltext.Token {
	all := sqltext.SQLite().Tokens(text)
	for i := range all {
		if all[i].Unclosed {
			all[i].Kind = sqltext.Illegal
		}
	}
	return all
}

func strictly(r sqltext.Rules) sqltext.Rules {
	r.Strict = true
	return r
}
