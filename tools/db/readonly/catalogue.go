package readonly

import "context"

// Catalogue answers questions about a server's database.
type Catalogue interface {
	// Ask runs questions in turn and returns the rows of each, in which NULL
	// is "". Every row has as many values as its question has columns.
	Ask(ctx context.Context, questions ...Question) ([][][]string, error)
}

// Question is one query of this package's own.
type Question struct {
	SQL     string
	Columns int      // of each row
	Args    []string // texts, or arrays in PostgreSQL's text form
}

// ask asks one question.
func ask(ctx context.Context, c Catalogue, q Question) ([][]string, error) {
	answers, err := c.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}
