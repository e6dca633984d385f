package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

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
	return d.guarded(ctx, func(s *postgresSession) error {
		if p.Kind == readonly.PostgresShow {
			return s.direct(ctx, p.Text, into)
		}
		fields, certain, err := s.certain(ctx, p)
		if err == nil && !certain {
			fields, err = s.judge(ctx, p)
		}
		if err != nil {
			return err
		}
		if p.Kind == readonly.PostgresExplain {
			return s.direct(ctx, p.Text, into)
		}
		return s.cursor(ctx, p.Text, fields, into)
	})
}

// divisionByZero is how a condition fails.
const divisionByZero = "22012"

// certain has the query's columns described if it is certain that it reaches
// nothing that must be judged: the server makes sure of that before it looks at
// the query. Where it is not, it has seen nothing of the query, and the session is where it began.
func (s *postgresSession) certain(ctx context.Context, p *readonly.PostgresQuery) (fields []pgconn.FieldDescription, ok bool, err error) {
	c, ok := readonly.NewPostgresReach(s, &s.kept.memory).Certain(p)
	if !ok || s.major() < 12 {
		return nil, false, nil
	}
	var rows [][]string
	err = s.open(ctx, question(c.Condition, &rows), describing(p.Text, &fields))
	holds := len(rows) == 1 && rows[0][0] == "1"
	var failed *pgconn.PgError
	switch {
	case err == nil && !holds:
		return nil, false, dial.BadAnswer("a condition is neither true nor false")
	case holds || !errors.As(err, &failed) || failed.Code != divisionByZero:
		return fields, err == nil, err
	}
	s.begin(ctx)
	doubts := question(c.Doubts, &rows)
	read := doubts.read
	doubts.read = func(r *pgconn.ResultReader) error {
		err := read(r)
		s.kept.memory.Doubt(rows)
		return err
	}
	s.opening = append(append([]statementPostgres{{sql: "ROLLBACK", fixed: true}}, s.opening...), doubts)
	return nil, false, nil
}

// judge judges all that the query reaches, and its plan, and returns the query's columns.
func (s *postgresSession) judge(ctx context.Context, p *readonly.PostgresQuery) ([]pgconn.FieldDescription, error) {
	reach := readonly.NewPostgresReach(s, &s.kept.memory)
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
	explain := statementPostgres{sql: "EXPLAIN (VERBOSE, COSTS OFF)\n" + query, read: func(r *pgconn.ResultReader) error {
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
	return s.run(ctx, append([]statementPostgres{{sql: statement, read: func(r *pgconn.ResultReader) error {
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
	}}}, tidying()...)...)
}

// cursorName is the cursor's; nothing else is open in the session.
const cursorName = "berth_cursor"

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
	opening := append(s.namingTypes(fields, types), statementPostgres{sql: "DECLARE " + cursorName + " NO SCROLL CURSOR WITHOUT HOLD FOR\n" + query,
		read: func(r *pgconn.ResultReader) error {
			if _, err := r.Close(); err != nil {
				return err
			}
			return into.Columns(names, types)
		}})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	got := fetchResult{longest: 1}
	if l, ok := into.(rowset.Limited); ok {
		err := s.run(ctx, append(append(opening, s.fetching(l.Limit()+1, oids, formats, into, &got, cancel)), tidying()...)...)
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
	return statementPostgres{sql: fmt.Sprintf("FETCH FORWARD %d FROM %s", n, cursorName), formats: formats, read: func(r *pgconn.ResultReader) (err error) {
		longest := got.longest
		meter := dial.AnswerConnOf(s.conn.Conn())
		*got, err = pourPostgres(r, oids, meteredRows(meter, into))
		got.longest = max(got.longest, longest)
		if got.enough {
			timer := time.AfterFunc(abandonWait, cancel)
			defer timer.Stop()
			return abandon(r)
		}
		return err
	}}
}

// fetchResult is what one FETCH gave.
type fetchResult struct {
	rows, longest int  // longest: bytes of the longest row
	enough        bool // nobody wants more
}

// pourPostgres gives the rows of one portion to into, until it has enough.
func pourPostgres(r *pgconn.ResultReader, oids []uint32, into rowset.Sink) (p fetchResult, err error) {
	values := make([]any, len(oids))
	for !p.enough && r.NextRow() {
		if len(r.Values()) != len(oids) {
			return p, errors.Join(dial.BadAnswer("a row has %d values for %d columns", len(r.Values()), len(oids)), abandon(r))
		}
		size := 0
		for i, v := range r.Values() {
			values[i] = valuePostgres(oids[i], v)
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

// postgresType is a type with its length.
type postgresType struct {
	oid  uint32
	mods int32
}

// namingTypes has the server name the columns' types, with their lengths. The
// names of its own types are kept.
func (s *postgresSession) namingTypes(fields []pgconn.FieldDescription, types []string) []statementPostgres {
	oids, mods, known := make([]string, len(fields)), make([]string, len(fields)), true
	for i, f := range fields {
		oids[i], mods[i] = strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.Itoa(int(f.TypeModifier))
		name, ok := s.kept.types[postgresType{f.DataTypeOID, f.TypeModifier}]
		types[i], known = name, known && ok
	}
	if known {
		return nil
	}
	var rows [][]string
	asks := question(readonly.PostgresTypeNames(oids, mods), &rows)
	read := asks.read
	asks.read = func(r *pgconn.ResultReader) error {
		if err := read(r); err != nil {
			return err
		}
		if len(rows) != len(fields) {
			return dial.BadAnswer("it names %d types of %d columns", len(rows), len(fields))
		}
		for i, row := range rows {
			types[i] = row[0]
			if oid := fields[i].DataTypeOID; oid < firstOwnOID && len(s.kept.types) < maxKeptTypes {
				s.kept.types[postgresType{oid, fields[i].TypeModifier}] = row[0]
			}
		}
		return nil
	}
	return []statementPostgres{asks}
}

const (
	firstOwnOID  = 16384 // of what did not come with the server
	maxKeptTypes = 1000
)
