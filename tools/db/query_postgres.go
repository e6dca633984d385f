package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/berth-dev/berth/tools/db/readonly"
)

// query runs a query that check admitted: in a transaction that reads only,
// after everything that it reaches was judged, through a cursor, which takes
// nothing but a SELECT and gives rows in portions.
func (d *postgresDatabase) query(ctx context.Context, query string, into sink) error {
	p, refusal := readonly.ParsePostgres(query, false)
	if refusal != nil {
		return refusal
	}
	return d.guarded(ctx, func(s *postgresSession) error {
		if p.Kind == readonly.PostgresShow {
			return s.direct(ctx, p.Text, into)
		}
		reach := readonly.NewPostgresReach(ctx, s)
		if err := reach.Query(p); err != nil {
			return err
		}
		if err := s.judgePlan(ctx, reach, p.Inner); err != nil {
			return err
		}
		if p.Kind == readonly.PostgresExplain {
			return s.direct(ctx, p.Text, into)
		}
		return s.cursor(ctx, p.Text, into)
	})
}

// judgePlan has the server plan the query and judges what the plan names. A
// plan has the values in it that the server computed while planning, and may
// be as long as a row: it is not copied.
func (s *postgresSession) judgePlan(ctx context.Context, reach *readonly.PostgresReach, query string) error {
	r := s.conn.ExecParams(ctx, "EXPLAIN (VERBOSE, COSTS OFF)\n"+query, nil, nil, nil, nil)
	var plan strings.Builder
	var refusal error
	for r.NextRow() {
		line := bytes.Join(r.Values(), nil) // there is one
		if r := readonly.PlanStep(line); r != nil {
			refusal = r
		}
		plan.Write(line)
		plan.WriteByte('\n')
	}
	if err := abandon(r); err != nil {
		return err
	}
	if refusal != nil {
		return refusal
	}
	return reach.Plan(plan.String())
}

// direct runs a statement whose result is short: SHOW or EXPLAIN.
func (s *postgresSession) direct(ctx context.Context, statement string, into sink) error {
	r := s.conn.ExecParams(ctx, statement, nil, nil, nil, nil)
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
}

// cursorName is the cursor's; nothing else is open in the session.
const cursorName = "berth_cursor"

// Portions of a cursor: as many rows as make portionBytes, going by the
// longest so far, so that stopping early costs no more than that.
const (
	portionBytes = 1 << 20
	portionRows  = 2000
)

// cursor opens the query as a cursor and fetches until into has enough.
func (s *postgresSession) cursor(ctx context.Context, query string, into sink) error {
	declare := s.conn.ExecParams(ctx, "DECLARE "+cursorName+" NO SCROLL CURSOR WITHOUT HOLD FOR\n"+query, nil, nil, nil, nil).Read()
	if declare.Err != nil {
		return serverLost(declare.Err)
	}
	described, err := s.conn.Prepare(ctx, "", "FETCH FORWARD 1 FROM "+cursorName, nil)
	if err != nil {
		return serverLost(err)
	}
	names, oids, formats := columnsPostgres(described.Fields)
	types, err := s.typeNames(ctx, described.Fields)
	if err != nil {
		return err
	}
	if err := into.Columns(names, types); err != nil {
		return err
	}
	for portion, longest := 1, 1; ; {
		r := s.conn.ExecParams(ctx, fmt.Sprintf("FETCH FORWARD %d FROM %s", portion, cursorName), nil, nil, nil, formats)
		got, err := pourPostgres(r, oids, into)
		if err != nil || !got.more || got.rows < portion {
			return err
		}
		longest = max(longest, got.longest)
		portion = min(max(portionBytes/longest, 1), portionRows, 8*portion)
	}
}

// poured is what one portion gave.
type poured struct {
	rows, longest int  // longest: bytes of the longest row
	more          bool // into wants more
}

// pour gives the rows of one portion to into.
func pourPostgres(r *pgconn.ResultReader, oids []uint32, into sink) (p poured, err error) {
	p.more = true
	values := make([]any, len(oids))
	for p.more && r.NextRow() {
		if len(r.Values()) != len(oids) {
			return p, errors.Join(oddAnswer("a row has %d values for %d columns", len(r.Values()), len(oids)), abandon(r))
		}
		size := 0
		for i, v := range r.Values() {
			values[i] = valuePostgres(oids[i], v)
			size += len(v)
		}
		p.rows++
		p.longest = max(p.longest, size)
		if p.more, err = into.Row(values); err != nil {
			return p, errors.Join(err, abandon(r))
		}
	}
	if !p.more {
		return p, abandon(r)
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
		return errRowTooBig
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

// typeNames has the server name the columns' types, with their lengths.
func (s *postgresSession) typeNames(ctx context.Context, fields []pgconn.FieldDescription) ([]string, error) {
	oids, mods := make([]string, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		oids[i], mods[i] = strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.Itoa(int(f.TypeModifier))
	}
	rows, err := s.rows(ctx, readonly.Question{SQL: `SELECT pg_catalog.format_type(t.id, t.mod)
FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::int4[])) WITH ORDINALITY AS t(id, mod, n) ORDER BY t.n`, Columns: 1, Args: []string{readonly.TextArray(oids), readonly.TextArray(mods)}})
	if err != nil {
		return nil, err
	}
	if len(rows) != len(fields) {
		return nil, oddAnswer("it names %d types of %d columns", len(rows), len(fields))
	}
	types := make([]string, len(fields))
	for i, row := range rows {
		types[i] = row[0]
	}
	return types, nil
}
