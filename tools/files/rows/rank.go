package rows

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/files/search"
)

// ranking is how a search asks for the scores of rows. A row without one is
// found all the same.
type ranking struct {
	score string // an expression
	join  string // what it needs beside the table
	args  []any
	note  string // for the caller
}

// unranked leaves files in the order of their paths.
func unranked(why string) ranking {
	if why != "" {
		why = "not ranked, but in the order of paths: " + why
	}
	return ranking{score: "0", note: why}
}

// maxRanked is how much of a text PostgreSQL ranks, in characters: the list of a
// text's words has at most 1 MB there.
const maxRanked = 100_000

// ranked returns the ranking of a query, whose arguments follow n others. texts
// are what the index is asked for; nil: it is not.
func (sh *shape) ranked(ctx context.Context, db querier, q search.Query, texts []string, n int) (ranking, error) {
	switch {
	case !q.Rank:
		return unranked(""), nil
	case sh.dialect == dialectSQLite && texts == nil:
		return unranked("SQLite ranks what its index finds"), nil
	case sh.dialect == dialectSQLite:
		return sh.bm25(texts, n), nil
	case sh.isBytes():
		return unranked("the content is bytea"), nil
	case strings.ContainsRune(q.Text, 0):
		return unranked("no text of PostgreSQL has a NUL"), nil
	}
	var words int
	if err := db.QueryRowContext(ctx, "SELECT numnode(plainto_tsquery('simple', $1::text))", q.Text).Scan(&words); err != nil {
		return ranking{}, err
	}
	if words == 0 {
		return unranked("the query has no word"), nil
	}
	return sh.tsRank(q, n), nil
}

// tsRank ranks by words, which are taken as they are. Rows that do not have the
// text are not worth it.
func (sh *shape) tsRank(q search.Query, n int) ranking {
	c := sh.column(sh.opts.Columns.Content)
	return ranking{
		score: fmt.Sprintf("CASE WHEN %[1]s COLLATE \"default\" ILIKE $%[2]d THEN ts_rank(to_tsvector('simple', left(%[1]s, %[3]d)), plainto_tsquery('simple', $%[4]d::text)) ELSE 0 END",
			c, n+1, maxRanked, n+2),
		args: []any{"%" + likeEscaped(q.Text) + "%", q.Text},
		note: "ranked by ts_rank, which counts whole words",
	}
}

// bm25 ranks by the parts of words that the index has.
func (sh *shape) bm25(texts []string, n int) ranking {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = "(" + trigramsOf(text) + ")"
	}
	index := sh.trigramTable()
	return ranking{
		score: "berth_score",
		join: fmt.Sprintf(" JOIN (SELECT rowid AS berth_row, -bm25(%[1]s) AS berth_score FROM %[1]s WHERE %[1]s MATCH $%[2]d) ON berth_row = %[3]s.rowid",
			index, n+1, sh.table),
		args: []any{strings.Join(list, " OR ")},
		note: "ranked by bm25",
	}
}
