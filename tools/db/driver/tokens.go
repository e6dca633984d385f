package driver

import (
	"slices"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// Tokens splits a text strictly, as the guards read it.
func Tokens(dialect, text string) []sqltext.Token {
	switch dialect {
	case dial.PostgreSQL:
		return readonly.PostgresTokens(text)
	case dial.MySQL:
		return readonly.MySQLTokens(text)
	case dial.SQLServer:
		return readonly.TSQLTokens(text)
	}
	return readonly.SQLiteTokens(text)
}

// BeginsWith reports whether the statement's first word is one of words.
func BeginsWith(dialect, statement string, words ...string) bool {
	for _, t := range Tokens(dialect, statement) {
		if t.Name != "" {
			return slices.ContainsFunc(words, t.Is)
		}
	}
	return false
}
