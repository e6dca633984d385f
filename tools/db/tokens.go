package db

import (
	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// tokensOf splits a text strictly, as the guards read it.
func tokensOf(dialect, text string) []sqltext.Token {
	switch dialect {
	case dialectPostgres:
		return readonly.PostgresTokens(text)
	case dialectMySQL:
		return readonly.MySQLTokens(text)
	case dialectMSSQL:
		return readonly.TSQLTokens(text)
	}
	return readonly.SQLiteTokens(text)
}
