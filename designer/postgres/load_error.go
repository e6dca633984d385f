package postgres

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/designer"
)

// refusalOf returns err, which the server gave to a statement, with its place
// in the script. What the connection says, rather than the server, is no
// refusal and comes as it is.
func refusalOf(script string, st statement, err error) error {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return fmt.Errorf("run the statement of line %d: %w", st.line, err)
	}
	return designer.ErrorAt(script, st.pos+st.offset(int(answer.Position)), err).Refused()
}

// offset returns the byte offset in the statement of a character, from 1, that
// the server counts; 0 if it names none, or one beyond the text.
func (s statement) offset(character int) int {
	at := 0
	for range character - 1 {
		if at == len(s.text) {
			return 0
		}
		_, n := utf8.DecodeRuneInString(s.text[at:])
		at += n
	}
	return at
}
