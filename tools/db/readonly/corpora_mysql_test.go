package readonly_test

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
)

// mysqlState are queries of what must not change, by aspects. Each gives rows
// of texts.
var mysqlState = map[string]string{
	"catalogue": `SELECT TABLE_NAME, TABLE_TYPE, COALESCE(AUTO_INCREMENT, 0), TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
UNION ALL SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('t', 'audit', 'old', 'kinds')
UNION ALL SELECT ROUTINE_NAME, ROUTINE_TYPE, LAST_ALTERED, '' FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()
UNION ALL SELECT EVENT_NAME, '', '', '' FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE()`,
	"sequences": "SELECT next_not_cached_value, cycle_count FROM s",
	"variables": "SHOW GLOBAL VARIABLES WHERE Variable_name NOT LIKE '%gtid%' AND Variable_name NOT LIKE '%log_pos%' AND Variable_name NOT IN ('timestamp', 'innodb_buffer_pool_load_at_startup')",
	"users":     "SELECT User, Host FROM mysql.user WHERE User LIKE 'berth_pwn%' UNION ALL SELECT name, dl FROM mysql.func",
	"locks":     "SELECT IS_USED_LOCK('{lock}') IS NOT NULL",
	"sessions":  "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = {victim}",
}

// mysqlWorld is a database with three logins, as postgresWorld is.
type mysqlWorld struct {
	server
	address dial.Address
	admin   *sql.DB
	config  *driversql.Config
	values  []string // of what a corpus has in braces
	owner   string
	reader  string
}

func newMySQLWorld(t *testing.T) mysqlWorld {
	t.Helper()
	admin, dsn := enginetest.MySQL().New(t)
	config, err := driversql.ParseDSN(dsn)
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(config.Addr)
	require.NoError(t, err)
	number, err := strconv.Atoi(port)
	require.NoError(t, err)
	name := config.DBName
	dir := openDir(t)
	w := mysqlWorld{admin: admin, config: config, owner: "co_" + name[len(name)-12:], reader: "cr_" + name[len(name)-12:],
		address: dial.Address{Host: host, Port: number, User: config.User, Password: constant(config.Passwd), Database: name}}
	// The server's variables are everybody's, and a statement of the corpus sets
	// one past the guards: of all processes that test on this server, one at a
	// time sets them or holds that they stay.
	require.Equal(t, "1", w.one(t, w.connect(t, ""), "SELECT GET_LOCK('berth_test_global_variables', 900)"))
	victim := w.connect(t, "")
	w.values = []string{"{db}", name, "{lock}", "pwn_" + name, "{dir}", dir, "{victim}", w.one(t, victim, "SELECT CONNECTION_ID()")}
	w.logins(t)
	w.state = func(t testing.TB) map[string]string {
		state := map[string]string{"files": filesIn(t, dir), "rows": w.rows(t)}
		for aspect, query := range mysqlState {
			rows, err := rowsOfMySQL(t.Context(), admin, strings.NewReplacer(w.values...).Replace(query))
			require.NoError(t, err, aspect)
			state[aspect] = strings.Join(rows, "\n")
		}
		return state
	}
	return w
}

// logins makes the owner, who makes everything, and the plain login.
func (w mysqlWorld) logins(t testing.TB) {
	t.Helper()
	for _, user := range []string{w.owner, w.reader} {
		w.exec(t, w.admin, fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED BY 'corpus'", user))
		t.Cleanup(func() { _, _ = w.admin.Exec(fmt.Sprintf("DROP USER '%s'@'%%'", user)) })
	}
	w.exec(t, w.admin, fmt.Sprintf("GRANT ALL ON *.* TO '%s'@'%%' WITH GRANT OPTION", w.owner))
	owner := w.connect(t, w.owner)
	name := w.address.Database
	t.Cleanup(func() {
		for _, made := range []string{"FUNCTION sys.pwn_" + name, "VIEW sys.pwn_v_" + name, "VIEW mysql.pwn_v_" + name} {
			_, _ = w.admin.Exec("DROP " + made)
		}
	})
	for _, file := range []string{"mysql.sql", "corpus/mysql.sql"} {
		for _, statement := range strings.Split(strings.NewReplacer(w.values...).Replace(readFile(t, file)), ";;\n") {
			if strings.TrimSpace(statement) != "" {
				w.exec(t, owner, statement)
			}
		}
	}
	w.exec(t, w.admin, fmt.Sprintf("REVOKE ALL PRIVILEGES, GRANT OPTION FROM '%s'@'%%'", w.owner))
	w.exec(t, w.admin, fmt.Sprintf("GRANT ALL ON `%s`.* TO '%s'@'%%'", name, w.owner))
	w.exec(t, w.admin, fmt.Sprintf("GRANT SELECT, SHOW VIEW, EXECUTE ON `%s`.* TO '%s'@'%%'", name, w.reader))
	require.NoError(t, owner.Close())
}

func (w mysqlWorld) exec(t testing.TB, conn *sql.DB, statement string) {
	t.Helper()
	_, err := conn.ExecContext(t.Context(), statement)
	require.NoError(t, err, statement)
}

// connect opens one connection as a login, past berth; "" is the superuser.
func (w mysqlWorld) connect(t testing.TB, user string) *sql.DB {
	t.Helper()
	config := w.config.Clone()
	if user != "" {
		config.User, config.Passwd = user, "corpus"
	}
	connector, err := driversql.NewConnector(config)
	require.NoError(t, err)
	conn := sql.OpenDB(connector)
	conn.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func (w mysqlWorld) one(t testing.TB, conn *sql.DB, query string) (text string) {
	t.Helper()
	require.NoError(t, conn.QueryRowContext(t.Context(), query).Scan(&text))
	return text
}

// rows are digests of the rows of every table.
func (w mysqlWorld) rows(t testing.TB) string {
	t.Helper()
	names, err := rowsOfMySQL(t.Context(), w.admin, "SELECT CONCAT('`', REPLACE(TABLE_NAME, '`', '``'), '`') FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'")
	require.NoError(t, err)
	sums, err := rowsOfMySQL(t.Context(), w.admin, "CHECKSUM TABLE "+strings.Join(names, ", "))
	require.NoError(t, err)
	return strings.Join(sums, "\n")
}

// rowsOfMySQL runs a statement and returns its rows as texts, sorted.
func rowsOfMySQL(ctx context.Context, conn *sql.DB, statement string) ([]string, error) {
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	all := []string{}
	for rows.Next() {
		raw, pointers, texts := make([]sql.RawBytes, len(types)), make([]any, len(types)), make([]string, len(types))
		for i := range raw {
			pointers[i] = &raw[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		for i, v := range raw {
			switch {
			case v == nil:
				texts[i] = "∅"
			case strings.Contains(types[i].DatabaseTypeName(), "BINARY") || strings.Contains(types[i].DatabaseTypeName(), "BLOB"):
				texts[i] = `\x` + hex.EncodeToString(v)
			default:
				texts[i] = plain(string(v))
			}
		}
		all = append(all, strings.Join(texts, "|"))
	}
	slices.Sort(all)
	return all, rows.Err()
}

func (w mysqlWorld) statements(t testing.TB) []marked {
	t.Helper()
	return readCorpus(t, "mysql.txt", w.values...)
}

func TestTheCorpusOfMySQL(t *testing.T) {
	w := newMySQLWorld(t)
	for login, user := range map[string]string{"superuser": "", "owner": w.owner, "plain": w.reader} {
		t.Run(login, func(t *testing.T) {
			cfg := pool.Config{Name: "app", Dialect: "mysql", Address: w.address}
			if user != "" {
				cfg.Address.User, cfg.Address.Password = user, constant("corpus")
			}
			s, conn := w.server, w.connect(t, user)
			s.direct = func(statement string) ([]string, error) { return rowsOfMySQL(t.Context(), conn, statement) }
			nothingIsWrong(t, s, asker{login: login, ask: through(t, t.TempDir(), cfg)}, w.statements(t))
		})
	}
}

// TestTheCorpusOfMySQLSeesChanges: see TestTheCorpusOfPostgreSQLSeesChanges.
func TestTheCorpusOfMySQLSeesChanges(t *testing.T) {
	w := newMySQLWorld(t)
	conn := w.connect(t, "")
	before := w.one(t, w.admin, "SELECT @@GLOBAL.max_connect_errors")
	t.Cleanup(func() { _, _ = w.admin.Exec("SET GLOBAL max_connect_errors = " + before) })
	everyChangeIsSeen(t, w.server, asker{login: "superuser", patience: time.Second, ask: past(func(ctx context.Context, statement string) error {
		_, err := rowsOfMySQL(ctx, conn, statement)
		return err
	})}, w.statements(t))
}
