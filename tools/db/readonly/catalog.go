package readonly

import "context"

// Catalog answers questions about a server's database.
type Catalog interface {
	// Ask runs questions in turn and returns the rows of each, in which NULL
	// is "". Every row has as many values as its question has columns.
	Ask(ctx context.Context, questions ...CatalogQuery) ([][][]string, error)
}

// CatalogQuery is one query of this package's own.
type CatalogQuery struct {
	SQL     string
	Columns int      // of each row, or AnyColumns
	Args    []string // texts, or arrays in PostgreSQL's text form
}

// AnyColumns is the number of columns of a question that shows a name which may
// be anything, or nothing: a row has as many as the server gives it, and where
// the server says an error, the answer is a row of its number alone.
const AnyColumns = -1

// ask asks one question.
func ask(ctx context.Context, c Catalog, q CatalogQuery) ([][]string, error) {
	answers, err := c.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}
