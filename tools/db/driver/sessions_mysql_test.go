package driver

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// waiting returns the sessions that wait for a query.
func (p *sessionsMySQL) waiting() []*mysqlSession {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*mysqlSession(nil), p.ready...)
}

// serving returns the number of the session that a query runs in.
func serving(t testing.TB, d Database) (id int) {
	t.Helper()
	r := ask(t, d, "SELECT CONNECTION_ID() AS id")
	require.False(t, r.IsError, r.Content)
	_, row, _ := strings.Cut(r.Content[0], `"rows":[[`)
	_, err := fmt.Sscan(strings.NewReplacer("]", " ").Replace(row), &id)
	require.NoError(t, err, r.Content)
	return id
}

func TestASessionServesManyQueriesAndADeadOneDoesNoHarm(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE t (a INT)")
	c := s.connect(t)
	session := serving(t, c)
	for n := range 5 {
		s.Exec(t, fmt.Sprintf("INSERT INTO t VALUES (%d)", n))
		r := ask(t, c, "SELECT COUNT(*) AS n FROM t")
		assert.Contains(t, r.Content[0], fmt.Sprintf(`"rows":[[%d]]`, n+1), "its transaction sees what came after it began")
		assert.Equal(t, session, serving(t, c), "it is the same session")
	}
	s.Exec(t, fmt.Sprintf("KILL %d", session))
	r := ask(t, c, "SELECT 1")
	assert.False(t, r.IsError, r.Content)
	assert.NotEqual(t, session, serving(t, c))
	assert.False(t, c.(*mysqlDatabase).single.Load(), "which says nothing of what the server can do")

	// What waits holds nothing: the table can be changed.
	assert.False(t, ask(t, c, "SELECT * FROM t").IsError)
	s.Exec(t, "SET lock_wait_timeout = 5")
	s.Exec(t, "ALTER TABLE t ADD b INT")

	require.NoError(t, c.Close())
	require.Eventually(t, func() bool {
		return s.Count(t, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()") == 0
	}, 10*time.Second, 10*time.Millisecond, "none is left open")
	d := c.(*mysqlDatabase)
	d.sessions.refill()
	assert.Empty(t, d.sessions.waiting())
}

// A session whose query ended otherwise than well is not used again, and
// after that one is at hand.
func TestASessionThatFailedIsNotUsedAgain(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE t (a INT)")
	c := s.connect(t)
	d := c.(*mysqlDatabase)
	for name, query := range map[string]string{"an error of the text": "SELECT nothing FROM t", "an error of a row": "SELECT (SELECT 1 UNION SELECT 2)", "a refusal": "SELECT SLEEP(1)", "an unknown table": "SELECT 1 FROM nowhere"} {
		session := serving(t, c)
		require.True(t, ask(t, c, query).IsError, name)
		assert.NotEqual(t, session, serving(t, c), name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	session := serving(t, c)
	ended := make(chan error, 1)
	go func() {
		ended <- c.Query(ctx, "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 900) SELECT COUNT(*) FROM d a, d b, d c, d e WHERE a.n + b.n + c.n + e.n < 0", rowset.NewReply(1, 1000))
	}()
	busy := fmt.Sprintf("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = %d AND COMMAND <> 'Sleep'", session)
	require.Eventually(t, func() bool { return s.Count(t, busy) == 1 }, 10*time.Second, time.Millisecond, "it is under way")
	cancel()
	assert.ErrorIs(t, <-ended, context.Canceled)
	// KILL comes late; whatever runs meanwhile is in other sessions.
	for range 200 {
		require.NotEqual(t, session, serving(t, c))
	}
	require.Eventually(t, func() bool { return s.Count(t, busy) == 0 }, 10*time.Second, time.Millisecond, "the server works on")
	assert.False(t, d.single.Load())
}

// The rest of a short answer is read, and the session used again; that of a
// long one is not waited for.
func TestTheRestOfAnAnswerIsReadWhereItIsShort(t *testing.T) {
	s := mysqlServed(t)
	c := s.connect(t)
	d := c.(*mysqlDatabase)
	const rows = "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 250) SELECT CONNECTION_ID() AS id, REPEAT('x', 100) FROM d a, d b, d c LIMIT "
	first := func(n int) (session int) {
		reply := rowset.NewReply(1, 1000)
		require.NoError(t, c.Query(t.Context(), rows+fmt.Sprint(n), reply))
		_, row, _ := strings.Cut(reply.JSON(0), `"rows":[[`)
		_, err := fmt.Sscan(strings.NewReplacer(",", " ").Replace(row), &session)
		require.NoError(t, err)
		return session
	}
	waits := func(session int) bool {
		for _, w := range d.sessions.waiting() {
			if w.id == fmt.Sprint(session) {
				return true
			}
		}
		return false
	}
	short := first(300)
	require.Eventually(t, func() bool { return waits(short) }, 10*time.Second, time.Millisecond)
	long := first(15_000_000)
	gone := fmt.Sprintf("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = %d", long)
	require.Eventually(t, func() bool { return s.Count(t, gone) == 0 }, 10*time.Second, 10*time.Millisecond, "the server works on")
	assert.False(t, waits(long))
}

// A server that runs something in each new session does so for no session
// that is made as new: there every query has one of its own.
func TestASessionIsUsedOnceWhereTheServerBeginsSessionsItself(t *testing.T) {
	begins := between(t, mysqlServed(t), func(p []byte) []byte { // the setting is that of all who use the server
		return bytes.Replace(p, []byte("@@GLOBAL.init_connect"), []byte("'SET @something = 1' "), 1)
	})
	c := begins.connect(t)
	session := serving(t, c)
	assert.NotEqual(t, session, serving(t, c))
	assert.False(t, ask(t, c, "SELECT 1").IsError)
}

// What a name was when it was looked up last decides what is asked first, and
// never what is admitted.
func TestANameThatChangesItsMeaningIsJudgedAsItIs(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE n (a INT)", "CREATE TABLE below (a INT)", "CREATE VIEW top AS SELECT a FROM below")
	c := s.connect(t)
	const dishonest = "CREATE FUNCTION f() RETURNS INT RETURN GET_LOCK('berth_pwn', 0)"
	for _, step := range []struct {
		change, query string
		refused       bool
	}{
		{"DO 0", "SELECT a FROM n", false},
		{"DROP TABLE n", "SELECT a FROM n", true},
		{"CREATE VIEW n AS SELECT SLEEP(0) AS a", "SELECT a FROM n", true},
		{"CREATE OR REPLACE VIEW n AS SELECT 1 AS a", "SELECT a FROM n", false},
		{"DROP VIEW n", "SELECT a FROM n", true},
		{"CREATE TABLE n (a INT)", "SELECT a FROM n", false},
		{"DO 0", "SELECT a FROM top", false},
		{"DROP TABLE below", "SELECT a FROM top", true},
		{"CREATE VIEW below AS SELECT SLEEP(0) AS a", "SELECT a FROM top", true},
		{dishonest, "SELECT f()", true},
		{"DROP FUNCTION f", "SELECT f()", true},
		{"CREATE FUNCTION f() RETURNS INT RETURN 1", "SELECT f()", false},
		{"DROP FUNCTION f", "SELECT f()", true},
		{dishonest, "SELECT f()", true},
	} {
		s.Exec(t, step.change)
		for range 2 {
			r := ask(t, c, step.query)
			assert.Equal(t, step.refused, r.IsError, "%s: %s: %v", step.change, step.query, r.Content)
		}
	}
	assert.Zero(t, s.Count(t, "SELECT IS_USED_LOCK('berth_pwn') IS NOT NULL"))
}

// What the connection's parameters set is set again.
func TestTheConnectionsSettingsHoldInEveryQuery(t *testing.T) {
	s := mysqlServed(t)
	s.Address.Params = map[string]string{"div_precision_increment": "9", "time_zone": "'+03:00'", "sql_mode": "'NO_ZERO_DATE,ANSI_QUOTES'"}
	c := s.connect(t)
	session := serving(t, c)
	for range 3 {
		r := ask(t, c, "SELECT @@session.div_precision_increment AS a, @@session.time_zone AS b, @@session.sql_mode AS c, CONNECTION_ID() AS d")
		assert.Contains(t, r.Content[0], fmt.Sprintf(`"rows":[[9,"+03:00","NO_ZERO_DATE",%d]]`, session))
	}
}

// Where the server has other modes than when the session began, the session is
// not used again, and others are.
func TestASessionOfOtherModesIsNotUsedAgain(t *testing.T) {
	s := mysqlServed(t)
	d := s.connect(t).(*mysqlDatabase)
	one, err := d.dial(t.Context())
	require.NoError(t, err)
	defer one.conn.Close()
	one.modes = "PIPES_AS_CONCAT" // as if it had been so
	require.NoError(t, one.ahead.Reset(one.opening()...))
	assert.ErrorIs(t, d.settle(one), dial.ErrLost)
	assert.False(t, d.single.Load())
}

// statesMySQL are the kinds of state that a session of MySQL or MariaDB has:
// how one comes to be, and a query whose answer it changes.
var statesMySQL = []struct{ name, make, ask string }{
	{"a variable", "SET @mine = 7", "SELECT @mine"},
	{"settings", "SET SESSION sql_mode = 'ANSI', SESSION time_zone = '+05:00', SESSION max_statement_time = 77, SESSION sql_select_limit = 3, SESSION optimizer_switch = 'index_merge=off', SESSION div_precision_increment = 9, SESSION group_concat_max_len = 9, SESSION old_mode = 'ZERO_DATE_TIME_CAST', SESSION tx_isolation = 'SERIALIZABLE'", "SHOW SESSION VARIABLES"},
	{"settings that no list shows", "SET SESSION rand_seed1 = 1, SESSION rand_seed2 = 2, SESSION timestamp = 86400", "SELECT NOW() < '1971-01-01'"},
	{"a character set", "SET NAMES latin1", "SELECT @@character_set_client, @@character_set_connection, @@character_set_results, @@collation_connection, COLLATION('a')"},
	{"a transaction that writes", "ROLLBACK; START TRANSACTION READ WRITE; INSERT INTO t VALUES (9)", "SELECT COUNT(*) FROM t"},
	{"the kind of later transactions", "ROLLBACK; SET SESSION TRANSACTION READ ONLY, ISOLATION LEVEL SERIALIZABLE", "SELECT @@tx_read_only, @@tx_isolation"},
	{"no commit by itself", "SET autocommit = 0", "SELECT @@autocommit"},
	{"a lock by name", "DO GET_LOCK('{db}', 1)", "SELECT IS_USED_LOCK('{db}') = CONNECTION_ID()"},
	{"locked tables", "LOCK TABLES t READ", "SELECT COUNT(*) FROM gone"},
	{"the lock of all", "FLUSH TABLES WITH READ LOCK", "ROLLBACK; DELETE FROM gone"},
	{"a backup", "ROLLBACK; BACKUP STAGE START", "ROLLBACK; BACKUP STAGE START"},
	{"a temporary table", "ROLLBACK; CREATE TEMPORARY TABLE t (z INT); INSERT INTO t VALUES (5), (6)", "SELECT COUNT(*) FROM t"},
	{"an open handler", "HANDLER t OPEN AS h", "HANDLER h READ FIRST"},
	{"a prepared statement", "PREPARE p FROM 'SELECT 1'", "EXECUTE p"},
	{"the last number given", "ROLLBACK; INSERT INTO counted VALUES (NULL)", "SELECT LAST_INSERT_ID(), @@last_insert_id, @@identity"},
	{"a number to give", "SET insert_id = 50", "SELECT @@insert_id"},
	{"what a sequence gave last", "ROLLBACK; SELECT NEXT VALUE FOR s", "SELECT LASTVAL(s)"},
	{"rows found and changed", "SELECT SQL_CALC_FOUND_ROWS a FROM t LIMIT 1", "SELECT FOUND_ROWS() > 0, ROW_COUNT()"},
	{"warnings", "SELECT CAST('x' AS INT)", "SHOW WARNINGS"},
	{"an error", "SELECT nothing", "SHOW ERRORS"},
	{"the database", "USE information_schema", "SELECT DATABASE()"},
	{"a role", "SET ROLE {role}", "SELECT CURRENT_ROLE()"},
	{"a profile", "SET profiling = 1; SELECT 1", "SHOW PROFILES"},
	{"a transaction of XA", "ROLLBACK; XA START '{db}'", "XA END '{db}'"},
	{"traces of the optimizer", "SET optimizer_trace = 'enabled=on'; SELECT * FROM t", "SELECT COUNT(*) FROM information_schema.OPTIMIZER_TRACE"},
	{"counts", "SHOW COUNT(*) WARNINGS; SHOW WARNINGS; SHOW WARNINGS", "SELECT VARIABLE_VALUE > 1 FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'COM_SHOW_WARNINGS'"},
	{"the number of another session", "ROLLBACK; SET pseudo_thread_id = 77", "SELECT @@pseudo_thread_id = 77"},
	{"no log of changes", "ROLLBACK; SET sql_log_bin = 0", "SELECT @@sql_log_bin"},
	{"numbers of a replica", "ROLLBACK; SET gtid_domain_id = 7, gtid_seq_no = 99, server_id = 1234", "SELECT @@gtid_domain_id, @@gtid_seq_no, @@server_id"},
}

// answersMySQL runs statements, and returns what the last one answered.
func answersMySQL(s *mysqlSession, statements string) (answer []string) {
	for _, statement := range strings.Split(statements, "; ") {
		rows, err := s.conn.(driver.QueryerContext).QueryContext(context.Background(), statement, nil)
		if err != nil {
			answer = []string{err.Error()}
			continue
		}
		answer = []string{}
		for row := make([]driver.Value, len(rows.Columns())); ; {
			if err := rows.Next(row); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				answer = append(answer, err.Error())
				break
			}
			for _, v := range row {
				answer = append(answer, plainText(v))
			}
		}
		_ = rows.Close() // read to its end
	}
	return answer
}

// A session that is made as new answers like one that nobody had before, for
// every kind of state there is; and each would be seen. What a reset leaves is
// found out, and the session is not used again.
func TestAResetLeavesNoState(t *testing.T) {
	s := mysqlServed(t, "CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1), (2), (3)", "CREATE TABLE gone (a INT)", "CREATE TABLE counted (a INT AUTO_INCREMENT PRIMARY KEY)")
	if _, err := s.Owner.Exec("CREATE SEQUENCE s"); err != nil {
		t.Skip("the list is that of MariaDB: ", err)
	}
	role := s.Ordinary(t).User + "_r"
	s.Exec(t, "CREATE ROLE "+role)
	defer s.Exec(t, "DROP ROLE "+role)
	d := s.connect(t).(*mysqlDatabase)
	found := map[string]bool{"the database": true, "a role": true}
	// Profiles are of no statement but the session's own, and what run-query
	// admits neither begins nor reads any.
	left := map[string]bool{"a profile": true}
	for _, state := range statesMySQL {
		t.Run(state.name, func(t *testing.T) {
			names := strings.NewReplacer("{role}", role, "{db}", s.Address.Database)
			makes, asks := names.Replace(state.make), names.Replace(state.ask)
			// in a session of its own: closed, so that its locks are gone
			in := func(use func(*mysqlSession)) {
				one, err := d.dial(t.Context())
				require.NoError(t, err)
				use(one)
				require.NoError(t, one.conn.Close())
				require.Eventually(t, func() bool {
					return s.Count(t, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = "+one.id) == 0
				}, 10*time.Second, time.Millisecond)
			}
			var want []string
			in(func(one *mysqlSession) { want = answersMySQL(one, asks) })
			in(func(one *mysqlSession) {
				answersMySQL(one, makes)
				require.NotEqual(t, want, answersMySQL(one, asks), "the state would be seen")
			})
			in(func(one *mysqlSession) {
				answersMySQL(one, makes)
				require.NoError(t, one.ahead.Reset(one.opening()...))
				err := one.ahead.Settle(10 * time.Second)
				if found[state.name] {
					assert.ErrorContains(t, err, notNew)
					return
				}
				require.NoError(t, err)
				if left[state.name] {
					assert.NotEqual(t, want, answersMySQL(one, asks), "so much the better: it is no exception any more")
					return
				}
				assert.Equal(t, withoutOwn(want), withoutOwn(answersMySQL(one, asks)))
			})
		})
	}
}

// withoutOwn takes out the variables that every session has of its own.
func withoutOwn(answer []string) []string {
	var left []string
	for i := 0; i < len(answer); i++ {
		switch answer[i] {
		case "pseudo_thread_id", "rand_seed1", "rand_seed2", "timestamp", "warning_count", "error_count":
			i++
			continue
		}
		left = append(left, answer[i])
	}
	return left
}
