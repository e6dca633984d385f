package driver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// TestWhatIsRedefinedBetweenTwoQueriesIsJudgedAgain: a session remembers what
// it judged. Every way of changing that from another connection must be seen,
// at once and by the very next query.
func TestWhatIsRedefinedBetweenTwoQueriesIsJudgedAgain(t *testing.T) {
	known := 0
	for what, tt := range long.Some(t, 7, map[string]struct{ before, query, change, want string }{
		"a function": {`CREATE FUNCTION f(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1'`, "SELECT f(1)",
			`CREATE OR REPLACE FUNCTION f(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1 FROM pg_advisory_lock(1)'`, "pg_advisory_lock is not run"},
		"an operator's function": {`CREATE FUNCTION f(text, text) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1'; CREATE OPERATOR <+!+> (FUNCTION = f, LEFTARG = text, RIGHTARG = text)`,
			"SELECT 'a' <+!+> 'b'", `CREATE OR REPLACE FUNCTION f(text, text) RETURNS text STABLE LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN $2; END'`, "it has EXECUTE"},
		"an operator": {`CREATE FUNCTION f(text, text) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1'; CREATE OPERATOR <+!+> (FUNCTION = f, LEFTARG = text, RIGHTARG = text)`,
			"SELECT 7 <+!+> 7", `CREATE FUNCTION g(int, int) RETURNS int STABLE LANGUAGE plpgsql AS 'BEGIN EXECUTE ''SELECT 1''; RETURN $2; END'; CREATE OPERATOR <+!+> (FUNCTION = g, LEFTARG = int, RIGHTARG = int)`, "it has EXECUTE"},
		"an operator meant without being written": {`CREATE TYPE n AS (n int)`, "SELECT 1",
			`CREATE FUNCTION same(n, n) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN true; END'; CREATE OPERATOR = (FUNCTION = same, LEFTARG = n, RIGHTARG = n)`, "it has EXECUTE"},
		"a cast": {`CREATE TYPE wrapped AS (n int)`, "SELECT 1",
			`CREATE FUNCTION unwrap(wrapped) RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(1); SELECT $1.n'; CREATE CAST (wrapped AS int) WITH FUNCTION unwrap(wrapped) AS IMPLICIT`, "pg_advisory_lock is not run"},
		"a cast's function": {`CREATE TYPE wrapped AS (n int); CREATE FUNCTION unwrap(wrapped) RETURNS int LANGUAGE sql AS 'SELECT $1.n'; CREATE CAST (wrapped AS int) WITH FUNCTION unwrap(wrapped) AS IMPLICIT`, "SELECT 1",
			`CREATE OR REPLACE FUNCTION unwrap(wrapped) RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(1); SELECT $1.n'`, "pg_advisory_lock is not run"},
		"a domain": {`CREATE DOMAIN d AS int CHECK (VALUE > 0)`, "SELECT 1", `ALTER DOMAIN d ADD CHECK (pg_terminate_backend(VALUE)) NOT VALID`, "pg_terminate_backend is not run"},
		"a domain's function": {`CREATE FUNCTION fits(int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 > 0'; CREATE DOMAIN d AS int CHECK (fits(VALUE))`, "SELECT 1",
			`CREATE OR REPLACE FUNCTION fits(int) RETURNS boolean LANGUAGE sql AS 'SELECT pg_notify(''c'', ''x'') IS NULL'`, "pg_notify is not run"},
		"a view": {`CREATE VIEW v AS SELECT 1 AS one`, "SELECT * FROM v", `CREATE OR REPLACE VIEW v AS SELECT 1 AS one FROM pg_advisory_lock(1)`, "pg_advisory_lock is not run"},
		"a view below a view": {`CREATE VIEW v AS SELECT 1 AS one; CREATE VIEW w AS SELECT * FROM v`, "SELECT * FROM w",
			`CREATE OR REPLACE VIEW v AS SELECT 1 AS one FROM pg_sleep(0)`, "pg_sleep is not run, and the view v, the view w would run it"},
		"an aggregate": {`CREATE AGGREGATE most(int) (SFUNC = int4larger, STYPE = int)`, "SELECT most(1)",
			`CREATE FUNCTION takes(int, int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1 FROM pg_advisory_lock(1)'; CREATE OR REPLACE AGGREGATE most(int) (SFUNC = takes, STYPE = int)`, "pg_advisory_lock is not run"},
		"a row security policy": {`CREATE TABLE t (a int); ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (a > 0); CREATE VIEW v AS SELECT * FROM t`, "SELECT * FROM v",
			`ALTER POLICY p ON t USING (pg_sleep(0) IS NOT NULL)`, "pg_sleep is not run"},
		"a table that was plain":            {`CREATE TABLE t (a int)`, "SELECT * FROM t", `DROP TABLE t; CREATE VIEW t AS SELECT 1 AS a FROM pg_advisory_lock(1)`, "pg_advisory_lock is not run"},
		"a table's index":                   {`CREATE TABLE t (a int)`, "SELECT * FROM t WHERE a = 1", `CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN EXECUTE ''SELECT 1''; RETURN $1; END'; CREATE INDEX ON t (f(a))`, "it has EXECUTE"},
		"a table's heirs":                   {`CREATE TABLE t (a int)`, "SELECT * FROM t WHERE a = 1", `CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN EXECUTE ''SELECT 1''; RETURN $1; END'; CREATE TABLE u () INHERITS (t); CREATE INDEX ON u (f(a))`, "it has EXECUTE"},
		"what a name of the server's means": {``, "SELECT lower('A')", `CREATE FUNCTION public.lower(int) RETURNS int LANGUAGE sql AS 'SELECT $1'`, "lower is not run"},
		"a column that is a function":       {`CREATE TABLE t (a int, b int)`, "SELECT t.b FROM t", `ALTER TABLE t DROP b; CREATE FUNCTION b(t) RETURNS int LANGUAGE sql AS 'SELECT 1'`, "b is not run"},
		"a function of the server":          {``, "SELECT lower('A')", `UPDATE pg_proc SET provolatile = 'v' WHERE oid = 'lower(text)'::regprocedure`, "lower is not run"},
	}) {
		t.Run(what, func(t *testing.T) {
			s := postgresServed(t, tt.before)
			c := s.connect(t)
			if remembered(t, c.(*postgresDatabase), tt.query) {
				known++
			}
			s.Exec(t, tt.change)
			for range 2 { // the second where others have found the new state
				r := ask(t, c, tt.query)
				assert.True(t, r.IsError)
				assert.Contains(t, r.Content[0], "refused (function): ")
				assert.Contains(t, r.Content[0], tt.want)
				for range 5 {
					_ = ask(t, c, "VALUES (1)")
				}
			}
		})
	}
	if long.Thorough() {
		assert.GreaterOrEqual(t, known, 5, "queries whose names were all remembered")
	}
}

// remembered asks until everything of a query is remembered that can be, and
// reports whether all its names are known. Others may write to the server,
// which has all of it forgotten.
func remembered(t *testing.T, d *postgresDatabase, query string) bool {
	t.Helper()
	p, refusal := readonly.ParsePostgres(query, false)
	require.Nil(t, refusal)
	for n := range 300 {
		r := ask(t, d, query)
		require.False(t, strings.HasPrefix(r.Content[0], "refused"), r.Content)
		c, maybe := readonly.NewPostgresReach(nil, &d.memory).Certain(p)
		switch {
		case maybe && c.Known:
			return true
		case !maybe && n >= 8: // it is doubtful, or nothing stays as it is
			return false
		}
	}
	return false
}

// Another server may name its state as this one did: what was known of one that
// is gone is forgotten.
func TestWhatIsKnownIsForgottenWithALostConnection(t *testing.T) {
	s := postgresServed(t, "")
	d := s.connect(t).(*postgresDatabase)
	require.True(t, remembered(t, d, "SELECT 1"))
	p, _ := readonly.ParsePostgres("SELECT 1", false)
	c, _ := readonly.NewPostgresReach(nil, &d.memory).Certain(p)
	assert.Contains(t, c.State, s.Address.Database, "a state is one of a database")
	var start string
	require.NoError(t, s.Owner.QueryRow("SELECT date_part('epoch', pg_postmaster_start_time())::text").Scan(&start))
	assert.Contains(t, c.State, start, "and of a server")
	s.Exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	require.False(t, ask(t, d, "SELECT 1").IsError, "on another connection")
	_, maybe := readonly.NewPostgresReach(nil, &d.memory).Certain(p)
	assert.False(t, maybe)
}

// TestATransactionThatWasUnderWayIsSeen: it had begun, and had a number, before
// the query that remembers.
func TestATransactionThatWasUnderWayIsSeen(t *testing.T) {
	s := postgresServed(t, "CREATE TYPE wrapped AS (n int)")
	c := s.connect(t)
	tx, err := s.Owner.Begin()
	require.NoError(t, err)
	defer tx.Rollback()
	_, err = tx.Exec(`CREATE FUNCTION unwrap(wrapped) RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(1); SELECT $1.n'; CREATE CAST (wrapped AS int) WITH FUNCTION unwrap(wrapped) AS IMPLICIT`)
	require.NoError(t, err)
	for range 3 {
		require.False(t, ask(t, c, "SELECT 1").IsError)
	}
	require.NoError(t, tx.Commit())
	assert.Contains(t, ask(t, c, "SELECT 1").Content[0], "refused (function): pg_advisory_lock is not run")
}

// TestASessionKeepsNothingPreparedButTheGuards: what a query might leave
// prepared could be meant by a later one of the guard's.
func TestASessionKeepsNothingPreparedButTheGuards(t *testing.T) {
	s, _ := postgresGuarded(t)
	s.Exec(t, `CREATE FUNCTION prepares(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN PREPARE left_behind AS SELECT 1; RETURN $1; END';
		CREATE FUNCTION forgets(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN IF true THEN DEALLOCATE ALL; END IF; RETURN $1; END';
		CREATE OPERATOR <+#+> (FUNCTION = prepares, LEFTARG = text, RIGHTARG = text);
		CREATE OPERATOR <-#-> (FUNCTION = forgets, LEFTARG = text, RIGHTARG = text)`)
	d, err := OpenPostgres(s.Address)
	require.NoError(t, err)
	defer d.Close()
	pool := d.(*postgresDatabase).pool
	pool.SetMaxOpenConns(1)
	prepared := func() (ours, others int) {
		require.NoError(t, pool.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE name LIKE 'berth\_%' AND NOT from_sql),
			count(*) FILTER (WHERE name NOT LIKE 'berth\_%' AND name <> '' OR from_sql) FROM pg_prepared_statements`).Scan(&ours, &others))
		return ours, others
	}
	queries := append(corpus(t, "postgres.txt", s.Address.Database), corpus(t, "postgres_harmless.txt", s.Address.Database)...)
	queries = append(queries, "PREPARE x AS SELECT 1", "SELECT 'a' <+#+> 'b'", "SELECT 'a' <-#-> 'b'", "DEALLOCATE ALL", "SELECT 1; PREPARE x AS SELECT 1", "DISCARD ALL", "EXECUTE x")
	for _, query := range queries {
		_ = d.Query(t.Context(), query, rowset.NewReply(10, 1<<16)) // refused or harmless
		_, others := prepared()
		require.Zero(t, others, query)
	}
	ours, _ := prepared()
	assert.Positive(t, ours, "the guard's questions are kept")
	assert.LessOrEqual(t, ours, 32, "no statement is prepared twice")
	for _, operator := range []string{"<+#+>", "<-#->"} {
		assert.ErrorContains(t, d.Query(t.Context(), "SELECT 'a' "+operator+" 'b'", rowset.NewReply(10, 1<<16)), "refused (function)")
	}
	s.Exec(t, "SELECT 1")
	_, err = pool.ExecContext(t.Context(), "PREPARE seen AS SELECT 1")
	require.NoError(t, err)
	_, others := prepared()
	assert.Equal(t, 1, others, "one would have been seen")
}

// TestASessionThatForgotWhatWasPreparedGoesOn: a pooler may give every
// transaction another session.
func TestASessionThatForgotWhatWasPreparedGoesOn(t *testing.T) {
	s := postgresServed(t, "")
	d, err := OpenPostgres(s.Address)
	require.NoError(t, err)
	defer d.Close()
	pool := d.(*postgresDatabase).pool
	pool.SetMaxOpenConns(1)
	for range 3 {
		require.NoError(t, d.Query(t.Context(), "SELECT 1 AS one", rowset.NewReply(10, 1<<16)))
		_, err = pool.ExecContext(t.Context(), "DEALLOCATE ALL")
		require.NoError(t, err)
	}
	assert.True(t, d.(*postgresDatabase).unkept.Load())
}

// TestTheGuardAsksByTheServersOwnOperators: a search path may put somebody's =
// before the server's, and the guard would not find what it looks for.
func TestTheGuardAsksByTheServersOwnOperators(t *testing.T) {
	s := postgresServed(t, "")
	db := s.Address.Database
	s.Exec(t, `CREATE SCHEMA evil; CREATE TABLE public.t (a int);
		CREATE FUNCTION evil.never(name, name) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT false';
		CREATE FUNCTION evil.never(name, text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT false';
		CREATE FUNCTION evil.never(oid, oid) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT false';
		CREATE FUNCTION evil.never(oid, int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT false';
		CREATE OPERATOR evil.= (FUNCTION = evil.never, LEFTARG = name, RIGHTARG = name);
		CREATE OPERATOR evil.= (FUNCTION = evil.never, LEFTARG = name, RIGHTARG = text);
		CREATE OPERATOR evil.= (FUNCTION = evil.never, LEFTARG = oid, RIGHTARG = oid);
		CREATE OPERATOR evil.>= (FUNCTION = evil.never, LEFTARG = oid, RIGHTARG = int);
		CREATE OPERATOR evil.>= (FUNCTION = evil.never, LEFTARG = oid, RIGHTARG = oid);
		CREATE VIEW evil.v AS SELECT 1 AS one FROM pg_advisory_lock(1);
		ALTER DATABASE `+db+` SET search_path = evil, pg_catalog, public`)
	c := s.connect(t)
	for _, query := range []string{"SELECT pg_advisory_lock(1)", "SELECT nextval('s')", "SELECT * FROM evil.v"} {
		assert.Contains(t, ask(t, c, query).Content[0], "refused (", query)
	}
}
