package driver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Query runs a query that check admitted: in a transaction that is rolled
// back, after everything that it reaches was judged, through a cursor of the
// server, which takes nothing but one SELECT and gives rows in portions.
func (d *mssqlDatabase) Query(ctx context.Context, query string, into rowset.Sink) error {
	m, refusal := readonly.ParseMSSQL(query, d.words, false)
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, m, nil, into)
}

// QueryBound implements [Database].
func (d *mssqlDatabase) QueryBound(ctx context.Context, query string, values []any, into rowset.Sink) error {
	m, refusal := readonly.ParseBoundMSSQL(query, d.words, len(values))
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, m, values, into)
}

// ask runs a query with the values of its placeholders.
func (d *mssqlDatabase) ask(ctx context.Context, m *readonly.MSSQLQuery, values []any, into rowset.Sink) error {
	return d.guarded(ctx, func(s *mssqlSession) error {
		if err := readonly.NewMSSQLReach(s, d.words, &d.memory).Query(ctx, m); err != nil {
			return err
		}
		if m.Value != "" {
			return s.cursor(ctx, m.Value, values, into)
		}
		return s.cursor(ctx, m.Text, values, into)
	})
}

// What sp_cursoropen and sp_cursorfetch are told, by number.
const (
	cursorForward  = 0x10 // fast forward
	cursorReadOnly = 0x01
	cursorBound    = 0x1000 // the query has parameters
	fetchNext      = 2
)

// cursor opens the query as a cursor and fetches until into has enough.
func (s *mssqlSession) cursor(ctx context.Context, query string, values []any, into rowset.Sink) error {
	handle, err := s.open(ctx, query, values)
	if err != nil {
		return err
	}
	for portion, longest, first := 1, 1, true; ; first = false {
		// The numbers stand in the text: as parameters they would be of a type
		// that the procedure does not take.
		rows, err := s.conn.QueryContext(ctx, fmt.Sprintf("EXEC sp_cursorfetch %d, %d, 0, %d", handle, fetchNext, portion))
		if err != nil {
			return err
		}
		got, err := s.pour(rows, into, first)
		if err != nil || got.enough || got.rows < portion {
			return err
		}
		longest = max(longest, got.longest)
		portion = min(max(portionBytes/longest, 1), portionRows, 8*portion)
	}
}

// cursorOpening is the batch that opens a query as a cursor, and what it takes:
// the query is @p1 there. Its own values follow, after their types.
func cursorOpening(query string, values []any) (text string, args []any) {
	scroll, bound, args := cursorForward, "", []any{query}
	if len(values) > 0 {
		scroll |= cursorBound
		types := make([]string, len(values))
		bound = ", @p2"
		for i, v := range values {
			types[i] = fmt.Sprintf("@p%d %s", i+1, parameterTypeMSSQL(v))
			bound += fmt.Sprintf(", @p%d", i+3)
		}
		args = append(append(args, strings.Join(types, ", ")), values...)
	}
	return fmt.Sprintf(`DECLARE @cursor INT, @scroll INT = %d, @concurrency INT = %d, @rows INT;
EXEC sp_cursoropen @cursor OUTPUT, @p1, @scroll OUTPUT, @concurrency OUTPUT, @rows OUTPUT%s;
SELECT @cursor AS berth_cursor`, scroll, cursorReadOnly, bound), args
}

// parameterTypeMSSQL is the type that a value has in a query.
func parameterTypeMSSQL(value any) string {
	switch value.(type) {
	case int64:
		return "bigint"
	case float64:
		return "float"
	case []byte:
		return "varbinary(max)"
	}
	return "nvarchar(max)"
}

// open returns the cursor's handle.
func (s *mssqlSession) open(ctx context.Context, query string, values []any) (handle int64, err error) {
	text, args := cursorOpening(query, values)
	rows, err := s.conn.QueryContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for {
		columns, err := rows.Columns()
		if err != nil {
			return 0, err
		}
		if len(columns) == 1 && columns[0] == "berth_cursor" && rows.Next() {
			if err := rows.Scan(&handle); err != nil {
				return 0, err
			}
			return handle, rows.Err()
		}
		if !rows.NextResultSet() { // before ours come the columns of the cursor
			return 0, errors.Join(rows.Err(), errors.New("the server opened no cursor"))
		}
	}
}

// pour gives the rows of one portion to into.
func (s *mssqlSession) pour(rows *sql.Rows, into rowset.Sink, first bool) (p fetchResult, err error) {
	defer s.meter.Done()
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	described, err := rows.ColumnTypes()
	if err != nil {
		return p, err
	}
	n := len(described)
	if n > 1 && described[n-1].Name() == "ROWSTAT" && described[n-1].DatabaseTypeName() == "INT" {
		n-- // the cursor's own
	}
	if first {
		names, types := make([]string, n), make([]string, n)
		for i, c := range described[:n] {
			names[i], types[i] = c.Name(), typeMSSQL(c)
		}
		if err := into.Columns(names, types); err != nil {
			return p, err
		}
	}

	raw, pointers, values := make([]any, len(described)), make([]any, len(described)), make([]any, n)
	for i := range raw {
		pointers[i] = &raw[i]
	}
	for !p.enough && rows.Next() {
		s.meter.Next()
		if err := rows.Scan(pointers...); err != nil {
			return p, err
		}
		size := 0
		for i, v := range raw[:n] {
			values[i] = valueMSSQL(described[i].DatabaseTypeName(), v)
			size += sizeOf(values[i])
		}
		p.rows++
		p.longest = max(p.longest, size)
		more, err := into.Row(values)
		if err != nil {
			return p, err
		}
		p.enough = !more
	}
	return p, rows.Err()
}

func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 8
}

// typeMSSQL names a column's type with its length.
func typeMSSQL(c *sql.ColumnType) string {
	name := strings.ToLower(c.DatabaseTypeName())
	if precision, scale, ok := c.DecimalSize(); ok && (name == "decimal" || name == "numeric") {
		return lengthened(name, precision, scale)
	}
	if n, ok := c.Length(); ok && strings.Contains(name, "char") || ok && strings.Contains(name, "binary") {
		if n > 8000 {
			return name + "(max)"
		}
		return lengthened(name, n)
	}
	return name
}
