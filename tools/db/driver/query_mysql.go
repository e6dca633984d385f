package driver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Query runs a query that check admitted, in a transaction that reads only,
// after everything that it reaches was judged.
func (d *mysqlDatabase) Query(ctx context.Context, query string, into rowset.Sink) error {
	m, refusal := readonly.ParseMySQL(query, false)
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, m, nil, into)
}

// QueryBound implements [Database].
func (d *mysqlDatabase) QueryBound(ctx context.Context, query string, values []any, into rowset.Sink) error {
	m, refusal := readonly.ParseBoundMySQL(query, len(values))
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, m, values, into)
}

// ask runs a query with the values of its placeholders.
func (d *mysqlDatabase) ask(ctx context.Context, m *readonly.MySQLQuery, values []any, into rowset.Sink) error {
	return d.guarded(ctx, func(ctx context.Context, s *mysqlSession) error {
		d.endOrphans(ctx, s)
		s.judging = true
		if err := readonly.NewMySQLReach(s, s.database, d.words, &d.memory).Query(ctx, m); err != nil {
			return err
		}
		s.judging = false
		rows, err := s.open(ctx, m, values, d.tag)
		if err != nil {
			return err
		}
		if m.Metadata {
			into = grantsSink{into}
		}
		more, err := s.pour(rows, into)
		if more && err == nil {
			return rows.Close() // read to its end
		}
		s.rest = rows
		return err
	})
}

// open runs the statement: in the binary protocol, which has every digit of a
// number, or in the text protocol, which knows every kind of SHOW.
func (s *mysqlSession) open(ctx context.Context, m *readonly.MySQLQuery, values []any, tag statementTag) (driver.Rows, error) {
	if m.Metadata {
		rows, err := s.conn.(driver.QueryerContext).QueryContext(ctx, m.Text, nil)
		s.answered = s.answered || err == nil
		return rows, err
	}
	if s.mariadb && len(values) == 0 && s.ahead.Possible() {
		s.ahead.ExecuteNext()
	}
	stmt, err := s.conn.(driver.ConnPrepareContext).PrepareContext(ctx, tag.comment()+m.Text)
	if err != nil {
		return nil, err
	}
	s.answered = true
	// Never closed: its session ends.
	return stmt.(driver.StmtQueryContext).QueryContext(ctx, ordinals(values))
}

func ordinals(values []any) []driver.NamedValue {
	named := make([]driver.NamedValue, len(values))
	for i, v := range values {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return named
}

// mysqlRows is what the driver's rows tell beside their values.
type mysqlRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypePrecisionScale
}

// pour gives rows to into; more reports whether they came to their end.
func (s *mysqlSession) pour(rows driver.Rows, into rowset.Sink) (more bool, err error) {
	defer s.meter.Done()
	names := rows.Columns()
	kinds, types := make([]string, len(names)), make([]string, len(names))
	if described, ok := rows.(mysqlRows); ok {
		for i := range names {
			kinds[i] = described.ColumnTypeDatabaseTypeName(i)
			types[i] = typeMySQL(described, kinds[i], i)
		}
	}
	if err := into.Columns(names, types); err != nil {
		return false, err
	}
	raw, values := make([]driver.Value, len(names)), make([]any, len(names))
	for {
		if err := rows.Next(raw); errors.Is(err, io.EOF) {
			return true, nil
		} else if err != nil {
			return false, err
		}
		s.meter.Next()
		for i, v := range raw {
			values[i] = valueMySQL(kinds[i], v)
		}
		if more, err := into.Row(values); err != nil || !more {
			return false, err
		}
	}
}

func typeMySQL(rows mysqlRows, kind string, i int) string {
	name, unsigned := strings.CutPrefix(kind, "UNSIGNED ")
	name = strings.ToLower(name)
	if precision, scale, ok := rows.ColumnTypePrecisionScale(i); ok && name == "decimal" {
		name = fmt.Sprintf("decimal(%d,%d)", precision, scale)
	}
	if unsigned {
		name += " unsigned"
	}
	return name
}
