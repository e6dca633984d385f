package readonly_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// postgresState selects what must not change: the rows of every table with the
// sequences', the catalogues by what wrote them last, settings, the cluster,
// locks and sessions.
const postgresState = `SELECT 'rows', (SELECT string_agg(c.oid::regclass || ' ' || query_to_xml(format('SELECT md5(string_agg(ROW(x.*)::text, ''|'')) AS d FROM %s x', c.oid::regclass), false, true, '')::text, ';' ORDER BY c.oid)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm', 'S') AND c.oid >= 16384 AND n.nspname !~ '^pg_')
UNION ALL SELECT 'catalogue', (SELECT string_agg(format('%s %s %s', name, n, last), ';') FROM (
  SELECT 'class' AS name, count(*) AS n, sum(xmin::text::bigint) AS last FROM pg_class UNION ALL SELECT 'attribute', count(*), sum(xmin::text::bigint) FROM pg_attribute
  UNION ALL SELECT 'proc', count(*), sum(xmin::text::bigint) FROM pg_proc UNION ALL SELECT 'type', count(*), sum(xmin::text::bigint) FROM pg_type
  UNION ALL SELECT 'constraint', count(*), sum(xmin::text::bigint) FROM pg_constraint UNION ALL SELECT 'description', count(*), sum(xmin::text::bigint) FROM pg_description
  UNION ALL SELECT 'depend', count(*), sum(xmin::text::bigint) FROM pg_depend UNION ALL SELECT 'namespace', count(*), sum(xmin::text::bigint) FROM pg_namespace
  UNION ALL SELECT 'extension', count(*), sum(xmin::text::bigint) FROM pg_extension UNION ALL SELECT 'large', count(*), sum(xmin::text::bigint) FROM pg_largeobject_metadata
  UNION ALL SELECT 'statistic', count(*), sum(xmin::text::bigint) FROM pg_statistic WHERE starelid >= 16384 UNION ALL SELECT 'policy', count(*), sum(xmin::text::bigint) FROM pg_policy) c)
UNION ALL SELECT 'settings', concat((SELECT string_agg(s::text, '|') FROM pg_db_role_setting s WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())), pg_conf_load_time())
UNION ALL SELECT 'cluster', concat_ws(' ', (SELECT count(*) FROM pg_roles WHERE rolname LIKE 'berth_pwn%'), (SELECT count(*) FROM pg_database WHERE datname LIKE 'berth_pwn%'),
  (SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'berth_pwn%'), (SELECT count(*) FROM pg_prepared_xacts WHERE gid LIKE 'berth_pwn%'),
  (SELECT count(*) FROM pg_replication_origin WHERE roname = 'berth_pwn_' || current_database()), (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()))
UNION ALL SELECT 'locks', (SELECT string_agg(concat_ws(' ', classid, objid, mode), ';' ORDER BY classid, objid, mode) FROM pg_locks
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
UNION ALL SELECT 'sessions', (SELECT string_agg(pid || ' ' || state, ';') FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'victim')`

// postgresSession selects what a session must be like after a statement. The
// time limits are what is left of the call's, and settings with a point come
// with libraries.
const postgresSession = `SELECT (SELECT md5(string_agg(name || '=' || setting, ',' ORDER BY name)) FROM pg_settings WHERE name !~ 'timeout|[.]'),
(SELECT count(*) FROM pg_prepared_statements WHERE name !~ '^berth_' AND name <> ''), (SELECT string_agg(c, ',') FROM pg_listening_channels() c),
(SELECT count(*) FROM pg_cursors WHERE name !~ '^berth_'), current_user, session_user, (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())`

// postgresWorld is a database with three logins: the server's superuser, the
// owner of the database and of all in it, and one that may read tables.
type postgresWorld struct {
	server
	address dial.Address
	admin   *sql.DB
	dsn     string
	dir     string
	victim  string // the number of a session that somebody might end
}

func newPostgresWorld(t *testing.T) postgresWorld {
	t.Helper()
	admin, dsn := enginetest.Postgres().New(t)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	port, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	password, _ := u.User.Password()
	w := postgresWorld{admin: admin, dsn: dsn, dir: openDir(t), address: dial.Address{Host: u.Hostname(), Port: port, User: u.User.Username(),
		Password: constant(password), Database: strings.TrimPrefix(u.Path, "/"), SSLMode: u.Query().Get("sslmode")}}
	w.logins(t, "berth_corpus_owner_"+w.address.Database, "berth_corpus_plain_"+w.address.Database)
	heard := w.attend(t)
	w.state = func(t testing.TB) map[string]string {
		state := map[string]string{"files": filesIn(t, w.dir), "notifications": heard()}
		rows, err := admin.QueryContext(t.Context(), postgresState)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var aspect string
			var text sql.NullString
			require.NoError(t, rows.Scan(&aspect, &text))
			state[aspect] = text.String
		}
		require.NoError(t, rows.Err())
		return state
	}
	return w
}

// logins makes the owner and the plain login. The owner makes everything, with
// rights that are taken from it then: some of it only a superuser may make.
func (w postgresWorld) logins(t testing.TB, owner, reader string) {
	t.Helper()
	w.exec(t, w.admin, fmt.Sprintf("CREATE ROLE %s LOGIN SUPERUSER PASSWORD 'corpus'; CREATE ROLE %s LOGIN PASSWORD 'corpus'; ALTER DATABASE %s OWNER TO %[1]s", owner, reader, w.address.Database))
	t.Cleanup(func() {
		for _, role := range []string{owner, reader} {
			_, _ = w.admin.Exec("REASSIGN OWNED BY " + role + " TO CURRENT_USER; DROP OWNED BY " + role + "; DROP ROLE " + role)
		}
	})
	conn, err := w.connect(t, owner)
	require.NoError(t, err)
	for _, file := range []string{"postgres.sql", "corpus/postgres.sql"} {
		_, err = conn.Exec(t.Context(), strings.ReplaceAll(readFile(t, file), "{dir}", w.dir))
		require.NoError(t, err, file)
	}
	require.NoError(t, conn.Close(t.Context()))
	w.exec(t, w.admin, fmt.Sprintf("ALTER ROLE %s NOSUPERUSER; GRANT SELECT ON ALL TABLES IN SCHEMA public TO %s; GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO %[2]s", owner, reader))
}

func (w postgresWorld) exec(t testing.TB, conn *sql.DB, script string) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), script)
	require.NoError(t, err)
}

// connect connects as a login, past berth; "" is the superuser.
func (w postgresWorld) connect(t testing.TB, login string) (*pgx.Conn, error) {
	t.Helper()
	u, err := url.Parse(w.dsn)
	require.NoError(t, err)
	if login != "" {
		u.User = url.UserPassword(login, "corpus")
	}
	conn, err := pgx.Connect(t.Context(), u.String())
	if err == nil {
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
	}
	return conn, err
}

// attend has a session that somebody might end, and that listens.
func (w *postgresWorld) attend(t testing.TB) (heard func() string) {
	t.Helper()
	conn, err := w.connect(t, "")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SET application_name = 'victim'; LISTEN c")
	require.NoError(t, err)
	w.victim = strconv.Itoa(int(conn.PgConn().PID()))
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex
	var all []string
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, n.Payload)
			mu.Unlock()
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(all, ", ")
	}
}

func (w postgresWorld) statements(t testing.TB) []marked {
	t.Helper()
	return readCorpus(t, "postgres.txt", "{db}", w.address.Database, "{dir}", w.dir, "{victim}", w.victim)
}

// asker asks through berth; user "" is the superuser.
func (w postgresWorld) asker(t testing.TB, login, user string) asker {
	t.Helper()
	cfg := pool.Config{Name: "app", Dialect: "postgres", Address: w.address}
	if user != "" {
		cfg.Address.User, cfg.Address.Password = user, constant("corpus")
	}
	ask := through(t, t.TempDir(), cfg)
	return asker{login: login, ask: ask, session: func(t testing.TB) string {
		r := ask(postgresSession)
		require.False(t, r.IsError, r.Content)
		rows, err := rowsOf(r.Content[0])
		require.NoError(t, err)
		return strings.Join(rows, "\n")
	}}
}

// rowsOfPostgres runs a statement and returns its rows.
func rowsOfPostgres(ctx context.Context, conn *pgx.Conn, statement string) ([]string, error) {
	results, err := conn.PgConn().Exec(ctx, statement).ReadAll()
	if err != nil {
		return nil, err
	}
	rows := []string{}
	for _, result := range results {
		for _, row := range result.Rows {
			texts := make([]string, len(row))
			for i, v := range row {
				if texts[i] = "∅"; v != nil {
					texts[i] = plain(string(v))
				}
			}
			rows = append(rows, strings.Join(texts, "|"))
		}
	}
	slices.Sort(rows)
	return rows, nil
}

func TestTheCorpusOfPostgreSQL(t *testing.T) {
	w := newPostgresWorld(t)
	for login, user := range map[string]string{"superuser": "", "owner": "berth_corpus_owner_" + w.address.Database, "plain": "berth_corpus_plain_" + w.address.Database} {
		t.Run(login, func(t *testing.T) {
			conn, err := w.connect(t, user)
			require.NoError(t, err)
			s := w.server
			s.direct = func(statement string) ([]string, error) { return rowsOfPostgres(t.Context(), conn, statement) }
			nothingIsWrong(t, s, w.asker(t, login, user), w.statements(t))
		})
	}
}

// TestTheCorpusOfPostgreSQLSeesChanges: a comparison that sees nothing would
// hold whatever the guards let through.
func TestTheCorpusOfPostgreSQLSeesChanges(t *testing.T) {
	w := newPostgresWorld(t)
	conn, err := w.connect(t, "")
	require.NoError(t, err)
	t.Cleanup(func() { // it belongs to the whole server
		_, _ = w.admin.Exec("SELECT pg_replication_origin_drop('berth_pwn_' || current_database())")
	})
	unguarded := asker{login: "superuser", patience: 2 * time.Second, ask: past(func(ctx context.Context, statement string) error {
		_, err := conn.PgConn().Exec(ctx, statement).ReadAll()
		return err
	}), session: func(t testing.TB) string {
		rows, err := rowsOfPostgres(t.Context(), conn, postgresSession)
		require.NoError(t, err)
		return strings.Join(rows, "\n")
	}}
	everyChangeIsSeen(t, w.server, unguarded, w.statements(t))
}

func constant(password string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return password, nil }
}
