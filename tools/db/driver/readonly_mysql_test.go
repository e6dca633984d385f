package driver

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/readonly"
)

// mysqlFingerprint are queries of what must not change: rows, the schema,
// users, global settings, locks, other sessions.
var mysqlFingerprint = []string{
	"SELECT GROUP_CONCAT(a, b ORDER BY a) FROM t", "SELECT COUNT(*) FROM audit", "SELECT COUNT(*) FROM old", "SELECT COUNT(*) FROM `odd ``name`",
	"SELECT AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'audit'",
	"SELECT GROUP_CONCAT(TABLE_NAME, TABLE_TYPE ORDER BY TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()",
	"SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()",
	"SELECT COUNT(*) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()",
	"SELECT COUNT(*) FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE()",
	"SELECT COUNT(*) FROM mysql.user WHERE User LIKE 'berth_pwn%'", "SELECT COUNT(*) FROM mysql.func WHERE name LIKE 'sys_%'",
	// What the statements set it to: a test of another package has it 4720 for a moment.
	"SELECT CONCAT_WS('|', @@GLOBAL.max_connect_errors BETWEEN 4711 AND 4719, @@GLOBAL.sql_mode, @@GLOBAL.read_only, @@GLOBAL.general_log, @@GLOBAL.event_scheduler, @@GLOBAL.lock_wait_timeout)",
	"SELECT COALESCE(IS_USED_LOCK('berth_pwn'), 'free')",
}

func mysqlGuarded(t *testing.T) (s served, fingerprint func(testing.TB) string) {
	t.Helper()
	s = mysqlServed(t, script(t, "mysql.sql"))
	queries := mysqlFingerprint
	if _, err := s.Owner.Exec("CREATE SEQUENCE s"); err == nil { // MariaDB
		queries = append([]string{"SELECT CONCAT_WS('|', next_not_cached_value, cycle_count) FROM s"}, queries...)
	}
	return s, func(t testing.TB) string {
		var all []string
		for _, query := range queries {
			var text *string
			require.NoError(t, s.Owner.QueryRowContext(t.Context(), query).Scan(&text), query)
			if text == nil {
				text = new(string)
			}
			all = append(all, *text)
		}
		return strings.Join(append(all, planted(t)...), "\n")
	}
}

func TestNothingGetsThroughToMySQL(t *testing.T) {
	s, fingerprint := mysqlGuarded(t)
	attempts := corpus(t, "mysql.txt", s.Address.Database)
	reader := s.Ordinary(t)
	t.Run("as an ordinary user", func(t *testing.T) { nothingGetsThrough(t, s, attempts, fingerprint, reader) })
	t.Run("as the owner and superuser", func(t *testing.T) { nothingGetsThrough(t, s, attempts, fingerprint) })
	before := fingerprint(t)
	s.Exec(t, "UPDATE t SET b = 'seen' WHERE a = 1")
	assert.NotEqual(t, before, fingerprint(t), "a change would have been seen")
}

func TestHarmlessQueriesAreAdmittedOnMySQL(t *testing.T) {
	s, fingerprint := mysqlGuarded(t)
	queries := corpus(t, "mysql_harmless.txt", s.Address.Database)
	t.Run("as the owner", func(t *testing.T) { harmlessIsAdmitted(t, s, queries, fingerprint) })
	reader := s.Ordinary(t)
	s.Exec(t, fmt.Sprintf("GRANT SELECT ON mysql.proc TO '%s'@'%%'", reader.User)) // to read functions that it did not make
	t.Run("as an ordinary user", func(t *testing.T) { harmlessIsAdmitted(t, s, queries, fingerprint, reader) })
}

func TestRefusalsOfMySQLSayWhy(t *testing.T) {
	s, _ := mysqlGuarded(t)
	c := s.connect(t)
	for query, want := range map[string]string{
		"DELETE FROM t":              "refused (reads only): run-query reads only, and DELETE changes data; execute-sql does that",
		"SELECT SLEEP(1)":            "refused (function): SLEEP is not run: it is not a function that is known to compute only, nor one of the database",
		"SELECT writes()":            "refused (function): writes is not run: it is declared to modify data",
		"SELECT liar_deep()":         "refused (function): GET_LOCK is not run, and the function liar_lock, the function liar_deep would run it: it is not a function that is known to compute only, nor one of the database",
		"SELECT * FROM v_on_view":    "refused (function): writes is not run, and the view v_writes, the view v_on_view would run it: it is declared to modify data",
		"SELECT liar()":              "refused (function): liar is not run: it has INSERT",
		"SELECT liar_second()":       "refused (function): liar_second is not run: it has SET GLOBAL",
		"SELECT liar_plain()":        "refused (function): liar_plain is not run: it sets the variable lock_wait_timeout of the server",
		"SHOW PROCESSLIST":           `refused (statement kind): SHOW "PROCESSLIST" is not one of those that are known to tell only`,
		"SELECT 1 FROM mysql.user":   "refused (secrets): mysql.user holds passwords, and run-query shows none; a person can read it with the server's own client",
		"SELECT 1 INTO @x":           "refused (reads only): run-query reads only, and INTO writes a file or a variable",
		"SELECT /*! 1 */":            "refused (legal text): the comment at byte 7 is one that the server runs; leave it out",
		"SHOW MASTER STATUS":         `refused (statement kind): SHOW "MASTER STATUS" is not one of those that are known to tell only`,
		"SELECT a FROM t FOR UPDATE": "refused (locks): FOR UPDATE locks rows, and run-query leaves no locks",
	} {
		assert.Equal(t, []string{want}, ask(t, c, query).Content, query)
	}
}

func TestAFunctionWhoseBodyTheLoginMayNotReadIsRefused(t *testing.T) {
	s, _ := mysqlGuarded(t)
	r := ask(t, s.connect(t, s.Ordinary(t)), "SELECT twice(1)")
	assert.Equal(t, []string{"refused (function): twice is not run: this login may not read what it does"}, r.Content)
}

func TestAViewWhoseTextTheLoginMayNotReadIsRefused(t *testing.T) {
	s, _ := mysqlGuarded(t)
	reader := s.Ordinary(t)
	s.Exec(t, fmt.Sprintf("REVOKE SHOW VIEW ON `%s`.* FROM '%s'@'%%'", s.Address.Database, reader.User))
	c := s.connect(t, reader)
	for _, view := range []string{"v_sleep", "v_lock", "v"} {
		r := ask(t, c, "SELECT * FROM "+view)
		assert.Equal(t, []string{"refused (function): the view " + view + " is not read: this login may not read what it selects; GRANT SHOW VIEW lets it"}, r.Content)
	}
	assert.False(t, ask(t, c, "SELECT * FROM t").IsError)
}

func TestPasswordHashesAreNotShown(t *testing.T) {
	s := mysqlServed(t)
	r := ask(t, s.connect(t, s.Ordinary(t)), "SHOW GRANTS")
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], "IDENTIFIED (left out)")
	assert.NotContains(t, r.Content[0], "PASSWORD")
	for line, want := range map[string]string{
		"GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*81F5E21E35407D884A6CD4A731AEBFB6AF209E1B'":            "GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED (left out)",
		"GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED VIA ed25519 USING 'x' OR unix_socket REQUIRE SSL WITH GRANT OPTION": "GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED (left out) WITH GRANT OPTION",
		"GRANT SELECT ON `IDENTIFIED BY PASSWORD`.* TO `a`@`%`":                                                       "GRANT SELECT ON `IDENTIFIED BY PASSWORD`.* TO `a`@`%`",
	} {
		assert.Equal(t, want, withoutPassword(line))
	}
}

// TestTheEngineRefusesWhatMySQLsGuardWouldHaveMissed makes the attempts at
// writing past everything but the transaction.
func TestMySQLsTransactionStopsWhatChangesRows(t *testing.T) {
	s, fingerprint := mysqlGuarded(t)
	before := fingerprint(t)
	d, err := OpenMySQL(s.Address)
	require.NoError(t, err)
	defer d.Close()
	for _, query := range []string{"DELETE FROM t", "UPDATE t SET b = 'z'", "INSERT INTO audit (what) VALUES ('x')", "REPLACE INTO t VALUES (1, 'z')", "DELETE FROM old",
		"SELECT writes()", "SELECT liar()", "SELECT liar_old()", "CALL p1()", "SELECT a FROM v_writes"} {
		err := d.(*mysqlDatabase).guarded(t.Context(), func(ctx context.Context, ms *mysqlSession) error {
			_, err := ms.open(ctx, &readonly.MySQLQuery{Text: query, Metadata: true}, nil, statementTag{})
			return err
		})
		_ = err // refused or undone: the fingerprint tells
		require.Equal(t, before, fingerprint(t), query)
	}
}
