package settings_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// awkward are passwords in which some character means something to a shell, a
// URL, YAML or an expansion.
var awkward = []string{
	`p$a"s's#w o@r:d/%41?&=;é漢\{}$HOME`, "$", "${", "$$", "a#b", " leading and trailing ", "%", "%%41", "+", "@", ":", "a:b@c/d?e#f",
	`"quoted"`, `'single'`, `back\slash\n`, "tab\there", "null", "true", "0123", "1e5", "~", "[a]", "{a: b}", "- a", "& x", "!x", "*", "\U0001f511", "пароль",
}

func TestAPasswordArrivesByteForByte(t *testing.T) {
	for _, password := range awkward {
		quoted := "'" + strings.ReplaceAll(password, "'", "''") + "'"
		escaped := url.UserPassword("u", password).String()[2:]
		for name, tt := range map[string]struct{ text, variable string }{
			"in quotes":               {"dialect: postgres\n    host: h\n    user: u\n    database: d\n    password: " + quoted, ""},
			"in double quotes":        {"dialect: mysql\n    host: h\n    database: d\n    password: " + doubleQuoted(t, password), ""},
			"in a variable":           {"dialect: mssql\n    host: h\n    database: d\n    password: ${PW}", password},
			"escaped in a url":        {"url: " + "'postgres://u:" + escaped + "@h/d'", ""},
			"a variable in a url":     {"url: 'mysql://u:${PW}@h/d'", password},
			"beside a url":            {"url: 'postgres://u@h/d'\n    password: " + quoted, ""},
			"a variable for a url":    {"url: ${PW}", "postgres://u:" + escaped + "@h/d"},
			"a variable in a DSN":     {"url: 'u:${PW}@tcp(h)/d'", password},
			"a variable in an ADO":    {"url: 'Server=h;Database=d;User Id=u;Password=${PW};'", password},
			"a variable as parameter": {"url: 'sqlserver://h;database=d;user=u;password=${PW};encrypt=true'", password},
		} {
			if strings.Contains(password, "${") && tt.variable == "" && name != "escaped in a url" {
				continue // there it would be the beginning of a variable, which is an error
			}
			t.Run(name+" "+password, func(t *testing.T) {
				p := newPlace(t, map[string]string{own: "connections:\n  a:\n    " + tt.text + "\n"})
				p.src.LookupEnv = func(string) (string, bool) { return tt.variable, tt.variable != "" }
				s, err := p.load()
				require.NoError(t, err)
				got, err := s.Connections[0].Server.Password.Reveal(t.Context())
				require.NoError(t, err)
				assert.Equal(t, password, got)
			})
		}
	}
}

// doubleQuoted is a YAML double-quoted text, which JSON's strings are too.
func doubleQuoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	require.NoError(t, err)
	return string(out)
}

func TestAPasswordCommandPrintsThePassword(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // the shell there is another; shell_windows.go
	}
	tests := map[string]struct{ command, want, problem string }{
		"its last line end is left out": {`printf 'p$a s\n'`, "p$a s", ""},
		"other space stays":             {`printf ' a\nb \n\n'`, " a\nb \n", ""},
		"it runs in the project":        {`cat secret.txt`, "from the file", ""},
		"it fails":                      {`echo hunter2; echo hunter2 >&2; exit 3`, "", "ended with exit code 3"},
		"it prints nothing":             {`true`, "", "printed nothing"},
		"it prints too much":            {`yes hunter2 | head -c 100000`, "", "printed more than 4096 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"up/root/secret.txt": "from the file\n",
				own: "connections:\n  a:\n    url: postgres://u@h/d\n    passwordCommand: " + doubleQuoted(t, tt.command) + "\n"})
			p.src.Trusted = func(string) bool { return true }
			s, err := p.load()
			require.NoError(t, err)
			got, err := s.Connections[0].Server.Password.Reveal(t.Context())
			if tt.problem != "" {
				require.ErrorContains(t, err, tt.problem)
				assert.NotContains(t, err.Error(), "hunter2")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestNoFormOfPrintingShowsAPassword(t *testing.T) {
	const secret = "hunter2 with @ and ;"
	escaped := url.PathEscape(secret)
	p := newPlace(t, map[string]string{own: `connections:
  url: {url: 'postgres://u:` + escaped + `@h/d?sslpassword=x'}
` + strings.ReplaceAll(`  raw: {url: 'postgres://u:hunter2@@:;@h/d'}
  field: {dialect: mysql, host: h, database: d, password: 'hunter2'}
  part: {dialect: mysql, host: h, database: d, password: 'hunter2${DB_DIR}'}
  whole: {dialect: mysql, host: h, database: d, password: '${SECRET}'}
  command: {dialect: mysql, host: h, database: d, passwordCommand: 'print hunter2'}
  ado: {url: 'Server=h;Database=d;User Id=u;Password="hunter2;;"'}
  braces: {url: 'sqlserver://h;database=d;user=u;password={hunter2;hunter2}'}
  query: {url: 'mysql://h/d?user=u&password=hunter2'}
  dsn: {url: 'u:hunter2@/@@tcp(h)/d'}
`, "\t", "")})
	s, err := p.load()
	require.NoError(t, err)
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	for _, v := range s.Values() {
		fmt.Fprintln(&log, v.Key, v.Value)
	}
	for _, c := range s.Connections {
		logger.Info("x", "connection", c, "server", c.Server, "password", c.Server.Password)
		encoded, err := json.Marshal(c)
		require.NoError(t, err)
		fmt.Fprintf(&log, "%v %+v %s %q %x %d %s %s", c.Server, c.Server, c.Server.Password, c.Server.Password, c.Server.Password, c.Server.Password, encoded, c.Given())
		fmt.Fprintf(&log, "%#v", c.Server)
		assert.NotEmpty(t, c.Server.Password.Fingerprint([]byte("key")))
	}
	assert.NotContains(t, log.String(), "hunter2")
	assert.NotContains(t, log.String(), "68756e74657232")
	assert.Contains(t, log.String(), "connections.whole.password ${SECRET}", "what names a variable is no secret")
	assert.Contains(t, log.String(), "connections.url.url postgres://u:****@h/d?sslpassword=****")
	assert.Contains(t, log.String(), "connections.command.passwordCommand print\n")
}

func TestAnAddressWithoutAPasswordIsShownAsItIs(t *testing.T) {
	for _, address := range []string{"postgres://ann@h:5432/d?application_name=x", "mysql://h:3306/d", "sqlite:data/a@b.db", "ann@tcp(h:3306)/d"} {
		p := newPlace(t, map[string]string{own: "connections:\n  a: {url: '" + address + "'}\n"})
		s, err := p.load()
		require.NoError(t, err)
		assert.Equal(t, address, s.Connections[0].Given())
	}
}

func TestAServerIsReadFromFields(t *testing.T) {
	p := newPlace(t, map[string]string{own: `connections:
  main:
    dialect: sqlserver
    host: db\EXPRESS
    port: '${PORT}'
    user: app
    password: "x"
    database: shop
    sslmode: verify-full
    params: {encrypt: strict, keepAlive: 30, multiSubnetFailover: true}
    allowWrites: true
`})
	p.src.LookupEnv = func(string) (string, bool) { return "1444", true }
	s, err := p.load()
	require.NoError(t, err)
	c := s.Connections[0]
	assert.Equal(t, server{"mssql", "db", 1444, "app", "x", "shop", "EXPRESS", "verify-full",
		map[string]string{"encrypt": "strict", "keepAlive": "30", "MultiSubnetFailover": "true"}}, revealed(t, c.Dialect, c.Server))
	assert.True(t, c.AllowWrites)
	assert.Equal(t, []string{"PORT"}, s.Variables())
	lines := map[string]int{}
	for _, v := range s.Values() {
		lines[v.Key] = v.Line
	}
	assert.Equal(t, 10, lines["connections.main.params.keepAlive"])
	assert.Equal(t, 5, lines["connections.main.port"])
}
