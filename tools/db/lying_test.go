package db

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
)

// The tests of a lying server: whatever it sends is an error of the call that
// asked, in words, within its time and a bounded part of the memory.

// lyingTimeout is how long a call waits for a server that lies.
const lyingTimeout = 700 * time.Millisecond

// lie is one way of answering wrongly. It serves a connection and returns
// when it is closed.
type lie struct {
	name  string
	serve func(net.Conn)
	once  bool // to one call is enough: it costs much, or there are many of its kind
}

// newLyingServer answers every connection with the lie.
func newLyingServer(t testing.TB, told lie) (port int) {
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
			go func() {
				defer conn.Close()
				told.serve(conn)
			}()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// queryCall is the index of run-query in liedTo.
const queryCall = 3

// lied is a call that asks a server something.
type lied struct {
	name string
	call func(t testing.TB, c testProject) (texts []string)
}

// liedTo lists every way in which a server is asked.
func liedTo() []lied {
	var all []lied
	tool := func(name string, arguments map[string]any) {
		all = append(all, lied{name, func(t testing.TB, c testProject) []string {
			return c.call(t.Context(), name, args(arguments)).Content
		}})
	}
	tool("get-tables", map[string]any{"includeViews": true})
	tool("get-schema", map[string]any{"table": "t"})
	tool("get-database-type", map[string]any{})
	tool("run-query", map[string]any{"query": "SELECT f(a) FROM t"})
	tool("run-query", map[string]any{"query": "SELECT a FROM t", "toFile": true})
	tool("execute-sql", map[string]any{"statement": "DELETE FROM t"})
	tool("execute-sql", map[string]any{"statement": "SELECT * FROM t"})
	tool("execute-sql", map[string]any{"statement": "CREATE TABLE u (a int)"})
	tool("explain-query", map[string]any{"query": "SELECT a FROM t"})
	tool("sample-table", map[string]any{"table": "t"})
	tool("search-schema", map[string]any{"pattern": "t", "detail": "full"})
	tool("list-connections", map[string]any{})
	ofSource := func(name string, ask func(context.Context, *source.Source) error) {
		all = append(all, lied{name, func(t testing.TB, c testProject) []string {
			s, err := c.Source(t.Context(), "app")
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), lyingTimeout)
			defer cancel()
			if err = ask(ctx, s); err == nil {
				return nil
			}
			var plain interface{ Plain() string }
			if errors.As(err, &plain) {
				return []string{plain.Plain()}
			}
			return []string{err.Error()}
		}})
	}
	ofSource("read the design", func(ctx context.Context, s *source.Source) error { _, err := s.Read(ctx); return err })
	plan := designer.Plan{Steps: []designer.Step{{Statement: "CREATE TABLE u (a int)"}}}
	ofSource("verify", func(ctx context.Context, s *source.Source) error { return s.Verify(ctx, plan, nil) })
	ofSource("publish", func(ctx context.Context, s *source.Source) error {
		return s.Publish(ctx, plan, 0, designer.Guard{}, func(int, bool) error { return nil })
	})
	ofSource("load", func(ctx context.Context, s *source.Source) error {
		_, err := s.Load(ctx, "CREATE TABLE u (a int);")
		return err
	})
	return all
}

// rawWords are a driver's or the runtime's own, which say nothing to a person.
var rawWords = []string{"sql: ", "invalid body length", "pgproto3", "driver: ", "runtime error", "index out of range", "unexpected EOF", "unknown token",
	"malformed packet", "convert field", "message type", "message length", "conn closed", "unexpected ", "body is", "nil pointer", "interface conversion", "makeslice"}

// endureLies has every call ask a server that tells every lie. Each lie has a
// server of its own and is told beside others: most of the time goes by in
// waiting for answers that do not come.
func endureLies(t *testing.T, cfg pool.Config, lies []lie) {
	t.Helper()
	cfg.Name, cfg.AllowWrites = "app", true
	cfg.Address.Host, cfg.Address.User, cfg.Address.Database, cfg.Address.SSLMode = "127.0.0.1", "u", "d", "disable"
	for _, told := range lies {
		t.Run(told.name, func(t *testing.T) {
			if cfg.Dialect != dial.SQLServer { // its driver's pooled buffers are written to while a broken connection still reads them
				t.Parallel()
			}
			cfg := cfg
			cfg.Address.Port = newLyingServer(t, told)
			c := connections(t, t.TempDir(), settings{Connections: []pool.Config{cfg}, NoDiscovery: true, Timeout: lyingTimeout})
			for i, asked := range liedTo() {
				if told.once && i != queryCall && !long.On() {
					continue
				}
				for _, text := range asked.call(t, c) {
					for _, raw := range rawWords {
						assert.NotContains(t, text, raw, "%s, lied to with %s", asked.name, told.name)
					}
				}
			}
			_ = c.Close() // what a lie holds up ends with its connection
		})
	}
}
