package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"net/url"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// Main runs the tests of a package, for its TestMain, and returns the exit
// code. Meanwhile a PostgreSQL database that a test is done with is emptied
// and given to the next one, because making and dropping one takes the server
// a checkpoint: far longer than most tests need. All are gone when it returns.
//
// Tests that may run beside others wait for servers and processes most of the
// time, so twice as many run at once as there are processors, unless the flag
// -parallel says otherwise.
func Main(m *testing.M) int {
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil { // -parallel is read later, and wins
		panic(err) // no such flag
	}
	spare.open()
	defer spare.drop()
	return m.Run()
}

// spare are the databases that no test has now.
var spare sparePool

// sparePool keeps the databases of one server between tests. The zero value keeps
// none.
type sparePool struct {
	mu    sync.Mutex
	keeps bool
	names []string
	admin *sql.DB // of the server; nil until the first database
	count string  // the query of [sparePool.fingerprint]
	fresh string  // the fingerprint of a database just made
}

func (s *sparePool) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = true
}

// take returns the name of a database that is as one just made, "" where there
// is none.
func (s *sparePool) take() (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.names); n > 0 {
		name, s.names = s.names[n-1], s.names[:n-1]
	}
	return name
}

// made notes what a database looks like that nobody has used yet.
func (s *sparePool) made(server, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.keeps || s.fresh != "" {
		return nil
	}
	return s.inside(server, name, func(ctx context.Context, db *sql.DB) (err error) {
		if s.count, err = text(ctx, db, countQuery); err != nil {
			return err
		}
		if s.admin, err = sql.Open("pgx", server); err != nil {
			return err
		}
		s.fresh, err = s.fingerprint(ctx, db)
		return err
	})
}

// give empties a database for the next test. It reports false where the caller
// has to drop it: none is kept, or something is left that a new one has not.
func (s *sparePool) give(server, name string) bool {
	s.mu.Lock()
	fresh := s.fresh
	s.mu.Unlock()
	if fresh == "" {
		return false
	}
	same := false
	err := s.inside(server, name, func(ctx context.Context, db *sql.DB) error {
		if _, err := db.ExecContext(ctx, emptyScript); err != nil {
			return err
		}
		now, err := s.fingerprint(ctx, db)
		same = now == fresh
		return err
	})
	if err != nil || !same {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, name)
	return true
}

// inside does something in a database on a connection of its own.
func (s *sparePool) inside(server, name string, do func(context.Context, *sql.DB) error) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	u.Path = "/" + name
	db, err := sql.Open("pgx", u.String())
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	ctx, cancel := patiently()
	defer cancel()
	_, err = db.ExecContext(ctx, "SET synchronous_commit = off")
	if err == nil {
		err = do(ctx, db)
	}
	return errors.Join(err, db.Close())
}

// fingerprint is the same of two databases if nothing in the one differs from
// the other: each row of a catalogue has the number of the transaction that
// wrote it.
func (s *sparePool) fingerprint(ctx context.Context, db *sql.DB) (string, error) {
	return text(ctx, db, s.count)
}

// drop drops all that are kept.
func (s *sparePool) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.names {
		ctx, cancel := patiently()
		_, err := s.admin.ExecContext(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		cancel()
		if err != nil {
			panic(err) // else nothing would tell that it stayed
		}
	}
	if s.admin != nil {
		_ = s.admin.Close()
	}
	s.keeps, s.names, s.admin, s.fresh = false, nil, nil, ""
}

func text(ctx context.Context, db *sql.DB, query string) (out string, err error) {
	err = db.QueryRowContext(ctx, query).Scan(&out)
	return out, err
}
