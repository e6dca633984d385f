package readonly

import (
	"strconv"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Bound queries have values beside them, which a driver sends apart from the
// text. A placeholder is judged as the value is that could stand there: it has
// no name, so it can neither call nor read anything. How many values there are
// is part of the judgement: a text with more or fewer placeholders, or with
// others, is refused.

// CheckBoundSQLite is [CheckSQLite] of a query with ? for each of so many
// values.
func CheckBoundSQLite(query string, values int) *Refusal {
	return checkSQLite(query, false, questionMarks(values))
}

// ParseBoundPostgres is [ParsePostgres] of a query with $1, $2 … for so many
// values.
func ParseBoundPostgres(query string, values int) (*PostgresQuery, *Refusal) {
	return parsePostgres(query, false, numbered("$", values))
}

// ParseBoundMySQL is [ParseMySQL] of a query with ? for each of so many values.
func ParseBoundMySQL(query string, values int) (*MySQLQuery, *Refusal) {
	return parseMySQL(query, false, questionMarks(values))
}

// ParseBoundMSSQL is [ParseMSSQL] of a query with @p1, @p2 … for so many
// values.
func ParseBoundMSSQL(query string, words MSSQLWords, values int) (*MSSQLQuery, *Refusal) {
	return parseMSSQL(query, words, false, numbered("@p", values))
}

func questionMarks(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "?"
	}
	return all
}

func numbered(sign string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = sign + strconv.Itoa(i+1)
	}
	return all
}

// isHole reports whether t is that placeholder.
func isHole(t sqltext.Token, hole string) bool { return t.Kind == sqltext.Parameter && t.Text == hole }

func lacks(hole string) *Refusal {
	return Refuse("placeholders", "the query has no place for the value of %s", replytext.Quote(hole))
}
