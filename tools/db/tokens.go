package db

import (
	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// tokensOf splits a text strictly, as the guards read it.
func tokensOf(dialect, text string) []sqltext.Token {
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
