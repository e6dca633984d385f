package driver

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/tools/db/dial"
)

// WriteRows sends every value as a text, which the server reads as what its
// place wants. The settings are those with which values were read, so that one
// that is compared as a text is written the same.
func (d *postgresDatabase) WriteRows(ctx context.Context, statements []Bound) error {
	pooled, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer forget(pooled)
	return pooled.Raw(func(dc any) error {
		s := d.session(dc)
		return s.transact(ctx, s.writeSettings(), func() error {
			return eachOne(ctx, statements, func(b Bound) (int64, error) { return s.writeRow(ctx, b) })
		})
	})
}

// writeSettings are expressions that set the session up.
func (s *postgresSession) writeSettings() string {
	return "pg_catalog.set_config('lock_timeout', '" + strconv.FormatInt(lockWait.Milliseconds(), 10) + `', true), pg_catalog.set_config('standard_conforming_strings', 'on', true),
pg_catalog.set_config('datestyle', 'ISO', true), pg_catalog.set_config('extra_float_digits', '3', true), pg_catalog.set_config('bytea_output', 'hex', true), `
}

func (s *postgresSession) writeRow(ctx context.Context, b Bound) (int64, error) {
	texts := textsPostgres(b.Values)
	values := make([][]byte, len(texts))
	for i, text := range texts {
		values[i] = []byte(text)
	}
	result := s.conn.ExecParams(ctx, b.Text, values, nil, nil, nil).Read()
	return result.CommandTag.RowsAffected(), serverLost(result.Err)
}

// transact runs work in a transaction, set up by the expressions of settings:
// all of it, or nothing where it fails or ctx ends.
func (s *postgresSession) transact(ctx context.Context, settings string, work func() error) error {
	if _, err := s.conn.Exec(ctx, "BEGIN; SELECT "+s.noticeAbsence()+settings+"1").ReadAll(); err != nil {
		return err
	}
	err := work()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if errors.Is(err, dial.ErrLost) {
			err = errors.New("the connection to the server was lost; nothing was changed")
		}
		return err // the session is closed, and takes its transaction with it
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	result := s.conn.Exec(ctx, "COMMIT")
	if _, err := result.ReadAll(); err != nil {
		var server *pgconn.PgError
		if errors.As(err, &server) && !endedByServer(server.Code) {
			return err // a deferred constraint: it is rolled back
		}
		return uncertain()
	}
	return nil
}
