package driver

import (
	"context"
	"errors"

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
func (s *postgresSession) runWhole(ctx context.Context, statement string, into rowset.Sink) (affected int64, err error) {
	err = s.transact(ctx, "", func() error {
		affected, err = s.execute(ctx, statement, into)
		return err
	})
	if err != nil {
		return -1, err
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
