package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Query runs a query that check admitted: in a transaction that reads only,
// after everything that it reaches was judged, through a cursor, which takes
// nothing but a SELECT and gives rows in portions.
func (d *postgresDatabase) Query(ctx context.Context, query string, into rowset.Sink) error {
	p, refusal := readonly.ParsePostgres(query, false)
	if refusal != nil {
		return refusal
	}
	return d.ask(ctx, p, nil, into)
}

// ask runs a query with the values of its placeholders.
func (d *postgresDatabase) ask(ctx context.Context, p *readonly.PostgresQuery, values []string, into rowset.Sink) error {
	limited, _ := into.(rowset.Limited)
	var unnamed []pgconn.FieldDescription // columns whose types have no names yet
	err := d.guarded(ctx, func(s *postgresSession) error {
		s.values = values
		if p.Kind == readonly.PostgresShow {
			return s.direct(ctx, p.Text, into)
		}
		c, ok := s.certainty(p)
		if ok && c.Known && !c.Bytes && limited != nil {
			var done bool
			var err error
			if unnamed, done, err = s.atOnce(ctx, p.Text, c, limited, into); done || err != nil {
				return err
			}
			ok = false
		}
		fields, err := s.described(ctx, p, c, ok)
		if err != nil {
			return err
		}
		if p.Kind == readonly.PostgresExplain {
			return s.direct(ctx, p.Text, into)
		}
		return s.cursor(ctx, p.Text, fields, into)
	})
	if err == nil && unnamed != nil {
		err = d.guarded(ctx, func(s *postgresSession) error { return s.nameLate(ctx, unnamed, limited) })
	}
	return err
}

// described returns the query's columns, once it is certain that it reaches
// nothing that must be judged, or that was judged.
func (s *postgresSession) described(ctx context.Context, p *readonly.PostgresQuery, c readonly.PostgresCertainty, ok bool) ([]pgconn.FieldDescription, error) {
	if ok {
		if fields, certain, err := s.certain(ctx, p, c); certain || err != nil {
			return fields, err
		}
	}
	return s.judge(ctx, p)
}

// certainty returns the condition under which a query need not be judged, if
// there may be one.
func (s *postgresSession) certainty(p *readonly.PostgresQuery) (c readonly.PostgresCertainty, ok bool) {
	if s.major() < 12 {
		return c, false
	}
	return readonly.NewPostgresReach(s, s.memory).Certain(p)
}

// divisionByZero is how a condition fails.
const divisionByZero = "22012"

// isDoubt reports whether err is that of a condition, which did not hold.
func isDoubt(err error, held bool) bool {
	var failed *pgconn.PgError
	return !held && errors.As(err, &failed) && failed.Code == divisionByZero
}

// certain has the query's columns described if it is certain that it reaches
// nothing that must be judged: the server makes sure of that before it looks at
// the query. Where it is not, it has seen nothing of the query, and the session is where it began.
func (s *postgresSession) certain(ctx context.Context, p *readonly.PostgresQuery, c readonly.PostgresCertainty) (fields []pgconn.FieldDescription, ok bool, err error) {
	held := false
	var rows [][]string
	if c.Known {
		s.beginIn(ctx, c.State, &held)
		err = s.run(ctx, describing(p.Text, &fields))
	} else {
		err = s.run(ctx, question(c.Condition, &rows), describing(p.Text, &fields))
		held = len(rows) == 1 && rows[0][0] == "1"
	}
	switch {
	case err == nil && !held:
		return nil, false, dial.BadAnswer("a condition is neither true nor false")
	case !isDoubt(err, held):
		if held && !c.Known {
			s.memory.Held(c, rows[0][2] != "false")
		}
		return fields, err == nil, err
	}
	if s.beginAgain(ctx); c.Known {
		return nil, false, nil
	}
	doubts := question(c.Doubts, &rows)
	read := doubts.read
	doubts.read = func(r *pgconn.ResultReader) error {
		err := read(r)
		s.memory.Doubt(rows)
		return err
	}
	s.opening = append(s.opening, doubts)
	return nil, false, nil
}

// beginAgain is begin after a condition failed.
func (s *postgresSession) beginAgain(ctx context.Context) {
	s.memory.Changed() // it may have been the state
	s.begin(ctx)
	s.opening = append([]statementPostgres{{sql: "ROLLBACK", fixed: true}}, s.opening...)
}

// atOnce runs a query in one round trip, from the session's beginning to its
// end, where the database is still in the state in which all names of the query
// are certain. Where it is not, done is false, the server has seen nothing of the
// query, and the session is where it began. The columns are not known before
// the rows come: all are text, and those whose types have no names here yet are
// returned.
func (s *postgresSession) atOnce(ctx context.Context, query string, c readonly.PostgresCertainty, limited rowset.Limited, into rowset.Sink) (unnamed []pgconn.FieldDescription, done bool, err error) {
	held := false
	s.beginIn(ctx, c.State, &held)
	got := fetchResult{longest: 1}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	err = s.finish(within, s.declares(query), statementPostgres{sql: fetches(limited.Limit() + 1), read: func(r *pgconn.ResultReader) error {
		fields := slices.Clone(r.FieldDescriptions())
		names, oids, _ := columnsPostgres(fields)
		types, known := s.types.names(fields)
		if !known {
			unnamed = fields
		}
		if err := into.Columns(names, types); err != nil {
			return errors.Join(err, abandon(r))
		}
		return s.pour(r, oids, into, &got, cancel)
	}})
	switch {
	case isDoubt(err, held):
		s.beginAgain(ctx)
		return nil, false, nil
	case got.enough:
		err = nil // whatever became of the rest
	}
	return unnamed, true, err
}

// nameLate names the types of columns whose rows limited has.
func (s *postgresSession) nameLate(ctx context.Context, fields []pgconn.FieldDescription, limited rowset.Limited) error {
	types := make([]string, len(fields))
	if err := s.finish(ctx, s.namingTypes(fields, types)...); err != nil {
		return err
	}
	limited.Types(types)
	return nil
}

// judge judges all that the query reaches, and its plan, and returns the query's columns.
func (s *postgresSession) judge(ctx context.Context, p *readonly.PostgresQuery) ([]pgconn.FieldDescription, error) {
	reach := readonly.NewPostgresReach(s, s.memory)
	if err := reach.Query(ctx, p); err != nil {
		return nil, err
	}
	return s.judgePlan(ctx, reach, p.Inner)
}

// judgePlan has the server plan the query, judges what the plan names, and
// returns the query's columns. A plan has the values in it that the server
// computed while planning, and may be as long as a row: it is not copied.
func (s *postgresSession) judgePlan(ctx context.Context, reach *readonly.PostgresReach, query string) (fields []pgconn.FieldDescription, err error) {
	var plan strings.Builder
	var refusal error
	explain := statementPostgres{sql: "EXPLAIN (VERBOSE, COSTS OFF)\n" + query, args: s.values, read: func(r *pgconn.ResultReader) error {
		for r.NextRow() {
			line := bytes.Join(r.Values(), nil) // there is one
			if r := readonly.PlanStep(line); r != nil {
				refusal = r
			}
			plan.Write(line)
			plan.WriteByte('\n')
		}
		_, err := r.Close()
		return err
	}}
	if err := s.run(ctx, append(s.asIs(), explain, describing(query, &fields))...); err != nil {
		return nil, err
	}
	if refusal != nil {
		return nil, refusal
	}
	return fields, reach.Plan(ctx, plan.String())
}

// describing has the columns of a query described.
func describing(query string, fields *[]pgconn.FieldDescription) statementPostgres {
	return statementPostgres{sql: query, described: func(f []pgconn.FieldDescription) { *fields = f }}
}

// direct runs a statement whose result is short, SHOW or EXPLAIN, and ends the
// session.
func (s *postgresSession) direct(ctx context.Context, statement string, into rowset.Sink) error {
	return s.finish(ctx, statementPostgres{sql: statement, read: func(r *pgconn.ResultReader) error {
		names := make([]string, len(r.FieldDescriptions()))
		types := make([]string, len(names))
		for i, f := range r.FieldDescriptions() {
			names[i], types[i] = f.Name, "text"
		}
		if len(names) > 0 {
			if err := into.Columns(names, types); err != nil {
				return errors.Join(err, abandon(r))
			}
		}
		_, err := pourPostgres(r, make([]uint32, len(names)), into)
		return err
	}})
}

// cursorName is the cursor's; nothing else is open in the session.
const cursorName = "berth_cursor"

// declares is the statement that opens a query as a cursor.
func (s *postgresSession) declares(query string) statementPostgres {
	return statementPostgres{sql: "DECLARE " + cursorName + " NO SCROLL CURSOR WITHOUT HOLD FOR\n" + query, args: s.values}
}

// fetches is the statement that fetches n rows of it.
func fetches(n int) string { return fmt.Sprintf("FETCH FORWARD %d FROM %s", n, cursorName) }

// Portions of a cursor: as many rows as make portionBytes, going by the
// longest so far, so that stopping early costs no more than that.
const (
	portionBytes = 1 << 20
	portionRows  = 2000
)

// cursor opens the query as a cursor and fetches until into has enough: at
// once, where that is a limited number of rows.
func (s *postgresSession) cursor(ctx context.Context, query string, fields []pgconn.FieldDescription, into rowset.Sink) error {
	names, oids, formats := columnsPostgres(fields)
	types := make([]string, len(fields))
	declared := s.declares(query)
	declared.read = func(r *pgconn.ResultReader) error {
		if _, err := r.Close(); err != nil {
			return err
		}
		return into.Columns(names, types)
	}
	opening := append(s.namingTypes(fields, types), declared)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	got := fetchResult{longest: 1}
	if l, ok := into.(rowset.Limited); ok {
		err := s.finish(ctx, append(opening, s.fetching(l.Limit()+1, oids, formats, into, &got, cancel))...)
		if got.enough {
			return nil // whatever became of the rest
		}
		return err
	}
	for n := 1; ; opening = nil {
		if err := s.run(ctx, append(opening, s.fetching(n, oids, formats, into, &got, cancel))...); err != nil || got.enough || got.rows < n {
			return err
		}
		n = min(max(portionBytes/got.longest, 1), portionRows, 8*n)
	}
}

// abandonWait is how long the rest of a portion is read of which nobody wants
// it. Then the connection is closed.
const abandonWait = 100 * time.Millisecond

// fetching fetches n rows.
func (s *postgresSession) fetching(n int, oids []uint32, formats []int16, into rowset.Sink, got *fetchResult, cancel func()) statementPostgres {
	return statementPostgres{sql: fetches(n), formats: formats, read: func(r *pgconn.ResultReader) error { return s.pour(r, oids, into, got, cancel) }}
}

// pour gives the rows of one portion to into. cancel ends the session where
// the rest, which nobody wants, takes long.
func (s *postgresSession) pour(r *pgconn.ResultReader, oids []uint32, into rowset.Sink, got *fetchResult, cancel func()) (err error) {
	longest := got.longest
	*got, err = pourPostgres(r, oids, meteredRows(dial.AnswerConnOf(s.conn.Conn()), into))
	got.longest = max(got.longest, longest)
	if got.enough {
		timer := time.AfterFunc(abandonWait, cancel)
		defer timer.Stop()
		return abandon(r)
	}
	return err
}

// fetchResult is what one FETCH gave.
type fetchResult struct {
	rows, longest int  // longest: bytes of the longest row
	enough        bool // nobody wants more
}

// pourPostgres gives the rows of one portion to into, until it has enough.
func pourPostgres(r *pgconn.ResultReader, oids []uint32, into rowset.Sink) (p fetchResult, err error) {
	values := make([]any, len(oids))
	text := isText(r.FieldDescriptions())
	for !p.enough && r.NextRow() {
		if len(r.Values()) != len(oids) {
			return p, errors.Join(dial.BadAnswer("a row has %d values for %d columns", len(r.Values()), len(oids)), abandon(r))
		}
		size := 0
		for i, v := range r.Values() {
			values[i] = valuePostgres(oids[i], text, v)
			size += len(v)
		}
		p.rows++
		p.longest = max(p.longest, size)
		more, err := into.Row(values)
		if err != nil {
			return p, errors.Join(err, abandon(r))
		}
		p.enough = !more
	}
	if p.enough {
		return p, nil
	}
	_, err = r.Close()
	return p, rowError(err)
}

// abandon ends a portion of which nobody wants the rest: it reads the rest,
// which is small.
func abandon(r *pgconn.ResultReader) error {
	_, err := r.Close()
	return rowError(err)
}

func rowError(err error) error {
	var big *pgproto3.ExceededMaxBodyLenErr
	if errors.As(err, &big) {
		return dial.ErrRowTooBig
	}
	return serverLost(err)
}

// isText reports whether bytes come as text too: their columns were not known
// when they were asked for.
func isText(fields []pgconn.FieldDescription) bool {
	return slices.ContainsFunc(fields, func(f pgconn.FieldDescription) bool {
		return f.DataTypeOID == oidBytea && f.Format == pgtype.TextFormatCode
	})
}

// columnsPostgres names columns and says in which format they come: text,
// which is exact for every type, but for bytes.
func columnsPostgres(fields []pgconn.FieldDescription) (names []string, oids []uint32, formats []int16) {
	for _, f := range fields {
		names, oids = append(names, f.Name), append(oids, f.DataTypeOID)
		format := int16(0)
		if f.DataTypeOID == oidBytea {
			format = 1
		}
		formats = append(formats, format)
	}
	return names, oids, formats
}
