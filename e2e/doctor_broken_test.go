package e2e

import (
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// broken is one way in which a project, or berth's own folder, does not work.
type broken struct {
	files  map[string]string // of the project
	own    string            // the user's own settings
	make   func(t *testing.T, w *world, root string)
	says   string // what doctor finds, a regular expression of its line
	hint   string // what it says to do, likewise
	choice bool   // it is as a person has it, or waits for one: no problem
}

// in is the project's settings with one connection of this address.
func in(address string) map[string]string {
	return map[string]string{".berth/config.yaml": "connections:\n  main: " + address + "\n"}
}

// env is a project that names a database for another program.
func env(address string) map[string]string {
	return map[string]string{".env": "DATABASE_URL=" + address + "\n"}
}

// closedPort is one that nothing listens on: it was given to this test.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// magicAndGarbage is a file that a look at its first bytes takes for a SQLite
// database.
func magicAndGarbage() string {
	var text strings.Builder
	text.WriteString("SQLite format 3\x00")
	dice := rand.New(rand.NewPCG(1, 2))
	for text.Len() < 4096 {
		text.WriteByte(byte(dice.IntN(256)))
	}
	return text.String()
}

// brokenServers are the ways in which a server refuses, named in the settings
// and found in another program's file.
func brokenServers(t *testing.T, into map[string]broken) {
	refused := closedPort(t)
	for dialect, server := range map[string]enginetest.Server{"postgres": enginetest.Postgres(), "mysql": enginetest.MySQL()} {
		_, dsn := server.New(t)
		good := asURL(t, dialect, dsn)
		spelled := func(change func(*url.URL)) string {
			u := *good
			change(&u)
			return u.String()
		}
		check := "check user, password and database of the connection"
		for name, one := range map[string]struct{ address, says, hint string }{
			"wrong role":         {spelled(func(u *url.URL) { u.User = url.UserPassword("berth_nobody", "x") }), "answered: .*berth_nobody", check},
			"unknown database":   {spelled(func(u *url.URL) { u.Path = "/berth_no_such" }), "answered: .*berth_no_such", check},
			"connection refused": {spelled(func(u *url.URL) { u.Host = refused }), "cannot be reached: connection refused", "start the server, or check host and port"},
			"unknown host":       {spelled(func(u *url.URL) { u.Host = "berth-no-such.invalid" }), "cannot be reached: no such host", "check the host's name"},
		} {
			into[name+", "+dialect] = broken{files: in("{url: '" + one.address + "'}"), own: "trust: all\n", says: one.says + `.*\(.*config.yaml:2\)`, hint: one.hint}
			into[name+", found, "+dialect] = broken{files: env(one.address), own: "trust: all\n", says: one.says + `.*\(\.env:1\)`, hint: one.hint}
		}
	}
}

// asURL is the address of a test's database.
func asURL(t *testing.T, dialect, dsn string) *url.URL {
	t.Helper()
	if dialect != "mysql" {
		u, err := url.Parse(dsn)
		require.NoError(t, err)
		return u
	}
	c, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	u := &url.URL{Scheme: dialect, User: url.User(c.User), Host: c.Addr, Path: "/" + c.DBName}
	if c.Passwd != "" {
		u.User = url.UserPassword(c.User, c.Passwd)
	}
	return u
}

// Whatever is broken, doctor finds it, says what a person does next and ends
// with 1; where a person has it so, or is waited for, with 0.
func TestDoctorSaysWhatToDoAboutWhateverIsBroken(t *testing.T) {
	t.Parallel()
	all := map[string]broken{
		"typo":                 {files: map[string]string{".berth/config.yaml": "conections: {}\n"}, says: `config.yaml:1: conections: is not a setting`, hint: `did you mean .*connections`},
		"SQLite path":          {files: in("{path: missing.db}"), says: `"main": the file does not exist`, hint: "check its address"},
		"unset variable":       {files: in("{url: 'postgres://${BERTH_NO_SUCH}@127.0.0.1/x'}"), own: "trust: all\n", says: "BERTH_NO_SUCH is not set", hint: "set it where berth is started"},
		"stale entry":          {make: func(_ *testing.T, w *world, root string) { w.serve(root).kill() }, says: "is in the map with port .*nothing listens there", hint: "berth doctor --fix"},
		"broken map":           {make: func(t *testing.T, w *world, _ string) { w.keeps("ports.json", "{{{") }, says: "ports.json", hint: "the next berth serve sets it aside"},
		"held lock":            {make: holdMapLock, says: "port map is locked", hint: "end the process that holds it"},
		"trust":                {files: in("{url: 'postgres://ann@berth-no-such.invalid/x'}"), says: "waits for your trust", hint: "berth trust ", choice: true},
		"trust, found":         {files: env("postgres://ann@berth-no-such.invalid/x"), says: "waits for your trust", hint: "berth trust ", choice: true},
		"not in the map":       {make: serveUnderAnotherMap, says: "is not in the map", hint: "berth stop --force "},
		"squatted port":        {make: squatPort, says: "is held by a process that is not its instance", hint: "see what listens there"},
		"bad YAML":             {files: map[string]string{".berth/config.yaml": "connections: {main: [\n"}, says: `config.yaml:1: is not YAML`, hint: "mend that line"},
		"bad YAML of the user": {own: "query:\n\tmaxRows: 1\n", says: "config.yaml:2: is not YAML", hint: "indent with spaces"},
		"disabled":             {files: map[string]string{".berth/config.yaml": "enableMcpServer: false\n"}, make: sampleDatabase, says: "is not to be served", hint: "enableMcpServer: true", choice: true},
		"no database":          {says: "no database was found", hint: "berth connect "},
		"unwritable home":      {make: homeBelowAFile, says: "berth-home", hint: "BERTH_HOME"},
		"SQLite's magic and garbage": {files: map[string]string{"app.db": magicAndGarbage()},
			says: `"app.db": .*(corrupt|not a SQLite database)`, hint: "backup"},
		"SQLite's magic and garbage, named": {files: map[string]string{"app.db": magicAndGarbage(), ".berth/config.yaml": "connections:\n  main: {path: app.db}\n"},
			says: `"main": .*(corrupt|not a SQLite database)`, hint: "backup"},
	}
	brokenServers(t, all)
	for name, b := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			root := w.project("app", "")
			for file, text := range b.files {
				writeBelow(t, root, file, text)
			}
			if b.own != "" {
				w.own(b.own)
			}
			if b.make != nil {
				b.make(t, w, root)
			}
			got := w.berth("doctor", root)
			want := 1
			if b.choice {
				want = 0
			}
			assert.Equal(t, want, got.code, got.stdout+got.stderr)
			kinds, next := "problem", `hint: `
			if b.choice {
				kinds, next = "note|ok", ``
			}
			assert.Regexp(t, regexp.MustCompile(`(?m)^(`+kinds+`) .*`+b.says), got.stdout)
			assert.Regexp(t, regexp.MustCompile(`(?m)^.*`+next+`.*`+b.hint), got.stdout, "what to do")
			for line := range problemsWithout(got.stdout) {
				assert.Fail(t, "a problem without advice", line)
			}
			w.sameInJSON(root, want)
		})
	}
}

// problemsWithout yields the problems that no hint follows.
func problemsWithout(report string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		lines := strings.Split(report, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "problem") && (i+1 == len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[i+1]), "hint: ")) && !yield(line) {
				return
			}
		}
	}
}

// sameInJSON requires that a program reads the same of doctor --json.
func (w *world) sameInJSON(root string, code int) {
	w.t.Helper()
	got := w.berth("doctor", root, "--json")
	assert.Equal(w.t, code, got.code, got.stdout+got.stderr)
	var report struct {
		Problems int
		Findings []struct{ Kind, Text, Hint string }
	}
	require.NoError(w.t, json.Unmarshal([]byte(got.stdout), &report), got.stdout)
	assert.Equal(w.t, code == 1, report.Problems > 0)
	for _, f := range report.Findings {
		assert.False(w.t, f.Kind == "problem" && f.Hint == "", f.Text)
	}
}

// keeps puts a file into berth's own folder.
func (w *world) keeps(name, text string) {
	w.t.Helper()
	require.NoError(w.t, os.MkdirAll(w.home, 0o700))
	require.NoError(w.t, os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600))
}

func writeBelow(t *testing.T, root, file, text string) {
	t.Helper()
	path := filepath.Join(root, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func sampleDatabase(t *testing.T, w *world, _ string) { w.project("app", twoTables) }

func holdMapLock(t *testing.T, w *world, root string) {
	sampleDatabase(t, w, root)
	w.keeps("ports.json", "{}")
	lock := flock.New(filepath.Join(w.home, "ports.json.lock"))
	require.NoError(t, lock.Lock())
	t.Cleanup(func() { _ = lock.Unlock() })
}

// serveUnderAnotherMap has the project served, and doctor look into a map that
// does not have it.
func serveUnderAnotherMap(t *testing.T, w *world, root string) {
	w.project("app", twoTables)
	w.serve(root)
	w.env = append(w.env, "BERTH_PORTMAP="+filepath.Join(w.dir, "another", "ports.json"))
}

func squatPort(t *testing.T, w *world, root string) {
	sampleDatabase(t, w, root)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			_ = c.Close()
		}
	}()
	text, err := json.Marshal(map[string]int{root: l.Addr().(*net.TCPAddr).Port})
	require.NoError(t, err)
	w.keeps("ports.json", string(text))
}

// homeBelowAFile gives berth a folder that cannot be made.
func homeBelowAFile(t *testing.T, w *world, root string) {
	sampleDatabase(t, w, root)
	file := filepath.Join(w.dir, "taken")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	w.env = append(without(w.env, "BERTH_HOME"), "BERTH_HOME="+filepath.Join(file, "berth-home"))
}
