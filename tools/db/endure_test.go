package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// endured is a server as the tests of this file use it.
type endured struct {
	name string
	make func(t testing.TB) served
	// endless runs for very long and gives no row; rows gives ten million;
	// wide gives a row of about n megabytes.
	endless, rows string
	wide          func(megabytes int) string
	// running counts the sessions of run-query that are at work. atEndless
	// gives the ids of those that execute endless itself, and no step before
	// it; end ends the session %d.
	running, atEndless, end string
}

func endureds() []endured {
	list := []endured{
		{name: "PostgreSQL", make: func(t testing.TB) served { return postgresServed(t, "") },
			endless: "SELECT count(*) FROM generate_series(1, 1000000000000)",
			rows:    "SELECT generate_series(1, 10000000) AS n",
			wide:    func(mb int) string { return fmt.Sprintf("SELECT repeat('x', %d)", mb<<20) },
			running: "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'berth' AND state = 'active'",
			// endless is in a cursor, and nothing else is fetched.
			atEndless: "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'berth' AND state = 'active' AND query LIKE 'FETCH %'",
			end:       "SELECT pg_terminate_backend(%d)"},
		{name: "MySQL", make: func(t testing.TB) served { return mysqlServed(t) },
			endless: "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 900) SELECT COUNT(*) FROM d a, d b, d c, d e WHERE a.n + b.n + c.n + e.n < 0",
			rows:    "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 250) SELECT (a.n * 250 + b.n) * 250 + c.n AS n FROM d a, d b, d c LIMIT 10000000",
			wide: func(mb int) string {
				// One text is at most as long as a packet of the server.
				return "SELECT " + strings.TrimSuffix(strings.Repeat("REPEAT('x', 10485760), ", mb/10), ", ")
			},
			running: "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND COMMAND <> 'Sleep' AND ID <> CONNECTION_ID()",
			// It is prepared first, which is over before it is executed.
			atEndless: "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND COMMAND = 'Execute' AND INFO LIKE '%WHERE a.n + b.n + c.n + e.n < 0' AND ID <> CONNECTION_ID()",
			end:       "KILL %d"},
	}
	return append(list, mssqlEndured())
}

func mssqlEndured() endured {
	const fifteen = "(SELECT n FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15)) v(n)) "
	crossed := func(times int) string {
		from := " FROM " + fifteen + "a1"
		for i := 2; i <= times; i++ {
			from += fmt.Sprintf(", %sa%d", fifteen, i)
		}
		return from
	}
	return endured{name: "SQL Server", make: func(t testing.TB) served { return mssqlServed(t) },
		endless: "SELECT COUNT_BIG(*)" + crossed(12),
		rows:    "SELECT TOP (10000000) a1.n" + crossed(6),
		wide: func(mb int) string {
			return fmt.Sprintf("SELECT REPLICATE(CAST('x' AS VARCHAR(MAX)), %d) AS wide", mb<<20)
		},
		// Babelfish has a word of its own for what is at work.
		running:   "SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE database_id = DB_ID() AND program_name = 'berth' AND status IN ('running', 'active')",
		atEndless: "SELECT session_id FROM sys.dm_exec_sessions WHERE database_id = DB_ID() AND program_name = 'berth' AND status IN ('running', 'active')",
		end:       "KILL %d"}
}

func TestACancelledQueryIsAnsweredAndTheServerStops(t *testing.T) {
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			s := e.make(t)
			c := s.connect(t, settings{})
			ctx, cancel := context.WithCancel(t.Context())
			replied := make(chan tools.Reply, 1)
			go func() { replied <- c.call(ctx, "run-query", args(map[string]any{"query": e.endless})) }()
			require.Eventually(t, func() bool { return s.Count(t, e.running) == 1 }, 10*time.Second, 10*time.Millisecond, "it is under way")
			start := time.Now()
			cancel()
			r := <-replied
			took := time.Since(start)
			assert.Equal(t, tools.Reply{Content: []string{"the query was cancelled"}, IsError: true, Reason: "cancelled"}, r)
			require.Eventually(t, func() bool { return s.Count(t, e.running) == 0 }, 10*time.Second, 10*time.Millisecond, "the server works on")
			t.Logf("answered %v after the cancel", took)
			r = ask(t, c, "SELECT 1")
			assert.False(t, r.IsError, r.Content)
		})
	}
}

func TestAStatementHasATimeLimitOnServersToo(t *testing.T) {
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			s := e.make(t)
			c := s.connect(t, settings{Timeout: 300 * time.Millisecond})
			r := ask(t, c, e.endless)
			assert.Equal(t, []string{"the statement was ended after its time limit of 300ms; ask for less, or raise timeout in the project's settings"}, r.Content)
			require.Eventually(t, func() bool { return s.Count(t, e.running) == 0 }, 5*time.Second, 10*time.Millisecond, "the server works on")
		})
	}
}

func TestASessionEndedOnTheServerIsSaidAndReplaced(t *testing.T) {
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			s := e.make(t)
			c := s.connect(t, settings{})
			replied := make(chan tools.Reply, 1)
			go func() { replied <- c.call(t.Context(), "run-query", args(map[string]any{"query": e.endless})) }()
			var session int
			require.Eventually(t, func() bool {
				return s.Owner.QueryRowContext(t.Context(), e.atEndless).Scan(&session) == nil
			}, 10*time.Second, 10*time.Millisecond, "it is under way")
			s.Exec(t, fmt.Sprintf(e.end, session))
			select {
			case r := <-replied:
				assert.Equal(t, tools.Reply{Content: []string{dial.ErrLost.Error()}, IsError: true, Reason: "query_failed"}, r)
			case <-time.After(10 * time.Second):
				require.Fail(t, "no reply after the session was ended")
			}
			r := ask(t, c, "SELECT 1")
			assert.False(t, r.IsError, r.Content)
		})
	}
}

// gate is a way to a server that can be closed.
type gate struct {
	listener net.Listener
	mu       sync.Mutex
	to       string // ""; connections hang
	open     []net.Conn
}

func newGate(t *testing.T) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := &gate{listener: l}
	t.Cleanup(func() { _ = l.Close(); g.cut() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			g.pass(conn)
		}
	}()
	return g
}

func (g *gate) pass(conn net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = append(g.open, conn)
	if g.to == "" {
		return
	}
	server, err := net.Dial("tcp", g.to)
	if err != nil {
		_ = conn.Close()
		return
	}
	g.open = append(g.open, server)
	go func() { _, _ = io.Copy(server, conn); _ = server.Close() }()
	go func() { _, _ = io.Copy(conn, server); _ = conn.Close() }()
}

func (g *gate) count() int { g.mu.Lock(); defer g.mu.Unlock(); return len(g.open) }

func (g *gate) lead(to string) { g.mu.Lock(); defer g.mu.Unlock(); g.to = to }

// cut breaks every connection, as the restart of a server does.
func (g *gate) cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		_ = c.Close()
	}
	g.open = nil
}

// through returns the database behind the gate.
func (s served) through(g *gate) served {
	s.config.Address.Host = "127.0.0.1"
	s.config.Address.Port = g.listener.Addr().(*net.TCPAddr).Port
	return s
}

func TestADeadServerCostsABoundedWaitAndComesBack(t *testing.T) {
	t.Parallel()
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := e.make(t)
			g := newGate(t)
			c := s.through(g).connect(t, settings{})
			start := time.Now()
			r := ask(t, c, "SELECT 1")
			assert.Less(t, time.Since(start), dial.Timeout+2*time.Second)
			require.Len(t, r.Content, 2)
			assert.Equal(t, "Could not establish database connection", r.Content[0])
			assert.Equal(t, fmt.Sprintf(`connection "app": %s did not answer within 5s`, g.listener.Addr()), r.Content[1])

			g.lead(net.JoinHostPort(s.config.Address.Host, fmt.Sprint(s.config.Address.Port)))
			assert.False(t, ask(t, c, "SELECT 1").IsError, "it answers again")
			g.cut()
			assert.False(t, ask(t, c, "SELECT 1").IsError, "a restart between queries is not noticed")

			require.NoError(t, g.listener.Close())
			g.cut()
			r = ask(t, c, "SELECT 1")
			require.Len(t, r.Content, 2)
			assert.Equal(t, fmt.Sprintf(`connection "app": %s cannot be reached: connection refused`, g.listener.Addr()), r.Content[1])
		})
	}
}

func TestALoginThatIsRefusedIsExplained(t *testing.T) {
	mysql := mysqlServed(t)
	r := ask(t, mysql.connect(t, settings{}, dbtest.Login{User: "berth_nobody", Password: "s3cret"}), "SELECT 1")
	require.Len(t, r.Content, 2)
	assert.Contains(t, r.Content[1], "answered: Access denied for user 'berth_nobody'@")
	assert.NotContains(t, r.Content[1], "s3cret")

	gone := postgresServed(t, "")
	gone.config.Address.Database = "berth_no_such"
	r = ask(t, gone.connect(t, settings{}), "SELECT 1")
	assert.Contains(t, r.Content[1], `answered: database "berth_no_such" does not exist`)

	asked := 0
	c := served{config: pool.Config{Name: "app", Dialect: dial.PostgreSQL, Address: dial.Address{
		Port: refusingPostgres(t), User: "ada", Database: "app", SSLMode: "disable",
		Password: func(context.Context) (string, error) { asked++; return "s3cret", nil }}}}.connect(t, settings{})
	for n := 1; n <= 2; n++ {
		r = ask(t, c, "SELECT 1")
		require.Len(t, r.Content, 2)
		assert.Contains(t, r.Content[1], `answered: password authentication failed for user "ada"`)
		assert.NotContains(t, r.Content[1], "s3cret")
		assert.Equal(t, n, asked, "the password is asked for at each connection")
	}
	failing := served{config: pool.Config{Name: "app", Dialect: dial.PostgreSQL, Address: dial.Address{Port: refusingPostgres(t), User: "ada", SSLMode: "disable",
		Password: func(context.Context) (string, error) {
			return "", &dial.ConnectError{Cause: "the command for the password failed"}
		}}}}
	assert.Equal(t, `connection "app": its password cannot be had: the command for the password failed`, ask(t, failing.connect(t, settings{}), "SELECT 1").Content[1])
}

// refusingPostgres is a PostgreSQL that lets nobody in.
func refusingPostgres(t *testing.T) (port int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			backend := pgproto3.NewBackend(conn, conn)
			_, err = backend.ReceiveStartupMessage()
			backend.Send(&pgproto3.AuthenticationCleartextPassword{})
			_ = backend.Flush()
			_, err2 := backend.Receive()
			if errors.Join(err, err2) == nil {
				backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: `password authentication failed for user "ada"`})
				_ = backend.Flush()
			}
			_ = conn.Close()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// peak runs f and returns the most heap it had in use beyond what there was,
// looked at every millisecond.
func peak(f func()) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, most := m.HeapInuse, m.HeapInuse
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	f()
	close(done)
	<-ended
	return most - min(base, most)
}

func TestTenMillionRowsCostAReplyNothing(t *testing.T) {
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			s := e.make(t)
			c := s.connect(t, settings{})
			var r tools.Reply
			start := time.Now()
			heap := peak(func() { r = ask(t, c, e.rows) })
			took := time.Since(start)
			require.False(t, r.IsError, r.Content)
			assert.Contains(t, r.Content[0], `"rowCount":200,"truncated":true`)
			assert.Less(t, heap, uint64(16<<20))
			require.Eventually(t, func() bool { return s.Count(t, e.running) == 0 }, 5*time.Second, 10*time.Millisecond, "the server works on")
			t.Logf("200 of 10 million rows in %v with %d KiB of heap", took, heap>>10)
		})
	}
}

func TestALongValueIsBounded(t *testing.T) {
	for _, e := range long.Sample(t, 1, endureds()) {
		t.Run(e.name, func(t *testing.T) {
			c := e.make(t).connect(t, settings{})
			var r tools.Reply
			heap := peak(func() { r = ask(t, c, e.wide(50)) })
			require.False(t, r.IsError, r.Content)
			assert.LessOrEqual(t, len(r.Content[0]), 64<<10)
			assert.Contains(t, r.Content[1], "long values are cut")
			t.Logf("a row of 50 MB in a reply of %d bytes with %d MiB of heap", len(r.Content[0]), heap>>20)
			assert.Less(t, heap, uint64(5*dial.MaxRowBytes))

			heap = peak(func() {
				r = c.call(t.Context(), "run-query", args(map[string]any{"query": e.wide(50), "toFile": true}))
			})
			require.False(t, r.IsError, r.Content)
			t.Logf("to a file with %d MiB of heap: %s", heap>>20, r.Content[0])
			assert.Less(t, heap, uint64(7*dial.MaxRowBytes))

			heap = peak(func() { r = ask(t, c, e.wide(80)) })
			assert.Equal(t, []string{dial.ErrRowTooBig.Error()}, r.Content)
			t.Logf("a row of 80 MB is refused with %d MiB of heap", heap>>20)
			assert.False(t, ask(t, c, "SELECT 1").IsError)
		})
	}
}
