package source

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// scratchNames lists those of the server that one of the names is.
func scratchNames(t *testing.T, c *Sources, names ...string) (there []string) {
	t.Helper()
	all, err := c.ScratchOn(t.Context(), "app")
	require.NoError(t, err)
	for _, s := range all {
		if slices.Contains(names, s.Name) {
			there = append(there, s.Name)
		}
	}
	return there
}

func TestASweepDropsWhatThisProjectLeftAndNothingElse(t *testing.T) {
	for name, c := range map[string]struct {
		serve      func(t *testing.T) dbtest.Server
		make, drop []string
	}{
		"mysql": {func(t *testing.T) dbtest.Server { return dbtest.MySQL(t) }, []string{"CREATE DATABASE "}, []string{"DROP DATABASE IF EXISTS "}},
		"postgres": {func(t *testing.T) dbtest.Server { return dbtest.Postgres(t, "") },
			[]string{"CREATE ROLE ", "CREATE DATABASE "}, []string{"DROP DATABASE IF EXISTS ", "DROP ROLE IF EXISTS "}},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := c.serve(t), filepath.Join(t.TempDir(), "copies", "app")
			var log bytes.Buffer
			opts := Options{Copies: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			killed, next := sourcesOf(t, opts, configOf(s)), sourcesOf(t, opts, configOf(s))
			begin := func(c *Sources, name string) {
				require.NoError(t, c.scratch.begin(name, scratchRecord{Connection: "app", Server: s.Address.Server(s.Dialect)}))
			}
			name := func(c *Sources) string {
				name, err := engine.BeginScratch(c.scratch.on(t.Context(), "nowhere", ""))
				require.NoError(t, err)
				c.scratch.end(name, true)
				return name
			}
			left, inUse := name(killed), name(next)
			foreign := name(&Sources{scratch: newScratchBook(filepath.Join(t.TempDir(), "elsewhere"))})
			begin(killed, left)
			begin(next, inUse)
			begin(next, foreign) // as in a home that was copied from another host
			next.scratch.live = map[string]bool{inUse: true}
			for _, name := range []string{left, inUse, foreign} {
				t.Cleanup(func() {
					for _, statement := range c.drop {
						_, err := s.Owner.Exec(statement + name)
						require.NoError(t, err)
					}
				})
				for _, statement := range c.make {
					s.Exec(t, statement+name)
				}
			}
			require.ElementsMatch(t, []string{left, inUse, foreign}, scratchNames(t, next, left, inUse, foreign))

			next.sweepOnce(t.Context())
			assert.ElementsMatch(t, []string{inUse, foreign}, scratchNames(t, next, left, inUse, foreign))
			assert.Contains(t, log.String(), left)
			assert.NotContains(t, log.String(), inUse)
			next.sweepOnce(t.Context())
			assert.FileExists(t, filepath.Join(dir, left), "the server might still be creating it")
			old := time.Now().Add(-2 * sweepDoubt)
			require.NoError(t, os.Chtimes(filepath.Join(dir, left), old, old))
			next.sweepOnce(t.Context())
			assert.NoFileExists(t, filepath.Join(dir, left))
			assert.FileExists(t, filepath.Join(dir, inUse))
		})
	}
}

// countingListener accepts connections, counts them and answers nothing.
func countingListener(t *testing.T) (port int, accepted *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	accepted = new(atomic.Int32)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			defer conn.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return l.Addr().(*net.TCPAddr).Port, accepted
}

func TestASweepContactsOnlyWhereSomethingWasLeftAndMayBeReached(t *testing.T) {
	port, accepted := countingListener(t)
	cfg := pool.Config{Name: "app", Dialect: dial.MySQL, Address: dial.Address{Host: "127.0.0.1", Port: port, User: "root", Database: "x"}}
	dir := filepath.Join(t.TempDir(), "copies", "app")
	record := func(server string) string {
		book := newScratchBook(dir)
		name, err := engine.BeginScratch(book.on(t.Context(), "app", server))
		require.NoError(t, err)
		return filepath.Join(dir, name)
	}
	var log bytes.Buffer
	with := func(cfg pool.Config) *Sources {
		return sourcesOf(t, Options{Copies: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}, cfg)
	}

	with(cfg).sweepOnce(t.Context())
	assert.Zero(t, accepted.Load(), "nothing was left")
	assert.Empty(t, log.String())

	path := record(cfg.Address.Server(cfg.Dialect))
	withheld := cfg
	withheld.Withheld = "it waits for your trust"
	with(withheld).sweepOnce(t.Context())
	assert.Zero(t, accepted.Load(), "it is withheld")
	assert.Contains(t, log.String(), "it waits for your trust")
	assert.FileExists(t, path)

	renamed := cfg
	renamed.Name = "another"
	log.Reset()
	with(renamed).sweepOnce(t.Context())
	assert.Zero(t, accepted.Load(), "another connection")
	assert.Contains(t, log.String(), "not dropped yet")
	recorded, err := with(renamed).ScratchRecorded()
	require.NoError(t, err)
	require.Len(t, recorded, 1, "the doctor names it")
	assert.Equal(t, filepath.Base(path), recorded[0].Name)

	// A server that accepts and says nothing keeps neither the start nor the end waiting.
	silent := with(cfg)
	silent.SweepScratch()
	require.Eventually(t, func() bool { return accepted.Load() > 0 }, 10*time.Second, time.Millisecond)
	require.NoError(t, silent.connections.Close())
	assert.FileExists(t, path)
}

func TestSweepsComeAtOnceAndThenHourly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		begun, sweeps := time.Now(), make(chan time.Duration, 10)
		go repeatSweep(ctx, func(context.Context) { sweeps <- time.Since(begun) })
		synctest.Wait()
		assert.Len(t, sweeps, 1, "at once")
		time.Sleep(3 * time.Hour)
		cancel()
		synctest.Wait()
		close(sweeps)
		var at []time.Duration
		for sweep := range sweeps {
			at = append(at, sweep)
		}
		third := 5*time.Second + sweepDoubt
		assert.Equal(t, []time.Duration{0, 5 * time.Second, third, third + time.Hour, third + 2*time.Hour}, at)
	})
}

func TestWhatIsOnAnotherServerStaysRecorded(t *testing.T) {
	s, dir := dbtest.MySQL(t), filepath.Join(t.TempDir(), "copies", "app")
	var log bytes.Buffer
	c := sourcesOf(t, Options{Copies: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}, configOf(s))
	name, err := engine.BeginScratch(newScratchBook(dir).on(t.Context(), "app", "db.example:3306"))
	require.NoError(t, err)
	old := time.Now().Add(-2 * sweepDoubt)
	require.NoError(t, os.Chtimes(filepath.Join(dir, name), old, old))
	c.sweepOnce(t.Context())
	assert.Contains(t, log.String(), "they are on db.example:3306")
	assert.FileExists(t, filepath.Join(dir, name))
}

func TestOnlyRecordsAreRead(t *testing.T) {
	dir := t.TempDir()
	book := newScratchBook(dir)
	name := func(last string) string {
		return engine.ScratchPrefix + book.owner + "_6b02c81b_000000000000000" + last
	}
	for file, text := range map[string]string{name("1"): "", name("2"): "{", name("3"): strings.Repeat(" ", 65<<10) + "{}",
		"notes.txt": "{}", name("4"): `{"connection":"app","server":"x"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, name("5")), 0o700))
	left, err := book.left()
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, name("4"), left[0].Name)
	missing, err := newScratchBook(filepath.Join(dir, "none")).left()
	require.NoError(t, err)
	assert.Empty(t, missing)
	unrecorded, err := newScratchBook("").left()
	require.NoError(t, err)
	assert.Empty(t, unrecorded)
}
