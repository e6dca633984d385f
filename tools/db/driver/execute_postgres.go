package driver

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Execute runs a statement in a session of its own, which is closed
// afterwards with whatever the statement left in it.
func (d *postgresDatabase) Execute(ctx context.Context, statement string, into rowset.Sink) (affected int64, err error) {
	pooled, err := d.pool.Conn(ctx)
	if err != nil {
		return -1, err
	}
	defer forget(pooled)
	err = pooled.Raw(func(dc any) error {
		s := d.session(dc)
		var ran error
		if committing(dial.PostgreSQL, statement) {
			affected, ran = s.execute(ctx, statement, into)
			if ran != nil && (ctx.Err() != nil || errors.Is(ran, dial.ErrLost)) {
				ran = uncertain()
			}
			return ran
		}
		affected, ran = s.runWhole(ctx, statement, into)
		return ran
	})
	return affected, err
}

// runWhole runs a statement in a transaction: all of it, or nothing where it
// fails or ctx ends.
func (s *postgresSession) runWhole(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	if _, err := s.conn.Exec(ctx, "BEGIN; SELECT "+s.noticeAbsence()+"1").ReadAll(); err != nil {
		return -1, err
	}
	affected, err := s.execute(ctx, statement, into)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if errors.Is(err, dial.ErrLost) {
			err = errors.New("the connection to the server was lost; nothing was changed")
		}
		return -1, err // the session is closed, and takes its transaction with it
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWait)
	defer cancel()
	result := s.conn.Exec(ctx, "COMMIT")
	if _, err := result.ReadAll(); err != nil {
		var server *pgconn.PgError
		if errors.As(err, &server) && !endedByServer(server.Code) {
			return -1, err // a deferred constraint: it is rolled back
		}
		return -1, uncertain()
	}
	return affected, nil
}

// execute runs one statement: the server takes no second one in this form.
func (s *postgresSession) execute(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	described, err := s.conn.Prepare(ctx, "", statement, nil)
	if err != nil {
		return -1, serverLost(err)
	}
	names, oids, formats := columnsPostgres(described.Fields)
	if len(names) > 0 {
		types := make([]string, len(names))
		if err := s.run(ctx, s.namingTypes(described.Fields, types)...); err != nil {
			return -1, err
		}
		if err := into.Columns(names, types); err != nil {
			return -1, err
		}
	}
	r := s.conn.ExecParams(ctx, statement, nil, nil, nil, formats)
	if _, err := pourPostgres(r, oids, into); err != nil {
		return -1, err
	}
	tag, err := r.Close()
	return tag.RowsAffected(), rowError(err)
}
