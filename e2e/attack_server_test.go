package e2e

import (
	"bufio"
	"context"
	crand "crypto/rand"
	"database/sql"
	wire "encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/long"
)

// liar is a proxy between an instance and a real server that changes the
// server's answers, message by message, so that lies come at every step of a
// conversation. tools/db has the servers that lie from the first word on.
type liar struct {
	net.Listener
	server string
	size   func(head []byte) int // of a message, without its head of headLength
	head   int

	mu     sync.Mutex // guards what follows
	dice   *rand.Rand
	honest bool
	told   int
}

func newLiar(t *testing.T, server string, head int, size func([]byte) int, dice *rand.Rand) *liar {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	a := &liar{Listener: l, server: server, head: head, size: size, dice: dice, honest: true}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go a.between(conn)
		}
	}()
	return a
}

// between forwards the client's messages and changes the answers.
func (a *liar) between(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", a.server)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	answers := bufio.NewReader(server)
	var before []byte
	for {
		message := make([]byte, a.head)
		if _, err := io.ReadFull(answers, message); err != nil {
			return
		}
		size := a.size(message)
		if size < 0 || size > 1<<26 {
			return
		}
		message = append(message, make([]byte, size)...)
		if _, err := io.ReadFull(answers, message[a.head:]); err != nil {
			return
		}
		said := a.lie(message, before)
		if said == nil {
			return
		}
		if _, err := client.Write(said); err != nil {
			return
		}
		before = message
	}
}

// lie returns the replacement of a message: mostly the message itself; nil:
// nothing more.
func (a *liar) lie(message, before []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.honest || a.dice.IntN(12) > 0 {
		return message
	}
	a.told++
	body := append([]byte{}, message[a.head:]...)
	switch a.dice.IntN(9) {
	case 0:
		return nil
	case 1:
		return append(message, message...)
	case 2:
		return append(append([]byte{}, before...), message...)
	case 3:
		body = body[:a.dice.IntN(len(body)+1)]
	case 4:
		body = []byte{}
	case 5, 6:
		for range 1 + a.dice.IntN(3) {
			if len(body) > 0 {
				body[a.dice.IntN(len(body))] = byte(a.dice.IntN(256))
			}
		}
	case 7:
		for i := range body {
			body[i] = byte(a.dice.IntN(256))
		}
	case 8: // the length is wrong
		said := append([]byte{}, message...)
		said[a.dice.IntN(a.head)] = byte(a.dice.IntN(256))
		return said
	}
	return a.framed(message[:a.head], body)
}

// framed is body behind a head that has its length.
func (a *liar) framed(head, body []byte) []byte {
	said := append([]byte{}, head...)
	if a.head == 5 {
		wire.BigEndian.PutUint32(said[1:], uint32(len(body)+4))
	} else {
		said[0], said[1], said[2] = byte(len(body)), byte(len(body)>>8), byte(len(body)>>16)
	}
	return append(said, body...)
}

func (a *liar) speak(honestly bool) (told int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.honest = honestly
	return a.told
}

// lied are the calls that ask a server something.
var lied = []struct {
	tool string
	args map[string]any
}{
	{"get-tables", map[string]any{"includeViews": true}},
	{"get-schema", map[string]any{"table": "ships"}},
	{"get-database-type", nil},
	{"run-query", map[string]any{"query": "SELECT id, lower(name) FROM ships"}},
	{"run-query", map[string]any{"query": "SELECT count(*) FROM fleet"}},
	{"explain-query", map[string]any{"query": "SELECT * FROM ships"}},
	{"sample-table", map[string]any{"table": "ships"}},
	{"search-schema", map[string]any{"pattern": "*", "detail": "full"}},
	{"list-connections", nil},
	{designer, map[string]any{"operation": "show"}},
}

// TestAnInstanceOutlivesALyingServer: every call gets a reply, and when the
// server speaks the truth again, so does the instance.
func TestAnInstanceOutlivesALyingServer(t *testing.T) {
	long.Thoroughly(t)
	t.Parallel()
	setup := []string{"CREATE TABLE ships (id int PRIMARY KEY, name varchar(20))", "INSERT INTO ships VALUES (1, 'Ada'), (2, 'Eva')", "CREATE VIEW fleet AS SELECT id FROM ships"}
	// The real server believes what an instance says that was lied to, such as
	// which session to end. So it logs in as a user who can end no other's.
	login := func(t *testing.T, db *sql.DB, create, drop string, grants ...string) *url.Userinfo {
		user := "berth_lied_" + strings.ToLower(crand.Text()[:8])
		for _, statement := range append(append(slices.Clone(setup), create), grants...) {
			_, err := db.Exec(strings.ReplaceAll(statement, "{user}", user))
			require.NoError(t, err, statement)
		}
		t.Cleanup(func() {
			_, err := db.Exec(strings.ReplaceAll(drop, "{user}", user))
			require.NoError(t, err)
		})
		return url.UserPassword(user, "harbour")
	}
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		db, dsn := enginetest.Postgres().New(t)
		u, err := url.Parse(dsn)
		require.NoError(t, err)
		u.User = login(t, db, "CREATE ROLE {user} LOGIN PASSWORD 'harbour'", "DROP OWNED BY {user}; DROP ROLE {user}",
			"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}")
		a := newLiar(t, u.Host, 5, func(head []byte) int { return int(int32(wire.BigEndian.Uint32(head[1:]))) - 4 }, long.Dice(t))
		u.Host = a.Addr().String()
		outlive(t, a, u.String())
	})
	t.Run("mysql", func(t *testing.T) {
		t.Parallel()
		db, dsn := enginetest.MySQL().New(t)
		c, err := mysql.ParseDSN(dsn)
		require.NoError(t, err)
		user := login(t, db, "CREATE USER '{user}'@'%' IDENTIFIED BY 'harbour'", "DROP USER '{user}'@'%'",
			"GRANT SELECT, SHOW VIEW ON `"+c.DBName+"`.* TO '{user}'@'%'")
		a := newLiar(t, c.Addr, 4, func(head []byte) int { return int(head[0]) | int(head[1])<<8 | int(head[2])<<16 }, long.Dice(t))
		u := url.URL{Scheme: "mysql", User: user, Host: a.Addr().String(), Path: "/" + c.DBName}
		outlive(t, a, u.String())
	})
}

func outlive(t *testing.T, a *liar, dsn string) {
	w := newWorld(t)
	root := w.project("app", "")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	config := "connections:\n  main:\n    url: " + strconv.Quote(dsn) + "\n    timeout: 500ms\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(config), 0o644))
	in, client := w.serve(root), w.agent()
	a.speak(false)
	errors := 0
	rounds := long.Rounds(60, 300)
	for i := range rounds {
		asked := lied[i%len(lied)]
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		got, err := client.try(ctx, root, asked.tool, asked.args)
		cancel()
		require.NoError(t, err, "round %d, %s: no reply; stderr: %s", i, asked.tool, in.stderr)
		if got.isError {
			errors++
		}
		assert.NotContains(t, strings.Join(got.items, " "), "runtime error", "round %d, %s", i, asked.tool)
	}
	t.Logf("%d lies in %d calls, %d of which were answered with an error", a.speak(true), rounds, errors)
	require.Eventually(t, func() bool {
		got := client.ask(root, "run-query", map[string]any{"query": "SELECT 6 * 7 AS n"})
		return !got.isError && strings.Contains(got.text(), "[[42]]")
	}, patience, 100*time.Millisecond, "the instance answers truly again")
	select {
	case <-in.done:
		require.Fail(t, "the instance ended", "stderr: %s", in.stderr)
	default: // it is the same process that answered
	}
}
