package driver

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAQueryFindsAConnectionMadeAndNoHarmInADeadOne(t *testing.T) {
	s := mysqlServed(t)
	c := s.connect(t)
	require.False(t, ask(t, c, "SELECT 1").IsError)
	d := c.(*mysqlDatabase)
	ready := func() *unusedConn { d.spare.mu.Lock(); defer d.spare.mu.Unlock(); return d.spare.ready }
	require.Eventually(t, func() bool { return ready() != nil }, 10*time.Second, time.Millisecond)

	const others = "FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND COMMAND = 'Sleep' AND ID <> CONNECTION_ID()"
	// The one that waits. The server lists a connection as asleep a moment after
	// it answered on it, and still a moment after it was closed.
	waiting := func() (session int) {
		require.Eventually(t, func() bool {
			var n int
			err := s.Owner.QueryRow("SELECT COUNT(*), COALESCE(MAX(ID), 0) "+others).Scan(&n, &session)
			return err == nil && n == 1
		}, 10*time.Second, time.Millisecond)
		return session
	}
	s.Exec(t, "CREATE TABLE later (a INT)")
	s.Exec(t, "INSERT INTO later VALUES (1)")
	r := ask(t, c, "SELECT a FROM later")
	assert.Contains(t, r.Content[0], `"rows":[[1]]`, "its transaction sees what came after it")
	s.Exec(t, "DROP TABLE later")
	require.Eventually(t, func() bool { return ready() != nil }, 10*time.Second, time.Millisecond)
	first := ready()
	session := waiting()
	r = ask(t, c, "SELECT CONNECTION_ID() AS id")
	assert.Contains(t, r.Content[0], fmt.Sprintf(`"rows":[[%d]]`, session), "it was used")
	require.Eventually(t, func() bool { return ready() != nil }, 10*time.Second, time.Millisecond)
	assert.NotSame(t, first, ready(), "and never again")

	s.Exec(t, fmt.Sprintf("KILL %d", waiting()))
	r = ask(t, c, "SELECT 1")
	assert.False(t, r.IsError, r.Content)

	require.NoError(t, c.Close())
	require.Eventually(t, func() bool { return s.Count(t, "SELECT COUNT(*) "+others) == 0 }, 10*time.Second, 10*time.Millisecond, "none is left open")
	d.spare.refill()
	assert.Nil(t, ready())
}
