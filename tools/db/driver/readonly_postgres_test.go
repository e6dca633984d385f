package driver

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// postgresFingerprint is what must not change: rows, sequences, catalogues,
// large objects, settings, statistics, locks, other sessions, files.
const postgresFingerprint = `SELECT jsonb_build_object(
'rows', (SELECT jsonb_object_agg(c.oid::regclass, query_to_xml(format('SELECT md5(string_agg(ROW(x.*)::text, ''|'')) FROM %s x', c.oid::regclass), false, true, '')::text)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm', 'S') AND n.nspname IN ('public', 'other')),
'catalog', (SELECT md5(string_agg(c::text, '|' ORDER BY oid)) FROM (SELECT oid, relname, relowner, relacl::text, relfilenode FROM pg_class WHERE oid >= 16384) c),
'objects', jsonb_build_array((SELECT count(*) FROM pg_attribute), (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_type), (SELECT count(*) FROM pg_namespace),
  (SELECT count(*) FROM pg_description), (SELECT count(*) FROM pg_largeobject_metadata), (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_depend)),
'settings', jsonb_build_array((SELECT md5(string_agg(s::text, '|')) FROM pg_db_role_setting s WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))), (SELECT md5(string_agg(f::text, '|')) FROM pg_file_settings f), pg_conf_load_time()),
'cluster', jsonb_build_array((SELECT count(*) FROM pg_roles WHERE rolname LIKE 'berth_pwn%'), (SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'berth_pwn%'),
  (SELECT count(*) FROM pg_prepared_xacts WHERE gid LIKE 'berth_pwn%'), (SELECT count(*) FROM pg_replication_origin WHERE roname IN ('berth_pwn', 'berth_pwn_' || current_database()))),
'statistics', (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()),
'locks', (SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE a.datname = current_database() AND a.application_name = 'berth'),
'advisory', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
'sessions', (SELECT array_agg(state ORDER BY pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'victim'))::text`

// postgresVictim is a session of the database that listens and holds a lock;
// it tells what it heard.
func postgresVictim(t *testing.T, s served) (heard func() []string) {
	t.Helper()
	a := s.Address
	parsed, err := pgx.ParseConfig(fmt.Sprintf("host='%s' port=%d user='%s' dbname='%s' sslmode='%s' application_name=victim",
		a.Host, a.Port, a.User, a.Database, cmp.Or(a.SSLMode, "prefer")))
	require.NoError(t, err)
	if a.Password != nil {
		parsed.Password, err = a.Password(t.Context())
		require.NoError(t, err)
	}
	conn, err := pgx.ConnectConfig(t.Context(), parsed)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	_, err = conn.Exec(t.Context(), "LISTEN c")
	require.NoError(t, err)
	return func() []string {
		var all []string
		for {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			n, err := conn.WaitForNotification(ctx)
			cancel()
			if err != nil {
				return all
			}
			all = append(all, n.Payload)
		}
	}
}

func postgresGuarded(t *testing.T) (s served, fingerprint func(testing.TB) string) {
	t.Helper()
	s = postgresServed(t, script(t, "postgres.sql"))
	return s, func(t testing.TB) string {
		var text string
		require.NoError(t, s.Owner.QueryRowContext(t.Context(), postgresFingerprint).Scan(&text))
		return text + strings.Join(planted(t), " ")
	}
}

func TestNothingGetsThroughToPostgreSQL(t *testing.T) {
	s, fingerprint := postgresGuarded(t)
	heard := postgresVictim(t, s)
	reader := s.Ordinary(t)
	t.Run("as an ordinary user", func(t *testing.T) {
		nothingGetsThrough(t, s, corpus(t, "postgres.txt", s.Address.Database), fingerprint, reader)
	})
	t.Run("as the owner and superuser", func(t *testing.T) {
		nothingGetsThrough(t, s, corpus(t, "postgres.txt", s.Address.Database), fingerprint)
	})
	assert.Empty(t, heard(), "no notification was sent")
	before := fingerprint(t)
	s.Exec(t, "SELECT nextval('s')")
	assert.NotEqual(t, before, fingerprint(t), "a change would have been seen")
	s.Exec(t, "NOTIFY c, 'heard'")
	assert.Equal(t, []string{"heard"}, heard(), "a notification would have been heard")
}

func TestHarmlessQueriesAreAdmittedOnPostgreSQL(t *testing.T) {
	s, fingerprint := postgresGuarded(t)
	t.Run("as the owner", func(t *testing.T) {
		harmlessIsAdmitted(t, s, corpus(t, "postgres_harmless.txt", s.Address.Database), fingerprint)
	})
	t.Run("as an ordinary user", func(t *testing.T) {
		harmlessIsAdmitted(t, s, corpus(t, "postgres_harmless.txt", s.Address.Database), fingerprint, s.Ordinary(t))
	})
}

func TestWhatNoQueryNamesIsJudgedToo(t *testing.T) {
	for what, script := range map[string]string{
		"an implicit cast": `CREATE TYPE wrapped AS (n int); CREATE FUNCTION unwrap(wrapped) RETURNS int LANGUAGE sql AS 'SELECT pg_advisory_lock(1); SELECT $1.n';
			CREATE CAST (wrapped AS int) WITH FUNCTION unwrap(wrapped) AS IMPLICIT`,
		"an operator that is meant without being written": `CREATE TYPE n AS (n int); CREATE FUNCTION same(n, n) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN true; END';
			CREATE OPERATOR = (FUNCTION = same, LEFTARG = n, RIGHTARG = n)`,
		"a domain that runs a function of the server": `CREATE DOMAIN dkill AS int CHECK (pg_terminate_backend(VALUE))`,
		"a domain that runs an operator":              `CREATE OPERATOR !!@ (RIGHTARG = bigint, FUNCTION = pg_try_advisory_lock); CREATE DOMAIN locking AS bigint CHECK (!!@ VALUE)`,
		"a cast that runs a function of the server":   `CREATE DOMAIN d AS bigint; CREATE TYPE box2 AS (n int); CREATE CAST (bigint AS boolean) WITH FUNCTION pg_try_advisory_lock(bigint) AS IMPLICIT`,
		"a domain": `CREATE FUNCTION fits(text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN PERFORM pg_notify(''c'', $1); RETURN true; END';
			CREATE DOMAIN fitting AS text CHECK (fits(VALUE))`,
		"a range": `CREATE TYPE span; CREATE FUNCTION distance(text, text) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT pg_advisory_lock(1); SELECT 1.0::float8';
			DROP TYPE span; CREATE TYPE span AS RANGE (SUBTYPE = text, SUBTYPE_DIFF = distance)`,
	} {
		t.Run(what, func(t *testing.T) {
			c := postgresServed(t, script).connect(t)
			r := ask(t, c, "SELECT 1")
			assert.True(t, r.IsError)
			assert.Contains(t, r.Content[0], "refused (function): ")
		})
	}
}

// TestAnOperatorThatIsNotUsedIsInNobodysWay: what nobody names does not run.
func TestAnOperatorThatIsNotUsedIsInNobodysWay(t *testing.T) {
	c := postgresServed(t, `CREATE FUNCTION runs(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN $2; END';
		CREATE OPERATOR <+!+> (FUNCTION = runs, LEFTARG = text, RIGHTARG = text)`).connect(t)
	r := ask(t, c, "SELECT 1 + 1")
	assert.False(t, r.IsError, r.Content)
	r = ask(t, c, "SELECT 'a' <+!+> 'b'")
	assert.Equal(t, []string{"refused (function): runs is not run, and the function runs, the operator <+!+> would run it: it has EXECUTE, and what that runs cannot be checked"}, r.Content)
}

// TestAnOperatorByAnotherName: the planner puts the negator for NOT, and runs
// what says of itself that it is immutable.
func TestAnOperatorByAnotherName(t *testing.T) {
	s := postgresServed(t, `CREATE FUNCTION tells(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_notify(''c'', $1); RETURN true; END';
		CREATE OPERATOR <!!> (FUNCTION = tells, LEFTARG = text, RIGHTARG = text);
		CREATE OPERATOR <##> (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text, NEGATOR = <!!>)`)
	heard := postgresVictim(t, s)
	r := ask(t, s.connect(t), "SELECT NOT ('a' <##> 'b')")
	assert.Contains(t, r.Content[0], "refused (function): pg_notify is not run, and the function tells, the operator <##> would run it")
	assert.Empty(t, heard())
}

func TestRefusalsOfPostgreSQLSayWhy(t *testing.T) {
	s, _ := postgresGuarded(t)
	c := s.connect(t)
	for query, want := range map[string]string{
		"DELETE FROM t":              "refused (reads only): run-query reads only, and DELETE changes data; execute-sql does that",
		"EXPLAIN ANALYZE SELECT 1":   "refused (explain): EXPLAIN ANALYZE runs the statement; leave ANALYZE out",
		"SELECT nextval('s')":        "refused (function): nextval is not run: the server says that it is volatile: it does more than compute from what it is given",
		"SELECT writes()":            "refused (function): writes is not run: it is not declared STABLE or IMMUTABLE, so it may write",
		"SELECT liar_deep()":         "refused (function): pg_advisory_lock is not run, and the function liar_plpgsql, the function liar_deep would run it: it takes or frees locks",
		"SELECT * FROM v_on_view":    "refused (function): pg_advisory_lock is not run, and the function liar, the view v_liar, the view v_on_view would run it: it takes or frees locks",
		"SELECT !!! 30::float8":      "refused (function): pg_sleep is not run, and the operator !!! would run it: it only waits",
		"SELECT * FROM ft_next":      `refused (foreign table): ft_next belongs to the wrapper "postgres_fdw", which is not known to read only`,
		"SELECT * FROM pg_shadow":    "refused (secrets): pg_shadow holds passwords, and run-query shows none; a person can read it with the server's own client",
		"SELECT * FROM programs":     "refused (foreign table): programs runs a program when it is read",
		"SELECT a FROM t FOR UPDATE": "refused (locks): FOR UPDATE locks rows, and run-query leaves no locks",
	} {
		assert.Equal(t, []string{want}, ask(t, c, query).Content, query)
	}
}

// TestTheEngineRefusesWhatTheGuardWouldHaveMissed makes the attempts past
// everything but the engine: the cursor and the transaction.
func TestTheEngineRefusesWhatTheGuardWouldHaveMissed(t *testing.T) {
	s, fingerprint := postgresGuarded(t)
	before := fingerprint(t)
	d, err := OpenPostgres(s.Address)
	require.NoError(t, err)
	defer d.Close()
	for _, query := range corpus(t, "postgres.txt", s.Address.Database) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		reads := strings.Contains(query, "/etc/passwd") || strings.Contains(query, "pg_stat_re") // no transaction stops these
		if upper := strings.ToUpper(query); !reads && !unstoppable(upper) {
			_ = d.(*postgresDatabase).guarded(ctx, func(ps *postgresSession) error {
				var fields []pgconn.FieldDescription
				if err := ps.run(ctx, describing(query, &fields)); err != nil {
					return err
				}
				return ps.cursor(ctx, query, fields, rowset.NewReply(10, 1<<16)) // refused or undone: the fingerprint shows
			})
			require.Equal(t, before, fingerprint(t), query)
		}
		cancel()
	}
}

// unstoppable reports functions that act outside of any transaction: only
// their names can be refused.
func unstoppable(query string) bool {
	for _, name := range []string{"BACKEND", "LO_EXPORT", "PG_FILE_", "RELOAD", "ROTATE", "WAL", "RESTORE_POINT", "BACKUP", "PROMOTE", "SLOT", "DBLINK", "EMIT",
		"PROGRAMS", "!!", "@!@", "@=@", "OPERATOR", "FT_NEXT", "SNAPSHOT", "SLEEP", "LOG_", "PREWARM"} {
		if strings.Contains(query, name) {
			return true
		}
	}
	return false
}

func TestASessionIsAsNewAfterAQuery(t *testing.T) {
	s, _ := postgresGuarded(t)
	d, err := OpenPostgres(s.Address)
	require.NoError(t, err)
	defer d.Close()
	pool := d.(*postgresDatabase).pool
	pool.SetMaxOpenConns(1)
	settings := func() (text string) {
		require.NoError(t, pool.QueryRowContext(t.Context(), `SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) ||
			(SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory') || pg_backend_pid() FROM pg_settings`).Scan(&text))
		return text
	}
	before := settings()
	require.NoError(t, d.(*postgresDatabase).guarded(t.Context(), func(ps *postgresSession) error {
		_, err := ps.Ask(t.Context(), readonly.CatalogQuery{SQL: "SELECT set_config('work_mem', '1MB', false), pg_advisory_lock(99)", Columns: 2})
		return err
	}))
	assert.Equal(t, before, settings())
}
