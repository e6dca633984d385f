package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/sqltext"
)

// near is what SQLite says of the place of an error.
var near = lazyregexp.New(`(?s)near "(.*)": syntax error|unrecognized token: "(.*)" \(`)

// refusalOf returns err, which SQLite gave to a statement, with its place in
// the script: the token that it names, else the statement's beginning.
func refusalOf(ctx context.Context, m *memory, script string, st statement, err error) error {
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("run the script: %w", err)
	}
	pos := st.pos
	if found := near().FindStringSubmatch(err.Error()); found != nil {
		pos += placeOf(ctx, m, st.text, found[1]+found[2])
	} else if strings.Contains(err.Error(), "incomplete input") {
		pos += len(st.text)
	}
	return designer.ErrorAt(script, pos, err).Refused()
}

// maxTries bounds how many of the places of a token are tried.
const maxTries = 100

// placeOf returns where SQLite meets a token that it names in an error: the
// first place up to which the text gives the same error. A shorter text is
// incomplete, and EXPLAIN runs nothing. It is 0 if there is no such place.
func placeOf(ctx context.Context, m *memory, text, token string) int {
	tries := 0
	for _, t := range sqltext.SQLite().Significant(text) {
		if t.Text != token && (t.Kind != sqltext.Illegal || token == "" || !strings.HasPrefix(t.Text, token)) {
			continue
		}
		if tries++; tries > maxTries {
			break
		}
		_, err := m.ExecContext(ctx, "EXPLAIN "+text[:t.End()])
		if err == nil {
			continue
		}
		if found := near().FindStringSubmatch(err.Error()); found != nil && found[1]+found[2] == token {
			return t.Pos
		}
	}
	return 0
}
