package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
)

// reader reads the rows of the catalogue. They repeat themselves: a text that
// was there before is not made again.
type reader struct{ texts map[string]string }

// longText is the length, in bytes, from which a text is not expected again.
const longText = 64

// each calls row for every row of a query. What row asks for is a *string, a
// *sql.NullString, a *bool or an *int a column.
func (r *reader) each(ctx context.Context, conn *sql.Conn, query string, row func(scan func(...any) error) error) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	raw := make([]sql.RawBytes, len(names))
	into := make([]any, len(names))
	for i := range raw {
		into[i] = &raw[i]
	}
	scan := func(dest ...any) error { return r.assign(raw, dest) }
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := row(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *reader) assign(raw []sql.RawBytes, dest []any) error {
	if len(raw) != len(dest) {
		return fmt.Errorf("%d columns for %d fields", len(raw), len(dest))
	}
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = r.text(raw[i])
		case *sql.NullString:
			*d = sql.NullString{String: r.text(raw[i]), Valid: raw[i] != nil}
		case *bool:
			*d = string(raw[i]) == "1"
		case *int:
			n, err := strconv.Atoi(string(raw[i]))
			if err != nil {
				return err
			}
			*d = n
		default:
			return fmt.Errorf("no way to read a %T", d)
		}
	}
	return nil
}

func (r *reader) text(raw sql.RawBytes) string {
	if len(raw) >= longText {
		return string(raw)
	}
	if s, known := r.texts[string(raw)]; known { // which makes no string
		return s
	}
	s := string(raw)
	r.texts[s] = s
	return s
}
