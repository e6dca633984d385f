package driver

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// sessionStates are the kinds of state that a session of PostgreSQL has: how
// one comes to be, and a query whose answer it changes. DISCARD ALL of every
// version ends the same, and berth's end but one: what is prepared, with the
// plans, which are berth's own (see TestASessionKeepsNothingPreparedButTheGuards).
var sessionStates = []struct{ name, make, ask string }{
	{"a transaction", "BEGIN; SELECT 1", "SELECT pg_catalog.now() <> pg_catalog.statement_timestamp()"},
	{"the transaction's kind", "BEGIN ISOLATION LEVEL SERIALIZABLE, READ ONLY", "SELECT pg_catalog.current_setting('transaction_isolation'), pg_catalog.current_setting('transaction_read_only')"},
	{"the kind of later transactions", "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY", "SELECT pg_catalog.current_setting('transaction_isolation'), pg_catalog.current_setting('transaction_read_only')"},
	{"a cursor that outlives its transaction", "BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT 1; COMMIT", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_cursors WHERE name = 'c'"},
	{"a role", "SET ROLE {role}", "SELECT current_user"},
	{"another login", "SET SESSION AUTHORIZATION {role}", "SELECT session_user, current_user"},
	{"a setting", "SET search_path = pg_temp; SET statement_timeout = 12345; SET TimeZone = 'Asia/Tokyo'; SET default_transaction_read_only = on",
		"SELECT pg_catalog.string_agg(name || '=' || setting, ',' ORDER BY name) FROM pg_catalog.pg_settings WHERE context IN ('user', 'superuser')"},
	{"a setting of somebody's own", "SET berth_test.own = 'x'", "SELECT coalesce(pg_catalog.current_setting('berth_test.own', true), '')"},
	{"a setting by a function", "SELECT pg_catalog.set_config('work_mem', '77MB', false)", "SELECT pg_catalog.current_setting('work_mem')"},
	{"a channel", "LISTEN berth_test", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_listening_channels()"},
	{"a lock", "SELECT pg_catalog.pg_advisory_lock(7), pg_catalog.pg_advisory_lock_shared(8)", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND pid = pg_catalog.pg_backend_pid()"},
	{"a lock of a transaction", "BEGIN; LOCK TABLE locked", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_locks WHERE relation = 'public.locked'::regclass AND pid = pg_catalog.pg_backend_pid()"},
	{"a temporary table", "CREATE TEMP TABLE pg_class (a int)", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_class WHERE relnamespace = pg_catalog.pg_my_temp_schema()"},
	{"a temporary function", "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_proc WHERE pronamespace = pg_catalog.pg_my_temp_schema()"},
	{"a temporary type", "CREATE TYPE pg_temp.t AS ENUM ('a')", "SELECT pg_catalog.count(*) FROM pg_catalog.pg_type WHERE typnamespace = pg_catalog.pg_my_temp_schema()"},
	{"what a sequence gave last", "SELECT pg_catalog.nextval('public.counted')", "SELECT pg_catalog.lastval()"},
	{"values of a sequence kept ahead", "ALTER SEQUENCE public.counted CACHE 10; SELECT pg_catalog.nextval('public.counted')", "SELECT pg_catalog.currval('public.counted')"},
}

// A session that ends is as one in which nothing happened, for every kind of
// state there is; and each would be seen.
func TestTheEndOfASessionLeavesNoState(t *testing.T) {
	s := postgresServed(t, "CREATE TABLE locked (a int); CREATE SEQUENCE counted")
	role := s.Ordinary(t).User
	d := s.connect(t).(*postgresDatabase)
	d.pool.SetMaxOpenConns(1)
	pooled, err := d.pool.Conn(t.Context())
	require.NoError(t, err)
	defer pooled.Close()
	require.NoError(t, pooled.Raw(func(dc any) error {
		conn := dc.(*safedriver.Conn).Unwrap().(*stdlib.Conn).Conn().PgConn()
		for _, state := range sessionStates {
			t.Run(state.name, func(t *testing.T) { leavesNothing(t, d, dc, conn, role, state.make, state.ask) })
		}
		return nil
	}))
}

// leavesNothing makes a state, asks for it, ends the session and asks again.
func leavesNothing(t *testing.T, d *postgresDatabase, dc any, conn *pgconn.PgConn, role, makes, asks string) {
	ask := func() (answer []string) {
		results, err := conn.Exec(t.Context(), asks).ReadAll()
		if err != nil {
			return []string{err.Error()}
		}
		for _, row := range results[0].Rows {
			for _, v := range row {
				answer = append(answer, string(v))
			}
		}
		return answer
	}
	end := func() {
		session := d.session(dc)
		require.True(t, session.end(context.Background()), "the session can be used again")
		require.Equal(t, byte('I'), conn.TxStatus())
	}
	end()
	before := ask()
	for _, statement := range strings.Split(strings.ReplaceAll(makes, "{role}", role), "; ") {
		_, err := conn.Exec(t.Context(), statement).ReadAll()
		require.NoError(t, err, statement)
	}
	require.NotEqual(t, before, ask(), "the state would be seen")
	end()
	assert.Equal(t, before, ask())
	_, err := conn.Exec(t.Context(), "DISCARD ALL").ReadAll()
	require.NoError(t, err)
	assert.Equal(t, before, ask(), "as after DISCARD ALL")
	keptOf(conn).prepared = map[string]string{} // which that has ended
}
