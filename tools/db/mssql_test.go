package db

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestSQLServerAnswers(t *testing.T) {
	needs.SQLServer(t)
	const fifteen = "(SELECT n FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15)) v(n))"
	s := mssqlServed(t, "CREATE TABLE a (id INT PRIMARY KEY, n NVARCHAR(20));;\nCREATE VIEW v AS SELECT id FROM a")
	c := s.connect(t, settings{})
	t.Run("values", func(t *testing.T) {
		r := ask(t, c, `SELECT CAST(9007199254740993 AS BIGINT) AS a, CAST(1.10 AS DECIMAL(10, 2)) AS b, CAST(0.1 AS REAL) AS c, CAST(1 AS BIT) AS d, 0x00ff AS e,
			CAST('01234567-89ab-cdef-0102-030405060708' AS UNIQUEIDENTIFIER) AS f, CAST('2024-02-29' AS DATE) AS g, CAST('2024-02-29 12:34:56.789' AS DATETIME2) AS h,
			CAST('2024-02-29 12:34:56 +05:30' AS DATETIMEOFFSET) AS i, NULL AS j, N'é' AS k, 1 AS id, 2 AS id`)
		require.False(t, r.IsError, r.Content)
		assert.Contains(t, r.Content[0], `"rows":[["9007199254740993","1.10",0.1,true,{"$base64":"AP8="},"01234567-89ab-cdef-0102-030405060708","2024-02-29","2024-02-29T12:34:56.789","2024-02-29T12:34:56+05:30",null,"é",1,2]]`)
		assert.Contains(t, r.Content[0], `{"name":"b","type":"decimal(10,2)"}`)
	})
	t.Run("no rows still have columns", func(t *testing.T) {
		r := ask(t, c, "SELECT id, n FROM a")
		require.False(t, r.IsError, r.Content)
		assert.Contains(t, r.Content[0], `{"columns":[{"name":"id","type":"int"},{"name":"n","type":"nvarchar(20)"}],"rows":[],"rowCount":0`)
	})
	t.Run("limits", func(t *testing.T) {
		for limit, truncated := range map[int]bool{200: false, 201: true} {
			r := ask(t, c, fmt.Sprintf("SELECT TOP (%d) a.n FROM %s a, %[2]s b", limit, fifteen))
			require.False(t, r.IsError, r.Content)
			assert.Contains(t, r.Content[0], fmt.Sprintf(`"rowCount":200,"truncated":%v`, truncated))
		}
	})
	t.Run("the other tools", func(t *testing.T) {
		assert.Equal(t, tools.Reply{Content: []string{`["a","v"]`, `Views: ["v"]`}}, c.call(t.Context(), "get-tables", `{"includeViews":true}`))
		r := c.call(t.Context(), "get-database-type", `{}`)
		assert.Equal(t, "mssql", r.Content[0])
		assert.Contains(t, r.Content[1], "SQL Server ")
		r = c.call(t.Context(), "get-schema", `{"table":"a"}`)
		assert.Contains(t, r.Content[0], "CREATE TABLE")
	})
	t.Run("a cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		replied := make(chan tools.Reply, 1)
		go func() {
			replied <- c.call(ctx, "run-query", args(map[string]any{"query": fmt.Sprintf("SELECT COUNT(*) AS n FROM %s a, %[1]s b, %[1]s c, %[1]s d, %[1]s e, %[1]s f, %[1]s g, %[1]s h", fifteen)}))
		}()
		require.Never(t, func() bool { return len(replied) > 0 }, 2*time.Second, 50*time.Millisecond)
		start := time.Now()
		cancel()
		assert.Equal(t, []string{"the query was cancelled"}, (<-replied).Content)
		t.Logf("answered %v after the cancel", time.Since(start))
		assert.Less(t, time.Since(start), time.Second)
		require.Eventually(t, func() bool { return s.Count(t, mssqlEndured().running) == 0 }, time.Minute, 100*time.Millisecond, "the server lets go of the database")
	})
}

// The driver waits for a server's greeting without a limit.
func TestASQLServerThatSaysNothingCostsABoundedWait(t *testing.T) {
	t.Parallel()
	g := newGate(t) // it accepts, and leads nowhere
	silent := served{config: pool.Config{Name: "app", Dialect: dial.SQLServer, Address: dial.Address{User: "sa", Database: "app", SSLMode: "disable", Password: dbtest.Constant("s3cret")}}}
	c := silent.through(g).connect(t, settings{})
	start := time.Now()
	r := ask(t, c, "SELECT 1")
	assert.Less(t, time.Since(start), dial.Timeout+10*time.Second, "a query may take 30 s")
	require.Len(t, r.Content, 2)
	assert.Equal(t, fmt.Sprintf(`connection "app": %s did not answer within 5s`, g.listener.Addr()), r.Content[1])

	ctx, cancel := context.WithCancel(t.Context())
	replied := make(chan tools.Reply, 1)
	go func() { replied <- c.call(ctx, "run-query", args(map[string]any{"query": "SELECT 1"})) }()
	require.Eventually(t, func() bool { return g.count() > 1 }, 10*time.Second, 10*time.Millisecond)
	cancel()
	assert.Equal(t, []string{"the query was cancelled"}, (<-replied).Content)
}
