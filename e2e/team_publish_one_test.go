//go:build unix

package e2e

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/broker"
)

// held has every statement that defines wait on PostgreSQL for as long as a row
// is in a table. A trial switches event triggers off, a publish does not.
const held = `CREATE TABLE hold (id INTEGER PRIMARY KEY);
CREATE FUNCTION public.wait_for_it() RETURNS event_trigger LANGUAGE plpgsql AS
	'BEGIN WHILE EXISTS (SELECT FROM public.hold) LOOP PERFORM pg_sleep(0.01); END LOOP; END';
CREATE EVENT TRIGGER wait_for_it ON ddl_command_end EXECUTE FUNCTION public.wait_for_it();`

const (
	holderRuns = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'berth publish %' AND state = 'active' AND query LIKE 'CREATE TABLE%'"
	trialWaits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE TABLE%'"
)

// counts waits until a query counts n.
func counts(t *testing.T, db *sql.DB, query string, n int, what string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var got int
		return db.QueryRow(query).Scan(&got) == nil && got == n
	}, patience, 5*time.Millisecond, what)
}

// twoOn is two people with a shared design and one database.
func twoOn(t *testing.T, dsn string) (b *broker.Broker, ann, ben *mate) {
	t.Helper()
	b = broker.Start(t)
	ann, ben = serverMate(t, b.URL, "ann", dsn), serverMate(t, b.URL, "ben", dsn)
	ann.team("init", "shop")
	ben.team("attach", "shop")
	return b, ann, ben
}

// Two publish to one PostgreSQL database: the holder stands still while a
// statement of it runs. The other is told who, since when and what to do, even
// though its trial has met the server's own refusal; once the holder was killed
// it publishes.
func TestAStoppedPublisherOfPostgreSQLIsNamed(t *testing.T) {
	t.Parallel()
	db, dsn := enginetest.Postgres().New(t)
	_, err := db.Exec(shopTables + held)
	require.NoError(t, err)
	b, ann, ben := twoOn(t, dsn)
	ann.adds(t, fiveTables...)
	agree(t, b.URL, ann, ben)
	_, err = db.Exec("INSERT INTO hold VALUES (1)")
	require.NoError(t, err)
	first := ann.publishing()
	counts(t, db, holderRuns, 1, "a statement of ann's publish runs")
	freeze(t, ann.now.Load())
	for _, command := range [][]string{{"verify"}, {"publish", "--yes"}} {
		got := ben.berthIn(ben.root, command...)
		require.NotZero(t, got.code, got.stdout)
		assert.Contains(t, got.stderr, "another publish to this database is in progress: that of ann@", command)
		assert.Contains(t, got.stderr, fmt.Sprintf("process %d, session ", ann.now.Load().PID), command)
		assert.Contains(t, got.stderr, ", since "+time.Now().UTC().Format("2006-01-02"), command)
		assert.Contains(t, got.stderr, "Publish again when it has ended; if it hangs, the server ends it by: SELECT pg_terminate_backend(", command)
	}
	ann.now.Load().kill()
	assert.NotZero(t, receive(t, first, "ann's publish").code)
	_, err = db.Exec("DELETE FROM hold")
	require.NoError(t, err)
	counts(t, db, holderRuns, 0, "the server has noticed that ann's process has gone")
	got := ben.berthIn(ben.root, "publish", "--yes")
	require.Zero(t, got.code, got.stderr)
	counts(t, db, "SELECT count(*) FROM pg_tables WHERE tablename IN ('t1', 't2', 't3', 't4', 't5')", 5, "ben's publish is made")
	ann.now.Store(ann.serve(ann.root))
	agree(t, b.URL, ann, ben)
}

// A trial that waits for what another publish makes, and finds it there, says
// that the database has changed.
func TestATrialThatAnotherPublishOvertakesSaysSo(t *testing.T) {
	t.Parallel()
	db, dsn := enginetest.Postgres().New(t)
	_, err := db.Exec(shopTables + held)
	require.NoError(t, err)
	b, ann, ben := twoOn(t, dsn)
	ann.adds(t, fiveTables[0]) // the trial waits for three seconds: one statement, and then the end
	agree(t, b.URL, ann, ben)
	_, err = db.Exec("INSERT INTO hold VALUES (1)")
	require.NoError(t, err)
	first := ann.publishing()
	counts(t, db, holderRuns, 1, "a statement of ann's publish runs")
	second := make(chan commandResult, 1)
	go func() { second <- ben.berthIn(ben.root, "verify") }()
	counts(t, db, trialWaits, 1, "ben's trial waits for it")
	_, err = db.Exec("DELETE FROM hold")
	require.NoError(t, err)
	got := receive(t, first, "ann's publish")
	require.Zero(t, got.code, got.stderr)
	got = receive(t, second, "ben's trial")
	require.NotZero(t, got.code, got.stdout)
	assert.Contains(t, got.stderr, "the database is another one than when the plan was made")
	got = ben.berthIn(ben.root, "publish", "--yes")
	assert.Zero(t, got.code, got.stderr)
	agree(t, b.URL, ann, ben)
}

// The same as on PostgreSQL. A transaction of somebody else keeps the holder's
// statement from its table.
func TestAStoppedPublisherOfMariaDBIsNamed(t *testing.T) {
	t.Parallel()
	db, dsn := enginetest.MySQL().New(t)
	c, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	tables := "CREATE TABLE item (id INTEGER PRIMARY KEY, label TEXT)"
	_, err = db.Exec(tables)
	require.NoError(t, err)
	b, ann, ben := twoOn(t, fmt.Sprintf("mysql://%s@%s/%s", c.User, c.Addr, c.DBName))
	_, version := ann.design()
	r := ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "size", "dataType": "int", "isNullable": true}}))
	require.True(t, r.Success, r.text)
	agree(t, b.URL, ann, ben)
	tx, err := db.Begin()
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.Exec("SELECT * FROM item")
	require.NoError(t, err)
	first := ann.publishing()
	waits := "SELECT count(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND STATE LIKE 'Waiting for table metadata lock%'"
	counts(t, db, waits, 1, "a statement of ann's publish waits for the table")
	freeze(t, ann.now.Load())
	got := ben.berthIn(ben.root, "publish", "--yes")
	require.NotZero(t, got.code, got.stdout)
	assert.Regexp(t, `another publish to this database is in progress: that of \S+, session \d+, its last statement began at [-0-9]{10}`, got.stderr)
	assert.Contains(t, got.stderr, "Publish again when it has ended; if it hangs, the server ends it by: KILL ")
	ann.now.Load().kill()
	assert.NotZero(t, receive(t, first, "ann's publish").code)
	require.NoError(t, tx.Rollback())
	counts(t, db, "SELECT COALESCE(IS_USED_LOCK(CONCAT('berth publish ', SHA1(LOWER(DATABASE())))), 0)", 0, "the server has noticed that ann's process has gone")
	got = ben.berthIn(ben.root, "publish", "--yes")
	require.Zero(t, got.code, got.stderr)
	counts(t, db, "SELECT count(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'size'", 1, "ben's publish is made")
	ann.now.Store(ann.serve(ann.root))
	agree(t, b.URL, ann, ben)
}
