package driver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/tools/db/dial"
)

// statementPostgres is one statement of a pipeline.
type statementPostgres struct {
	sql     string
	args    []string
	formats []int16 // of the result's columns; nil: text
	// fixed: the text is always the same, so the session keeps its plan.
	fixed bool
	// described has the statement's columns described, and not run.
	described func([]pgconn.FieldDescription)
	// read takes the rows; nil: they do not matter.
	read func(*pgconn.ResultReader) error
	// last: it and what follows tidy up after the query, which has succeeded.
	last bool
}

// connCachePostgres is what a connection keeps from one query to the next. Guarded
// statements can neither prepare nor deallocate, and what the names of ours
// are nothing but the session's own catalogue tells.
type connCachePostgres struct {
	prefix   string
	next     int               // number of the next name
	prepared map[string]string // names by text
}

const keptKey = "berth"

// keptOf returns what conn keeps.
func keptOf(conn *pgconn.PgConn) *connCachePostgres {
	if k, ok := conn.CustomData()[keptKey].(*connCachePostgres); ok {
		return k
	}
	k := &connCachePostgres{prefix: "berth_" + rand.Text(), prepared: map[string]string{}}
	conn.CustomData()[keptKey] = k
	return k
}

// run sends statements together and reads their results: one round trip. What
// opens the transaction goes before the first of them. Its error is a
// [*staleError] if that found the connection dead.
func (s *postgresSession) run(ctx context.Context, statements ...statementPostgres) error {
	opens := s.opening != nil
	statements = append(s.opening, statements...)
	s.opening = nil
	p := s.conn.StartPipeline(ctx)
	names := make([]string, len(statements)) // of those that are prepared here
	for i, st := range statements {
		names[i] = s.send(p, st)
	}
	err := p.Sync()
	tidying, answered := false, false
	for i, st := range statements {
		if err != nil {
			break
		}
		tidying = tidying || st.last
		err = s.receive(p, st, names[i])
		answered = answered || err == nil
	}
	closed := p.Close()
	if err == nil {
		err = closed
	}
	switch {
	case tidying:
		s.ended = err == nil
		return nil // end tries again, or closes the connection
	case err != nil && opens && !answered && ctx.Err() == nil && s.conn.IsClosed():
		return &staleError{rowError(err)}
	}
	return rowError(err)
}

// finish is run, and ends the session in the same round trip if the statements
// succeed.
func (s *postgresSession) finish(ctx context.Context, statements ...statementPostgres) error {
	return s.run(ctx, append(statements, tidying()...)...)
}

// send returns the name under which the statement is prepared here.
func (s *postgresSession) send(p *pgconn.Pipeline, st statementPostgres) (prepares string) {
	values := make([][]byte, len(st.args))
	for i, a := range st.args {
		values[i] = []byte(a)
	}
	switch {
	case st.described != nil:
		p.SendPrepare("", st.sql, nil)
	case st.fixed && !s.unkept:
		name := s.kept.prepared[st.sql]
		if name == "" {
			prepares = fmt.Sprintf("%s_%d", s.kept.prefix, s.kept.next)
			name = prepares
			s.kept.next++
			p.SendPrepare(name, st.sql, nil)
		}
		p.SendQueryPrepared(name, values, nil, st.formats)
	default:
		p.SendQueryParams(st.sql, values, nil, nil, st.formats)
	}
	return prepares
}

// receive reads what came of one statement.
func (s *postgresSession) receive(p *pgconn.Pipeline, st statementPostgres, prepares string) error {
	if prepares != "" || st.described != nil {
		description, err := resultOf[*pgconn.StatementDescription](p)
		switch {
		case err != nil:
			return err
		case st.described != nil:
			st.described(description.Fields)
			return nil
		}
		s.kept.prepared[st.sql] = prepares
	}
	r, err := resultOf[*pgconn.ResultReader](p)
	if err != nil {
		return err
	}
	if st.read == nil {
		_, err = r.Close()
		return err
	}
	if answers := dial.AnswerConnOf(s.conn.Conn()); answers != nil {
		answers.Row()
		defer answers.Done()
	}
	return st.read(r)
}

// resultOf returns the next result of a pipeline.
func resultOf[T any](p *pgconn.Pipeline) (result T, err error) {
	got, err := p.GetResults()
	if err != nil {
		return result, err
	}
	result, ok := got.(T)
	if !ok {
		return result, dial.BadAnswer("it has another result where one of a statement is due")
	}
	return result, nil
}

// isForgotten reports whether the server has no longer, or somewhere else,
// what was prepared: a pooler may give every transaction another session.
func isForgotten(err error) bool {
	const noSuchStatement, duplicate = "26000", "42P05"
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == noSuchStatement || e.Code == duplicate)
}
