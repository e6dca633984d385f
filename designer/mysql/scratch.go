package mysql

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// ScratchPrefix begins the name of a database that is made to try a plan or
// to read a script, and dropped again. The seconds since 1970 at which it was
// made follow, in hex. One that a killed process has left is dropped when
// another is made, once it is older than ScratchAge.
const (
	ScratchPrefix = "berth_scratch_"
	ScratchAge    = 24 * time.Hour
)

// scratch is an empty database of the same server, the default one of the
// session.
type scratch struct {
	*session
	name string
}

// scratchError says that the user may make no scratch database.
type scratchError struct{ err error }

func (e *scratchError) Error() string { return e.Plain() + ": " + e.err.Error() }

func (e *scratchError) Unwrap() error { return e.err }

// Plain is what may be said to anyone.
func (e *scratchError) Plain() string {
	return "a scratch database is needed to try a plan or read a script, and this user may make none: " +
		"grant it all rights on `" + ScratchPrefix + "%`.*"
}

// newScratch makes a database with the character set and collation given.
// What is done there is kept out of the server's binary log where the user
// may say so.
func newScratch(ctx context.Context, db *sql.DB, charset, collation string) (*scratch, error) {
	s, err := newSession(ctx, db)
	if err != nil {
		return nil, err
	}
	_, _ = s.ExecContext(ctx, "SET SESSION sql_log_bin = 0") // needs a right that few have
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	s.sweep(ctx, time.Now())
	x := &scratch{session: s, name: fmt.Sprintf("%s%x_%s", ScratchPrefix, time.Now().Unix(), hex.EncodeToString(random))}
	if _, err := s.ExecContext(ctx, "CREATE DATABASE "+quoteName(x.name)+" CHARACTER SET "+charset+" COLLATE "+collation); err != nil {
		if ctx.Err() != nil {
			return nil, errors.Join(err, x.drop(ctx)) // it may have been made nevertheless
		}
		s.close()
		return nil, notMade(err)
	}
	if _, err := s.ExecContext(ctx, "USE "+quoteName(x.name)); err != nil {
		return nil, errors.Join(fmt.Errorf("use the scratch database: %w", err), x.drop(ctx))
	}
	return x, nil
}

// notMade says why there is no scratch database.
func notMade(err error) error {
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && (refused.Number == 1044 || refused.Number == 1045 || refused.Number == 1227) {
		return &scratchError{err}
	}
	return fmt.Errorf("make a scratch database: %w", err)
}

// sweep drops what killed processes have left. It may not be this user's to
// drop; then it is somebody else's to.
func (s *session) sweep(ctx context.Context, now time.Time) {
	for _, name := range s.databases(ctx) {
		made, _, _ := strings.Cut(strings.TrimPrefix(name, ScratchPrefix), "_")
		seconds, err := strconv.ParseInt(made, 16, 64)
		if err == nil && len(made) == 8 && now.Sub(time.Unix(seconds, 0)) > ScratchAge {
			_, _ = s.ExecContext(ctx, "DROP DATABASE IF EXISTS "+quoteName(name))
		}
	}
}

// databases lists the scratch databases that this user sees.
func (s *session) databases(ctx context.Context) []string {
	rows, err := s.QueryContext(ctx, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE '"+
		strings.ReplaceAll(ScratchPrefix, "_", `\_`)+"%'")
	if err != nil {
		return nil
	}
	defer func() { _ = rows.Close() }() // what was listed is listed
	var names []string
	for rows.Next() {
		var name string
		if rows.Scan(&name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// drop ends what runs there and drops the database, whatever became of the
// caller.
func (x *scratch) drop(ctx context.Context) error {
	x.end(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	s, err := newSession(ctx, x.db)
	if err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", x.name, err)
	}
	defer s.close()
	_, _ = s.ExecContext(ctx, "SET SESSION sql_log_bin = 0")
	if _, err := s.ExecContext(ctx, "DROP DATABASE IF EXISTS "+quoteName(x.name)); err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", x.name, err)
	}
	return nil
}
