package mysql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/e2e/long"
)

// leavesNoScratch returns a context whose scratch databases are noted. When the
// test ends, there has been one and none is left.
func leavesNoScratch(t testing.TB, db *sql.DB) context.Context {
	t.Helper()
	var made []string
	t.Cleanup(func() {
		assert.NotEmpty(t, made)
		for _, name := range made {
			assert.Empty(t, values(t, db, "SHOW DATABASES LIKE '"+name+"'"))
		}
	})
	return engine.WithScratch(context.Background(), engine.Scratch{
		Owner: fmt.Sprintf("%016x", rand.Uint64()),
		Begin: func(name string) error { made = append(made, name); return nil },
		End:   func(name string, dropped bool) { assert.True(t, dropped, name) },
	})
}

// refusal verifies edits that must fail on the rows that are there, and sees
// that nothing has changed.
func refusal(t testing.TB, db *sql.DB, edits string) *designer.StepError {
	t.Helper()
	before := read(t, db)
	_, _, plan := change(t, db, edits)
	err := mysql.Engine{}.Verify(context.Background(), db, plan, nil)
	var step *designer.StepError
	require.ErrorAs(t, err, &step, plan.Script())
	assert.Zero(t, step.Applied)
	assert.Equal(t, before, read(t, db))
	return step
}

func TestVerifyGivesTheServersOwnReasonBeforeAnythingChanges(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE p (id int PRIMARY KEY); INSERT INTO p VALUES (1);
		CREATE TABLE a (id int PRIMARY KEY, n int, t varchar(50), p_id int); INSERT INTO a VALUES (1, NULL, 'some text', 1), (2, 2, 'some text', 7);
		CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET new.n = 1;`)
	for edit, reason := range map[string]string{
		`{"op":"set_column","table":{"name":"a"},"column":{"name":"n"},"set":{"isNullable":false}}`:                                                                      "Data truncated for column 'n' at row 1",
		`{"op":"set_column","table":{"name":"a"},"column":{"name":"t"},"set":{"maxLength":"5"}}`:                                                                         "for column 't' at row 1",
		`{"op":"set_column","table":{"name":"a"},"column":{"name":"t"},"set":{"dataType":"int"}}`:                                                                        "Truncated incorrect INTEGER value: 'some text'",
		`{"op":"add_index","table":{"name":"a"},"index":{"name":"uq","unique":true,"columns":["t"]}}`:                                                                    "Duplicate entry 'some text' for key 'uq'",
		`{"op":"add_check","table":{"name":"a"},"check":{"name":"ck","expression":"p_id < 5"}}`:                                                                          "CONSTRAINT `ck` failed",
		`{"op":"add_foreign_key","table":{"name":"a"},"foreignKey":{"name":"fk","referencedTable":{"name":"p"},"mappings":[{"column":"p_id","referencedColumn":"id"}]}}`: "a foreign key constraint fails",
		`{"op":"add_check","table":{"name":"a"},"check":{"name":"ck","expression":"nothing > 1"}}`:                                                                       "Unknown column 'nothing'",
		`{"op":"add_index","table":{"name":"a"},"index":{"name":"PRIMARY","columns":["t"]}}`:                                                                             "Incorrect index name 'PRIMARY'",
	} {
		t.Run(reason, func(t *testing.T) {
			step := refusal(t, db, "["+edit+"]")
			var server *driver.MySQLError
			require.ErrorAs(t, step, &server)
			assert.Contains(t, server.Message, reason)
		})
	}
	assert.Equal(t, []string{"1", "2"}, values(t, db, "SELECT id FROM a ORDER BY id"))
}

// TestVerifyAsksALargeTableItself needs more rows than are copied: the one
// that does not fit is the last.
func TestVerifyAsksALargeTableItself(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	if _, err := db.Exec("SELECT 1 FROM seq_1_to_2 LIMIT 1"); err != nil {
		t.Log("the server makes no sequences of numbers: the rows are made otherwise")
		load(t, db, "CREATE TABLE seq_1_to_100001 (seq int PRIMARY KEY AUTO_INCREMENT, x int); INSERT INTO seq_1_to_100001 (x) VALUES (1), (1);")
		for range 16 {
			exec(t, db, "INSERT INTO seq_1_to_100001 (x) SELECT x FROM seq_1_to_100001")
		}
	}
	load(t, db, `CREATE TABLE big (id int PRIMARY KEY, n int, u int, t varchar(50), p_id int); CREATE TABLE p (id int PRIMARY KEY); INSERT INTO p VALUES (1);
		INSERT INTO big SELECT seq, 1, seq, 'x', 1 FROM seq_1_to_100001;
		INSERT INTO big VALUES (1000000, NULL, 5, 'long text', 2);
		CREATE TABLE small (big_id int); INSERT INTO small VALUES (1000000);`)
	require.Greater(t, values(t, db, "SELECT COUNT(*) > "+"100000 FROM big")[0], "0", "larger than VerifyRows")
	for edit, reason := range map[string]string{
		`{"op":"set_column","table":{"name":"big"},"column":{"name":"n"},"set":{"isNullable":false}}`:                                                                      "column n holds NULL",
		`{"op":"set_column","table":{"name":"big"},"column":{"name":"t"},"set":{"maxLength":"5"}}`:                                                                         "column t holds a value too long for varchar(5)",
		`{"op":"add_index","table":{"name":"big"},"index":{"name":"uq","unique":true,"columns":["u"]}}`:                                                                    "rows are not unique by index uq",
		`{"op":"add_foreign_key","table":{"name":"big"},"foreignKey":{"name":"fk","referencedTable":{"name":"p"},"mappings":[{"column":"p_id","referencedColumn":"id"}]}}`: "rows of big refer to rows that p does not have",
	} {
		t.Run(reason, func(t *testing.T) {
			assert.Equal(t, reason, refusal(t, db, "["+edit+"]").Err.Error())
		})
	}
	_, _, plan := change(t, db, `[{"op":"add_foreign_key","table":{"name":"small"},"foreignKey":{"name":"fk","referencedTable":{"name":"big"},
		"mappings":[{"column":"big_id","referencedColumn":"id"}]}}]`)
	assert.NoError(t, mysql.Engine{}.Verify(context.Background(), db, plan, nil), "a row that was not copied is no missing one")
	step := refusal(t, db, `[{"op":"set_column","table":{"name":"big"},"column":{"name":"t"},"set":{"dataType":"int"}}]`)
	assert.ErrorContains(t, step, "Truncated incorrect INTEGER value", "the rows that are copied tell the rest")
}

func TestVerifyLeavesNothingBehind(t *testing.T) {
	db := newDatabase(t)
	load(t, db, fixture(t, "everything.sql"))
	scratched := leavesNoScratch(t, db)
	before := read(t, db)
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"child"},"column":{"name":"n","dataType":"int"}},
		{"op":"set_column","table":{"name":"child"},"column":{"name":"a"},"set":{"name":"first"}}]`)
	require.NoError(t, mysql.Engine{}.Verify(scratched, db, plan, nil))
	ctx, cancel := context.WithCancel(scratched)
	cancel()
	require.ErrorIs(t, mysql.Engine{}.Verify(ctx, db, plan, nil), context.Canceled)
	assert.Equal(t, before, read(t, db))
}

// limited opens the database as a user who may do everything in it, and make
// no other.
func limited(t testing.TB, db *sql.DB, dsn string) *sql.DB {
	t.Helper()
	name := values(t, db, "SELECT DATABASE()")[0]
	user := name[len(name)-16:]
	exec(t, db, "CREATE USER '"+user+"'@'%' IDENTIFIED BY 'secret'", "GRANT ALL ON `"+name+"`.* TO '"+user+"'@'%'")
	t.Cleanup(func() { exec(t, db, "DROP USER '"+user+"'@'%'") })
	return openAs(t, dsn, func(c *driver.Config) { c.User, c.Passwd = user, "secret" })
}

func TestAUserWhoMayMakeNoDatabaseIsToldSo(t *testing.T) {
	db, dsn := enginetest.MySQL().New(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY);")
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}}]`)
	err := mysql.Engine{}.Verify(context.Background(), limited(t, db, dsn), plan, nil)
	require.ErrorContains(t, err, "verify: a scratch database is needed to try a plan or read a script, and this user may make none: "+
		"grant it all rights on `berth_scratch_%`.*")
	var step *designer.StepError
	assert.False(t, errors.As(err, &step), "no step was refused")
}

func TestAConnectionWithoutADatabaseIsToldSo(t *testing.T) {
	_, dsn := enginetest.MySQL().New(t)
	db := openAs(t, dsn, func(c *driver.Config) { c.DBName = "" })
	_, err := mysql.Inspect(context.Background(), db)
	require.ErrorContains(t, err, "the connection has no default database")
	plan := designer.Plan{Steps: []designer.Step{{Statement: "SELECT 1"}}}
	assert.ErrorContains(t, mysql.Engine{}.Verify(context.Background(), db, plan, nil), "the connection has no default database")
	assert.ErrorContains(t, mysql.Engine{}.Publish(context.Background(), db, plan, 0, nil), "the connection has no default database")
}

func TestAnInterruptedPublishGoesOnWithWhatIsMissing(t *testing.T) {
	t.Parallel()
	edits := `[{"op":"set_table","table":{"name":"a"},"set":{"name":"c"}},
		{"op":"set_column","table":{"name":"c"},"column":{"name":"n"},"set":{"name":"m","dataType":"bigint"}},
		{"op":"drop_table","table":{"name":"b"}},{"op":"add_table","table":{"name":"d"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]},
		{"op":"add_column","table":{"name":"c"},"column":{"name":"d_id","dataType":"int"}},
		{"op":"add_foreign_key","table":{"name":"c"},"foreignKey":{"name":"fk","referencedTable":{"name":"d"},"mappings":[{"column":"d_id","referencedColumn":"id"}]}}]`
	stop := errors.New("stopped")
	for _, recorded := range []int{0, 1} { // whether the step that was made was recorded, or was about to be
		first, every := 0, 1
		if !long.Thorough() {
			first, every = 2*recorded, 4
		}
		for step := first; ; step += every {
			db := newDatabase(t)
			load(t, db, `CREATE TABLE a (id int PRIMARY KEY, n int); CREATE TABLE b (id int); INSERT INTO a VALUES (1, 2);
				CREATE TRIGGER tr BEFORE UPDATE ON a FOR EACH ROW SET new.n = old.n + 1; CREATE VIEW v AS SELECT n FROM a;`)
			base, design, plan := change(t, db, edits)
			if step >= len(plan.Steps) {
				require.Greater(t, len(plan.Steps), 8, plan.Script())
				break
			}
			err := mysql.Engine{}.Publish(context.Background(), db, plan, 0, func(i int, done bool) error {
				if i == step && done {
					return stop
				}
				return nil
			})
			var failed *designer.StepError
			require.ErrorAs(t, err, &failed)
			require.ErrorIs(t, err, stop)
			assert.Equal(t, step+1, failed.Applied)
			var told []int
			require.NoError(t, mysql.Engine{}.Publish(context.Background(), db, plan, step+recorded, func(i int, done bool) error {
				if done {
					told = append(told, i)
				}
				return nil
			}), "after step %d: %s", step, plan.Script())
			assert.Len(t, told, len(plan.Steps)-step-recorded)
			isDesign(t, db, base, design, plan)
			exec(t, db, "UPDATE c SET id = 2")
			assert.Equal(t, []string{"3"}, values(t, db, "SELECT n FROM v"), "the trigger and the view have followed")
		}
	}
}

func TestAPublishThatIsGivenUpHasEndedWhenItReturns(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1);")
	blocker, err := db.Begin()
	require.NoError(t, err)
	_, err = blocker.Exec("SELECT * FROM a FOR UPDATE")
	require.NoError(t, err)
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}}]`)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	err = mysql.Engine{}.Publish(ctx, db, plan, 0, nil)
	var step *designer.StepError
	require.ErrorAs(t, err, &step)
	assert.Zero(t, step.Applied)
	require.NoError(t, blocker.Rollback())
	assert.Len(t, read(t, db).Tables[0].Columns, 1)
	assert.Empty(t, values(t, db, "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE 'ALTER TABLE `a`%' AND db = DATABASE()"))
}

func TestWhatAKilledProcessLeftIsDroppedADayLater(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY);")
	name := func(age time.Duration) string {
		return fmt.Sprintf("%s%x_%s", engine.ScratchPrefix, time.Now().Add(-age).Unix(), values(t, db, "SELECT RIGHT(DATABASE(), 12)")[0])
	}
	old, young, other := name(25*time.Hour), name(time.Hour), engine.ScratchPrefix+"of_mine_"+values(t, db, "SELECT RIGHT(DATABASE(), 12)")[0]
	for _, n := range []string{old, young, other} {
		exec(t, db, "CREATE DATABASE "+n)
		t.Cleanup(func() { exec(t, db, "DROP DATABASE IF EXISTS "+n) })
	}
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}}]`)
	require.NoError(t, mysql.Engine{}.Verify(context.Background(), db, plan, nil))
	there := values(t, db, "SHOW DATABASES LIKE '"+engine.ScratchPrefix+"%'")
	assert.NotContains(t, there, old)
	assert.Contains(t, there, young)
	assert.Contains(t, there, other)
}

// A statement that waits for a table makes everybody else wait behind it: so
// it waits for a moment at a time, and tries again.
func TestAPublishBehindALockLetsOthersPass(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1);")
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}}]`)
	longest, err := enginetest.PublishBehindALock(t, mysql.Engine{}, db, plan, "SELECT * FROM a")
	require.NoError(t, err, "the lock was held for less than a publish waits")
	assert.Less(t, longest, 2*time.Second)
	assert.Len(t, read(t, db).Tables[0].Columns, 2)
}

// What a trigger does may reach another database, and a sequence does not roll
// back: the trial's own triggers are copies, which nothing in it runs.
func TestVerifyFiresNoTrigger(t *testing.T) {
	db := newDatabase(t)
	name := values(t, db, "SELECT DATABASE()")[0]
	exec(t, db, "CREATE SEQUENCE fired", "CREATE TABLE log (id integer)",
		"CREATE TABLE parent (id integer PRIMARY KEY)", "CREATE TABLE t (id integer PRIMARY KEY, a integer, b text, p integer, FOREIGN KEY fk (p) REFERENCES parent (id) ON UPDATE CASCADE)",
		"INSERT INTO parent VALUES (1)", "INSERT INTO t VALUES (1, 1, 'x', 1), (2, 2, 'y', 1)")
	for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
		exec(t, db, "CREATE TRIGGER on_"+event+" AFTER "+event+" ON t FOR EACH ROW INSERT INTO `"+name+"`.log VALUES (NEXTVAL(`"+name+"`.fired))")
	}
	_, _, plan := change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"name":"aa","dataType":"bigint","isNullable":false}},
		{"op":"add_column","table":{"name":"t"},"column":{"name":"d","dataType":"int","defaultValue":"5"}},
		{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}},
		{"op":"set_table","table":{"name":"t"},"set":{"name":"tt"}}]`)
	require.NoError(t, mysql.Engine{}.Verify(context.Background(), db, plan, nil), "%s", plan.Script())
	assert.Equal(t, []string{"0"}, values(t, db, "SELECT count(*) FROM log"))
	assert.Equal(t, []string{"1"}, values(t, db, "SELECT next_not_cached_value FROM fired"))
}

// A plan that waits for the second of two tables has not made the first yet.
func TestAPublishLooksForLocksBeforeItBegins(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); INSERT INTO a VALUES (1);")
	holder, err := db.Begin()
	require.NoError(t, err)
	_, err = holder.Exec("SELECT * FROM b")
	require.NoError(t, err)
	_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"a"},"column":{"name":"n","dataType":"int"}},
		{"op":"add_column","table":{"name":"b"},"column":{"name":"n","dataType":"int"}},
		{"op":"add_table","table":{"name":"new"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}]`)
	require.Len(t, plan.Steps, 3)
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	began := 0
	err = mysql.Engine{}.Publish(ctx, db, plan, 0, func(int, bool) error { began++; return nil })
	var step *designer.StepError
	require.ErrorAs(t, err, &step)
	assert.Zero(t, step.Index)
	assert.Zero(t, step.Applied)
	assert.Zero(t, began)
	assert.Len(t, read(t, db).Tables[0].Columns, 1, "the first table is as it was")
	require.NoError(t, holder.Rollback())
	require.NoError(t, mysql.Engine{}.Publish(t.Context(), db, plan, 0, nil))
	assert.Len(t, read(t, db).Tables, 3)
}
