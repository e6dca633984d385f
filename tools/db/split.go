package db

import "github.com/berth-dev/berth/designer/sqltext"

// The guards take text apart strictly: what servers or versions of a dialect
// read differently is illegal to them.

func splitPostgres(text string) []sqltext.Token { return strictly(sqltext.PostgreSQL()).Tokens(text) }

func splitMySQL(text string) []sqltext.Token { return strictly(sqltext.MySQL()).Tokens(text) }

func splitTSQL(text string) []sqltext.Token { return strictly(sqltext.TSQL()).Tokens(text) }

// splitSQLite refuses the open comment that SQLite takes: a person would not
// see its end.
func splitSQLite(text string) []sqltext.Token {
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

func tokensOf(dialect, text string) []sqltext.Token {
	switch dialect {
	case dialectPostgres:
		return splitPostgres(text)
	case dialectMySQL:
		return splitMySQL(text)
	case dialectMSSQL:
		return splitTSQL(text)
	}
	return splitSQLite(text)
}
