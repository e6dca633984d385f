package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// planOf makes a plan of statements.
func planOf(statements ...string) designer.Plan {
	b := &steps{}
	for _, s := range statements {
		b.add(nil, "a step", s, "")
	}
	return b.plan()
}

func TestARefusedStepTakesTheWholePlanBack(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (a integer)")
	before := read(t, db).Definition()
	p := planOf("ALTER TABLE t ADD COLUMN b integer", "ALTER TABLE t ADD COLUMN b integer")
	for name, make := range map[string]func() error{
		"verify":  func() error { return Engine{}.Verify(context.Background(), db, p, nil) },
		"publish": func() error { return Engine{}.Publish(context.Background(), db, p, 0, nil) },
	} {
		var refused *designer.StepError
		require.ErrorAs(t, make(), &refused, name)
		assert.Equal(t, 1, refused.Index)
		assert.Zero(t, refused.Applied)
		var cause *pgconn.PgError
		require.ErrorAs(t, refused, &cause, "the server's own error")
		assert.Equal(t, "42701", cause.Code)
		assert.Equal(t, before, read(t, db).Definition())
	}
}

func TestProgressIsToldAndCanStopAPlan(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	p := planOf("CREATE TABLE a ()", "CREATE TABLE b ()", "CREATE TABLE c ()")
	type event struct {
		step int
		done bool
	}
	var told []event
	stop := errors.New("enough")
	progress := func(at event) func(int, bool) error {
		told = nil
		return func(step int, done bool) error {
			told = append(told, event{step, done})
			if told[len(told)-1] == at {
				return stop
			}
			return nil
		}
	}
	for _, at := range []event{{1, false}, {2, true}} {
		assert.ErrorIs(t, Engine{}.Publish(context.Background(), db, p, 0, progress(at)), stop)
		assert.Zero(t, read(t, db).Len())
	}
	require.NoError(t, Engine{}.Publish(context.Background(), db, p, 0, progress(event{9, true})))
	assert.Equal(t, []event{{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}}, told)
	assert.Equal(t, 3, read(t, db).Len())
}

func TestACommitThatTheServerRefusesIsAStepPastTheLast(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (a integer UNIQUE DEFERRABLE INITIALLY DEFERRED)")
	p := planOf("INSERT INTO t VALUES (1), (1)")
	var refused *designer.StepError
	require.ErrorAs(t, Engine{}.Publish(context.Background(), db, p, 0, nil), &refused)
	assert.Equal(t, 1, refused.Index)
	assert.Zero(t, one[int](t, db, "SELECT count(*) FROM t"))
}

func TestATrialGivesUpRatherThanWaitForATable(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (a integer)")
	tx, err := db.Begin()
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback()) }()
	_, err = tx.Exec("SELECT * FROM t")
	require.NoError(t, err)
	err = Engine{}.Verify(context.Background(), db, planOf("ALTER TABLE t ADD COLUMN b integer"), nil)
	var cause *pgconn.PgError
	require.ErrorAs(t, err, &cause)
	assert.Equal(t, "55P03", cause.Code, "lock_not_available")
}

// A statement that waits for a table makes everybody else wait behind it: so
// it waits for a moment at a time, and the plan is made again.
func TestAPublishBehindALockLetsOthersPass(t *testing.T) {
	for _, of := range []string{"t", "first, t"} { // those of a table that the plan has changed already wait as well
		t.Run(of, func(t *testing.T) {
			t.Parallel()
			db := open(t, "CREATE TABLE first (a integer); CREATE TABLE t (a integer)")
			p := planOf("ALTER TABLE first ADD COLUMN b integer", "ALTER TABLE t ADD COLUMN b integer")
			longest, err := enginetest.PublishBehindALock(t, Engine{}, db, p, "SELECT 1 FROM "+of)
			require.NoError(t, err, "the lock was held for less than a publish waits")
			assert.Less(t, longest, 2*time.Second)
			assert.Equal(t, 2, len(read(t, db).Tables()[1].Columns))
		})
	}
}

// What the first attempts told is not told again.
func TestProgressOfARepeatedPublishOnlyGrows(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE first (a integer); CREATE TABLE t (a integer)")
	holder, err := db.Begin()
	require.NoError(t, err)
	_, err = holder.Exec("SELECT * FROM t")
	require.NoError(t, err)
	time.AfterFunc(2*time.Second, func() { _ = holder.Rollback() })
	var told []string
	p := planOf("ALTER TABLE first ADD COLUMN b integer", "ALTER TABLE t ADD COLUMN b integer")
	require.NoError(t, Engine{}.Publish(t.Context(), db, p, 0, func(step int, done bool) error {
		told = append(told, fmt.Sprint(step, done))
		return nil
	}))
	assert.Equal(t, []string{"0 false", "0 true", "1 false", "1 true"}, told)
}

func TestATrialLeavesNoSettingsBehind(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	db.SetMaxOpenConns(1)
	want := one[string](t, db, "SELECT current_setting('lock_timeout') || current_setting('statement_timeout') || current_setting('search_path')")
	_, err := Inspect(context.Background(), db)
	require.NoError(t, err)
	require.NoError(t, Engine{}.Verify(context.Background(), db, planOf("CREATE TABLE t ()"), nil))
	require.NoError(t, Engine{}.Publish(context.Background(), db, planOf("CREATE TABLE t ()"), 0, nil))
	assert.Equal(t, want, one[string](t, db, "SELECT current_setting('lock_timeout') || current_setting('statement_timeout') || current_setting('search_path')"))
}

func TestACancelledReaderOrPublisherGetsTheReason(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Inspect(ctx, db)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, Engine{}.Publish(ctx, db, planOf("CREATE TABLE t ()"), 0, nil), context.Canceled)
	assert.Zero(t, read(t, db).Len())
}

func TestARefusedKeySaysWhichValueIsInItsWay(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE o (id integer PRIMARY KEY); CREATE TABLE t (a integer); INSERT INTO t VALUES (7), (7)")
	for statement, says := range map[string]string{
		"CREATE UNIQUE INDEX u ON t (a)":                       "Key (a)=(7) is duplicated",
		"ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES o":       "Key (a)=(7) is not present",
		"ALTER TABLE t ADD COLUMN b integer NOT NULL":          "contains null values",
		"ALTER TABLE t ADD CONSTRAINT c CHECK (a > 100)":       "violated by some row",
		"ALTER TABLE t ALTER COLUMN a TYPE date USING a::date": "cannot cast type",
	} {
		var refused *designer.StepError
		require.ErrorAs(t, Engine{}.Verify(context.Background(), db, planOf(statement), nil), &refused, statement)
		assert.Contains(t, refused.Error(), says)
	}
}
