package mssql

import "github.com/berth-dev/berth/designer/sqltext"

// lex takes Transact-SQL apart.
func lex(text string) []sqltext.Token { return sqltext.TSQL().Tokens(text) }

// significant drops white space and comments.
func significant(list []sqltext.Token) []sqltext.Token { return sqltext.Significant(list) }
