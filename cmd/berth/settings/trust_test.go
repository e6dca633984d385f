package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// untrusting is a place whose user trusts nothing yet.
func untrusting(t *testing.T, files map[string]string) place {
	t.Helper()
	p := newPlace(t, files)
	p.src.Trusted = nil
	p.src.LookupEnv = func(name string) (string, bool) {
		t.Errorf("the variable %s was read", name)
		return "", false
	}
	return p
}

func words(asks []settings.Ask) (list []string) {
	for _, a := range asks {
		list = append(list, a.Words)
	}
	return list
}

func TestAProjectsConnectionAsksForWhatReachesBeyondIt(t *testing.T) {
	for connection, want := range map[string][]string{
		// What needs nobody's trust.
		"{path: data/app.db}":                                                          nil,
		"{url: 'postgres://u:p@127.0.0.1:5432/d'}":                                     nil,
		"{url: 'postgres://u@localhost/d'}":                                            nil,
		"{url: 'postgres://u@[::1]/d'}":                                                nil,
		"{url: 'mysql://u:p@127.9.9.9/d'}":                                             nil,
		"{url: 'sqlserver://u:p@127.0.0.1?database=d'}":                                nil,
		"{url: 'postgres://u@127.0.0.1/d?sslmode=verify-ca&sslrootcert=certs/ca.pem'}": nil,
		// A variable, wherever it stands.
		"{url: 'postgres://${A}:${B}@127.0.0.1/d'}":      {"puts your variable A into the address of the connection c (postgres, database d on ${A} at 127.0.0.1)", "puts your variable B into"},
		"{url: 'postgres://u@127.0.0.1:${A}/d'}":         {"puts your variable A into the address of the connection c (postgres, database d on u at 127.0.0.1)"},
		"{url: 'postgres://u@127.0.0.1/d?sslmode=${A}'}": {"puts your variable A"},
		"{url: 'postgres://u@127.0.0.1/d?options=${A}'}": {"puts your variable A"},
		"{url: '${A}'}":     {"puts your variable A into the address of the connection c (wherever ${A} leads)"},
		"{path: '${A}.db'}": {"puts your variable A"},
		"{url: 'postgres://u@${A}.evil.example/d'}":                                 {"puts your variable A into the address of the connection c (postgres, database d on u at ${A}.evil.example)", "connects to another machine: the connection c (postgres, database d on u at ${A}.evil.example)"},
		"{dialect: mysql, host: localhost, database: d, password: '${A}'}":          {"puts your variable A"},
		"{dialect: mysql, host: localhost, database: d, params: {timeout: '${A}'}}": {"puts your variable A"},
		// A command, another machine, the user of this system.
		"{url: 'postgres://u@127.0.0.1/d', passwordCommand: 'cat secret'}":   {"runs a command, cat …, for the password of the connection c"},
		"{url: 'postgres://u:p@db.example/d'}":                               {"connects to another machine: the connection c (postgres, database d on u at db.example)"},
		"{url: 'postgres://u:p@127.0.0.1.evil.example/d'}":                   {"connects to another machine"},
		"{url: 'postgres://u:p@/d?host=evil.example'}":                       {"connects to another machine: the connection c (postgres, database d on u at evil.example)"},
		"{url: 'postgres://u:p@10.0.0.1/d'}":                                 {"connects to another machine"},
		"{url: 'postgres://u:p@[fe80::1%25eth0]/d'}":                         {"connects to another machine"},
		"{url: 'mysql://u:p@2130706433/d'}":                                  {"connects to another machine"},
		"{url: 'postgres:///d?host=/var/run/postgresql&user=u'}":             {"signs in as you, your user account of this system, over a socket"},
		"{url: 'u@unix(/tmp/mysql.sock)/d'}":                                 {"signs in as you, your user account of this system, over a socket"},
		"{url: 'sqlserver://127.0.0.1?database=d'}":                          {"signs in as you, your user account of this system: the connection c"},
		"{url: 'sqlserver://u:p@127.0.0.1?database=d&failoverpartner=evil'}": {"connects to another machine, evil, where"},
		// Files, clear text, the driver's own sources.
		"{path: ../away.db}":   {"opens a database file outside of the project"},
		"{path: /etc/away.db}": {"opens a database file outside of the project: the connection c (/etc/away.db)"},
		"{url: 'postgres://u@127.0.0.1/d?sslcert=/etc/a&sslkey=../b'}":         {"reads /etc/a, a file outside of the project, as sslcert", "reads /"},
		"{url: 'sqlserver://u:p@127.0.0.1?database=d&certificate=/etc/a.pem'}": {"reads /etc/a.pem"},
		"{url: 'mysql://u:p@127.0.0.1/d?allowCleartextPasswords=true'}":        {"sends the password in clear text where the server asks for that"},
		"{url: 'postgres://u@127.0.0.1/d', driverDefaults: true}":              {"takes what its address leaves out from your PG* variables, ~/.pgpass and service file (driverDefaults)"},
		"{url: \"postgres://u\\u202e\\e[2J@10.0.0.1/d\"}":                      {`connects to another machine: the connection c (postgres, database d on "u\u202e\x1b[2J" at 10.0.0.1)`},
	} {
		for _, file := range []string{own, workspace} {
			if file == workspace && strings.Contains(connection, "data/app.db") || strings.Contains(connection, "certs/ca.pem") && file == workspace {
				continue // outside of the project, seen from there
			}
			s, err := untrusting(t, map[string]string{file: "connections:\n  c: " + settings.Rooted(connection) + "\n"}).load()
			require.NoError(t, err, connection)
			c := s.Connections[0]
			var found []string
			for _, w := range words(c.Asks) {
				if !(file == workspace && strings.HasPrefix(w, "opens a database file") && !strings.Contains(connection, "away")) {
					found = append(found, w)
				}
			}
			require.Len(t, found, len(want), "%s: %q", connection, found)
			for i, start := range want {
				assert.True(t, strings.HasPrefix(filepath.ToSlash(found[i]), filepath.ToSlash(settings.Rooted(start))), "%s: %q", connection, found[i])
			}
			assert.Equal(t, len(c.Asks) > 0, c.Withheld, connection)
			assert.Empty(t, s.Variables(), connection)
			if c.Withheld {
				assert.True(t, c.Server.Password.IsZero(), "nothing of it can be used: %s", connection)
			}
		}
	}
}

func TestTheUsersOwnFileAsksNothing(t *testing.T) {
	p := newPlace(t, map[string]string{global: "files: {mode: fast, secrets: true}\npublish: {unattended: true}\nconnections:\n  c: {url: 'postgres://u:${SECRET}@db.example/d', allowWrites: true}\n"})
	p.src.Trusted = nil
	s, err := p.load()
	require.NoError(t, err)
	assert.Empty(t, s.Asks())
	assert.False(t, s.Connections[0].Withheld)
	assert.True(t, s.Connections[0].AllowWrites)
	assert.Equal(t, []string{"SECRET"}, s.Variables())
	assert.Equal(t, settings.FilesFast, s.Files.Mode)
}

func TestAProjectsFileRaisesNoRightBeyondTheUsers(t *testing.T) {
	const asks = "files: {mode: fast, secrets: true}\npublish: {unattended: true}\ndesigner: {confirm: never, openBrowser: true}\nenableMcpServer: true\n" +
		"connections:\n  c: {path: app.db, allowWrites: true}\n"
	check := func(users string, want ...string) *settings.Settings {
		t.Helper()
		s, err := untrusting(t, map[string]string{own: asks, global: users}).load()
		require.NoError(t, err)
		var keys []string
		for _, a := range s.Asks() {
			keys = append(keys, a.Key)
			assert.False(t, a.Trusted)
		}
		assert.Equal(t, want, keys)
		return s
	}
	s := check("", "files.mode", "files.secrets", "publish.unattended", "connections.c")
	assert.Equal(t, settings.FilesSafe, s.Files.Mode)
	assert.False(t, s.Files.Secrets || s.Publish.Unattended || s.Connections[0].AllowWrites)
	assert.False(t, s.Connections[0].Withheld, "a right that waits leaves the connection")
	s = check("files: {mode: fast}\ndesigner: {confirm: always, openBrowser: false}\nenableMcpServer: false\n",
		"enableMcpServer", "designer.confirm", "designer.openBrowser", "files.secrets", "publish.unattended", "connections.c")
	assert.Equal(t, settings.Designer{Confirm: settings.ConfirmAlways}, s.Designer)
	assert.False(t, s.EnableMCPServer)
	assert.Equal(t, settings.FilesFast, s.Files.Mode, "the user's own")

	p := untrusting(t, map[string]string{editor: `{"Devdb.enableMcpServer": true}`, user: `{"Devdb.enableMcpServer": false}`})
	s, err := p.load()
	require.NoError(t, err)
	assert.False(t, s.EnableMCPServer)
	_, waits := s.Waits("enableMcpServer")
	assert.True(t, waits)
}

func TestATakenRightNeedsNothing(t *testing.T) {
	s, err := untrusting(t, map[string]string{global: "files: {mode: fast, secrets: true}\n", workspace: "files: {secrets: true}\n",
		own: "files: {mode: safe, secrets: false}\ndesigner: {confirm: always}\n"}).load()
	require.NoError(t, err)
	assert.Empty(t, s.Asks())
	assert.Equal(t, settings.Files{Mode: settings.FilesSafe}, s.Files)
	assert.Equal(t, settings.ConfirmAlways, s.Designer.Confirm)
}

func TestAChangedLineIsAnotherAsk(t *testing.T) {
	ask := func(text string) map[string]bool {
		t.Helper()
		p := untrusting(t, nil)
		p.root = "/project" // where nothing is: the digest has the root
		dir := t.TempDir()
		p.root = filepath.Join(filepath.Dir(dir), "root")
		require.NoError(t, os.MkdirAll(filepath.Join(p.root, ".berth"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(p.root, ".berth", "config.yaml"), []byte("files: {mode: fast}\nconnections:\n  "+text+"\n"), 0o644))
		s, err := p.load()
		require.NoError(t, err)
		digests := map[string]bool{}
		for _, a := range s.Asks() {
			digests[a.Digest] = true
		}
		return digests
	}
	first := ask("a: {dialect: postgres, host: h, user: u, database: d, passwordCommand: echo x}")
	require.Len(t, first, 3)
	assert.Equal(t, first, ask("a: {maxRows: 7, passwordCommand: echo x, database: d, user: u, host: h, dialect: postgres}"), "what has nothing to do with it")
	for _, changed := range []string{
		"a: {dialect: postgres, host: h, user: u, database: d, passwordCommand: echo y}",
		"a: {dialect: postgres, host: evil, user: u, database: d, passwordCommand: echo x}",
		"a: {dialect: postgres, host: h, port: 99, user: u, database: d, passwordCommand: echo x}",
		"a: {dialect: postgres, host: h, user: u, database: d, passwordCommand: echo x, sslmode: disable}",
		"a: {dialect: postgres, host: h, user: u, database: d, passwordCommand: echo x, params: {application_name: x}}",
		"b: {dialect: postgres, host: h, user: u, database: d, passwordCommand: echo x}",
		"a: {url: 'postgres://u@h/d', passwordCommand: echo x}",
	} {
		same := 0
		for digest := range ask(changed) {
			if first[digest] {
				same++
			}
		}
		assert.Equal(t, 1, same, "files.mode alone stays trusted: %s", changed)
	}
}

func TestTheUsersFileTrustsFolders(t *testing.T) {
	for trust, want := range map[string]bool{"all": true, "[ROOT]": true, "[UP]": true, "[/elsewhere, UP]": true, "[/elsewhere]": false, "[ROOT/below]": false, "[ROOT2]": false} {
		p := newPlace(t, map[string]string{own: "files: {mode: fast}\n"})
		p.src.Trusted = nil
		trust = strings.NewReplacer("ROOT", p.root, "UP", filepath.Dir(p.root)).Replace(settings.Rooted(trust))
		require.NoError(t, os.MkdirAll(filepath.Join(p.dir, "home"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, "home", "config.yaml"), []byte("trust: "+trust+"\n"), 0o644))
		s, err := p.load()
		require.NoError(t, err)
		assert.Equal(t, want, s.Files.Mode == settings.FilesFast, trust)
	}
	for _, file := range []string{own, workspace} {
		_, err := newPlace(t, map[string]string{file: "trust: all\n"}).load()
		assert.ErrorContains(t, err, "is for the user's own config.yaml")
	}
}

func TestAFoundServerIsJudgedAsTheProjectsOwn(t *testing.T) {
	s, err := untrusting(t, nil).load()
	require.NoError(t, err)
	for address, want := range map[string]int{
		"postgres://u:p@127.0.0.1/d":                            0,
		"postgres://u:p@db.example/d":                           1,
		"mysql://u@127.0.0.1/d?allowCleartextPasswords=1":       1,
		"postgres://u@127.0.0.1/d?sslcert=/etc/x&sslkey=/etc/y": 2,
		"postgres://u@127.0.0.1/d?sslrootcert=ca.pem":           0,
		"sqlserver://127.0.0.1?database=d":                      1,
	} {
		a, err := settings.ParseAddress("", settings.Rooted(address))
		require.NoError(t, err)
		v, asks := s.Found("env", a.Dialect, a.Server, ".env", 1)
		assert.Len(t, settings.Untrusted(asks), want, "%s: %q", address, words(asks))
		if file := v.Params["sslrootcert"]; file != "" {
			assert.True(t, filepath.IsAbs(file))
		}
	}
}

func TestWhatIsTrustedNoLongerIsTakenFromSettingsThatAreKept(t *testing.T) {
	p := newPlace(t, map[string]string{global: "designer: {confirm: always, openBrowser: false}\nenableMcpServer: false\n", own: `enableMcpServer: true
files: {mode: fast, secrets: true}
publish: {unattended: true}
designer: {confirm: never, openBrowser: true}
connections:
  away: {url: 'postgres://u:${SECRET}@db.example/d'}
  here: {path: app.db, allowWrites: true}
`})
	s, err := p.load()
	require.NoError(t, err)
	require.Len(t, s.Asks(), 9)
	same := s.Withdrawn(func(string) bool { return true })
	assert.Equal(t, s.Connections, same.Connections)
	assert.Equal(t, s.Files, same.Files)
	w := s.Withdrawn(func(string) bool { return false })
	assert.Len(t, settings.Untrusted(w.Asks()), 9)
	assert.Equal(t, settings.Files{Mode: settings.FilesSafe}, w.Files)
	assert.Equal(t, settings.Designer{Confirm: settings.ConfirmAlways}, w.Designer)
	assert.False(t, w.EnableMCPServer || w.Publish.Unattended)
	assert.True(t, w.Connections[0].Withheld)
	assert.True(t, w.Connections[0].Server.Password.IsZero())
	assert.Empty(t, w.Variables())
	assert.False(t, w.Connections[1].Withheld || w.Connections[1].AllowWrites)
	assert.True(t, s.Connections[1].AllowWrites, "what was read stays as it was")

	require.NoError(t, os.WriteFile(filepath.Join(p.dir, filepath.FromSlash(global)), []byte("trust: all\n"), 0o644))
	s, err = p.load()
	require.NoError(t, err)
	assert.Empty(t, settings.Untrusted(s.Withdrawn(func(string) bool { return false }).Asks()), "the user's own settings trust it still")
}

func TestAProjectDoesNotSendCallsToTheUsersOwnConnections(t *testing.T) {
	const users = "connections:\n  prod: {url: 'postgres://u@db.example/d', allowWrites: true}\n"
	for file, want := range map[string]int{
		"default: Prod\nconnections:\n  main: {path: app.db}\n": 1,
		"default: main\nconnections:\n  main: {path: app.db}\n": 0,
	} {
		s, err := untrusting(t, map[string]string{global: users, own: file}).load()
		require.NoError(t, err)
		assert.Len(t, s.Asks(), want)
		assert.Equal(t, want == 0, s.Default == "main")
		assert.NotEqual(t, "Prod", s.Default)
	}
	s, err := untrusting(t, map[string]string{global: "default: prod\n" + users, own: "default: prod\n"}).load()
	require.NoError(t, err)
	assert.Empty(t, s.Asks(), "the user's own default")
}

func TestTheTrustCommandIsForTheShellsOfThisSystem(t *testing.T) {
	for root, want := range map[bool]map[string]string{
		false: {"/home/ann/app": "/home/ann/app", "/home/ann/my app": "'/home/ann/my app'", "/it's": `'/it'\''s'`},
		true:  {`C:\Users\ann\app`: `C:\Users\ann\app`, `C:\Users\ann\my app`: `"C:\Users\ann\my app"`, `C:\it's`: `"C:\it's"`, `C:\a&b`: `"C:\a&b"`},
	}[runtime.GOOS == "windows"] {
		assert.Equal(t, "berth trust "+want, settings.TrustCommand(root))
	}
}
