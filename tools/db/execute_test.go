package db

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// execute calls execute-sql; f changes the call.
func (p testProject) executeCall(ctx context.Context, statement string, f ...func(*tools.Call)) tools.Reply {
	arguments, _ := json.Marshal(map[string]string{"statement": statement})
	call := tools.Call{Tool: "execute-sql", Arguments: arguments}
	for _, change := range f {
		change(&call)
	}
	return p.Handlers()["execute-sql"](ctx, call)
}

func asking(c *tools.Call) { c.Client.Elicitation = true }

func answered(ask *tools.Ask, answer string) func(*tools.Call) {
	return func(c *tools.Call) {
		c.Client.Elicitation = true
		c.State, c.Answers = ask.State, json.RawMessage(answer)
	}
}

const accepted = `{"confirm":{"action":"accept","content":{"decision":"approve"}}}`

func TestAStatementRunsOnceAfterAPersonApprovedIt(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "app", Path: "app.db"}}})
	count := func() string {
		return c.call(t.Context(), "run-query", `{"query":"SELECT count(*) AS n FROM t"}`).Content[0]
	}
	const insert = "INSERT INTO t (b) VALUES ('x'), ('y')"

	r := c.executeCall(t.Context(), insert, asking)
	require.NotNil(t, r.Ask)
	assert.Contains(t, string(r.Ask.Requests), `Run this on the file app.db of connection \"app\"?\nINSERT INTO t (b) VALUES ('x'), ('y')`)
	assert.Contains(t, count(), `"rows":[[0]]`, "a question changes nothing")

	declined := c.executeCall(t.Context(), insert, answered(r.Ask, `{"confirm":{"action":"accept","content":{"decision":"reject"}}}`))
	assert.True(t, declined.IsError)
	assert.JSONEq(t, `{"success":false,"reason":"declined","message":"to the question the client answered reject; nothing was changed. Do not repeat it without being asked to"}`, declined.Content[0])

	r = c.executeCall(t.Context(), insert, asking)
	other := c.executeCall(t.Context(), insert+"; -- more", answered(r.Ask, accepted))
	assert.Contains(t, other.Content[0], "is not the one that was asked about")
	assert.Contains(t, count(), `"rows":[[0]]`)

	r = c.executeCall(t.Context(), insert, asking)
	done := c.executeCall(t.Context(), insert, answered(r.Ask, accepted))
	require.False(t, done.IsError, done.Content)
	assert.Contains(t, done.Content[0], `{"rowsAffected":2,"elapsedMs":`)
	assert.Contains(t, count(), `"rows":[[2]]`)
	again := c.executeCall(t.Context(), insert, answered(r.Ask, accepted))
	assert.Contains(t, again.Content[0], "it was used before")
	assert.Contains(t, count(), `"rows":[[2]]`)
}

func TestWithoutAPersonToAskNothingRuns(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a)")
	c := connections(t, root, settings{})
	r := c.executeCall(t.Context(), "DELETE FROM t")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], `"reason":"approval_required","message":"A person must approve this; nothing was changed.`)
	assert.NotContains(t, r.Content[0], "run-query")
	assert.Contains(t, c.executeCall(t.Context(), "SELECT 1").Content[0], "If it only reads, run-query answers it and asks nobody")
	long := "DELETE FROM t WHERE a IN (" + strings.Repeat("1, ", 3000) + "1)"
	r = c.executeCall(t.Context(), long, asking)
	assert.Contains(t, r.Content[0], `"reason":"approval_required"`, "no form shows it whole")
	waiting := c.Tools.opts.Ledger.List()
	require.Len(t, waiting, 3)
	assert.Equal(t, long, waiting[2].Detail)
	assert.Equal(t, `Run this on the file app.db of connection "app.db"?`, waiting[2].Title)
}

func planned(id string) func(*tools.Call) {
	return func(c *tools.Call) {
		c.Arguments = append(bytes.TrimSuffix(c.Arguments, []byte("}")), `,"plan_id":"`+id+`"}`...)
	}
}

func TestAnApprovedStatementRunsOnceOnTheDatabaseThatItWasApprovedFor(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a)")
	dbtest.SQLite(t, root, "live.db", "CREATE TABLE t (a)")
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "app", Path: "app.db"}}})
	rows := func() string {
		return c.call(t.Context(), "run-query", `{"query":"SELECT count(*) FROM t"}`).Content[0]
	}
	const insert = "INSERT INTO t VALUES (1)"
	file := func() string {
		c.executeCall(t.Context(), insert)
		waiting := c.Tools.opts.Ledger.List()
		return waiting[len(waiting)-1].ID
	}
	id := file()
	r := c.executeCall(t.Context(), insert, planned(id))
	assert.Contains(t, r.Content[0], `"reason":"approval_required"`, "nobody has decided")
	assert.Contains(t, r.Content[0], id)
	_, err := c.Tools.opts.Ledger.Settle(id, true, "")
	require.NoError(t, err)
	r = c.executeCall(t.Context(), insert, planned(id))
	require.False(t, r.IsError, r.Content)
	assert.True(t, c.executeCall(t.Context(), insert, planned(id)).IsError)
	assert.Contains(t, rows(), `"rows":[[1]]`)

	id = file()
	_, err = c.Tools.opts.Ledger.Settle(id, true, "")
	require.NoError(t, err)
	c.Update([]pool.Config{{Name: "app", Path: "live.db"}}, "", nil)
	r = c.executeCall(t.Context(), insert, planned(id))
	assert.Contains(t, r.Content[0], "is not the one that was asked about")
	assert.Contains(t, rows(), `"rows":[[0]]`)
}

// writing is a project whose one connection allows writes.
func writing(t *testing.T, script string) testProject {
	t.Helper()
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", script)
	return connections(t, root, settings{Connections: []pool.Config{{Name: "app", Path: "app.db", AllowWrites: true}},
		DesignerOpen: func() bool { return true }})
}

func TestAStatementTellsWhatItDid(t *testing.T) {
	c := writing(t, "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE); CREATE TABLE u (a REFERENCES t ON DELETE CASCADE); INSERT INTO t VALUES (1, 'x'), (2, 'y'); INSERT INTO u VALUES (1), (1)")
	for _, tt := range []struct{ statement, first, second string }{
		{"UPDATE t SET b = b || '!'", `"rowsAffected":2`, ""},
		{"UPDATE t SET b = 1 WHERE a = 9", `"rowsAffected":0`, ""},
		{"DELETE FROM t WHERE a = 1", `"rowsAffected":1`, ""},
		{"INSERT INTO t (b) VALUES ('p'), ('q') RETURNING a, b;", `"rows":[[3,"p"],[4,"q"]],"rowCount":2,"truncated":false`, "untrusted"},
		{"SELECT count(*) AS n FROM u", `"rows":[[0]]`, "untrusted"},
		{"CREATE INDEX i ON t (b)", `"rowsAffected":0`, "A schema design is open"},
		{"CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET b = CASE WHEN 1 THEN 'z' END WHERE a = new.a; END;", `"rowsAffected":0`, "A schema design is open"},
		{"VACUUM", `"rowsAffected":0`, ""},
		{"WITH x AS (SELECT 9 AS a) INSERT INTO t (a) SELECT a FROM x", `"rowsAffected":1`, ""},
	} {
		t.Run(tt.statement, func(t *testing.T) {
			r := c.executeCall(t.Context(), tt.statement)
			require.False(t, r.IsError, r.Content)
			assert.Contains(t, r.Content[0], tt.first)
			assert.True(t, json.Valid([]byte(r.Content[0])), r.Content[0])
			if tt.second == "" {
				assert.Len(t, r.Content, 1)
			} else {
				assert.Contains(t, r.Content[1], tt.second)
			}
		})
	}
	r := c.executeCall(t.Context(), "INSERT INTO t (b) VALUES ('q')")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], "UNIQUE constraint failed: t.b")
}

func TestRowsBeyondTheReplysLimitAreMadeNevertheless(t *testing.T) {
	c := writing(t, "CREATE TABLE t (a)")
	r := c.executeCall(t.Context(), "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i FROM n RETURNING a")
	require.False(t, r.IsError, r.Content)
	assert.Contains(t, r.Content[0], `"rowCount":200,"truncated":true`)
	assert.Contains(t, r.Content[0], `"rowsAffected":1000}`)
	assert.Contains(t, c.call(t.Context(), "run-query", `{"query":"SELECT count(*) FROM t"}`).Content[0], `"rows":[[1000]]`)
}

func TestAStatementThatIsEndedLeavesNothing(t *testing.T) {
	c := writing(t, "CREATE TABLE t (a)")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	r := c.executeCall(ctx, "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT i FROM n")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0], "nothing was changed")
	assert.Contains(t, c.call(t.Context(), "run-query", `{"query":"SELECT count(*) FROM t"}`).Content[0], `"rows":[[0]]`)
}

func TestAReadOnlyAddressIsNotWrittenTo(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a)")
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "app", Path: "app.db", ReadOnly: true, AllowWrites: true}}})
	r := c.executeCall(t.Context(), "DELETE FROM t")
	assert.True(t, r.IsError)
	assert.Equal(t, `connection "app" is opened with mode=ro; nothing is written to it`, r.Content[0])
}

func TestExecutingOnPostgres(t *testing.T) {
	t.Parallel()
	s := postgresServed(t, "CREATE TABLE t (a serial PRIMARY KEY, b bytea, c numeric(20,10)); CREATE TABLE d (x int, CONSTRAINT k UNIQUE (x) DEFERRABLE INITIALLY DEFERRED)")
	s.config.AllowWrites = true
	c := s.connect(t, settings{Timeout: 2 * time.Second})
	for _, tt := range []struct{ statement, want string }{
		{"INSERT INTO t (b, c) VALUES ('\\x00ff', 1.5) RETURNING a, b, c", `"rows":[[1,{"$base64":"AP8="},"1.5000000000"]],"rowCount":1,"truncated":false`},
		{"UPDATE t SET c = 2", `{"rowsAffected":1,`},
		{"VACUUM t", `{"rowsAffected":0,`},
		{"CREATE INDEX CONCURRENTLY i ON t (c)", `{"rowsAffected":0,`},
		{"DO $$ BEGIN DELETE FROM t; END $$", `{"rowsAffected":0,`},
		{"CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC; SELECT 1; SELECT 2; END", `{"rowsAffected":0,`},
		{"INSERT INTO d VALUES (1), (1)", `duplicate key value violates unique constraint "k"`},
		{"UPDATE t SET nope = 1", `column "nope" of relation "t" does not exist`},
		{"CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1'; DROP TABLE t", "cannot insert multiple commands into a prepared statement"},
		{"INSERT INTO t (c) SELECT 1 FROM pg_sleep(20)", "time limit of 2s; ask for less, or raise timeout in the project's settings; nothing was changed"},
	} {
		t.Run(tt.statement, func(t *testing.T) {
			r := c.executeCall(t.Context(), tt.statement)
			assert.Contains(t, r.Content[0], tt.want)
			assert.Equal(t, !strings.HasPrefix(r.Content[0], "{"), r.IsError)
		})
	}
	assert.Contains(t, c.call(t.Context(), "run-query", `{"query":"SELECT (SELECT count(*) FROM t) + (SELECT count(*) FROM d) AS n"}`).Content[0], `"rows":[[0]]`)
}
