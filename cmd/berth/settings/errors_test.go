package settings_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

func TestMistakesNameFileLineAndKey(t *testing.T) {
	tests := map[string]struct {
		file, text string
		line       int
		key        string
		problem    string // part of it
		hint       string // part of it
	}{
		"an unknown key":                     {own, "\nenableMcpServr: true\n", 2, "enableMcpServr", "is not a setting", "enableMcpServer"},
		"an unknown nested key":              {own, "designer:\n  confrim: never\n", 2, "designer.confrim", "is not a setting", "did you mean confirm?"},
		"an unknown key unlike any":          {own, "designer:\n  zzzzzzzzz: 1\n", 2, "designer.zzzzzzzzz", "is not a setting", "known are confirm, openBrowser"},
		"a dotted key":                       {own, "designer.confirm: never\n", 1, "designer.confirm", "is not a setting", "nested"},
		"a key that is no text":              {own, "1: x\n", 1, "", "is not a setting", ""},
		"a key twice":                        {own, "files:\n  mode: safe\n  mode: fast\n", 3, "files.mode", "is set twice, first on line 2", ""},
		"text for a flag":                    {own, "enableMcpServer: \"no\"\n", 1, "enableMcpServer", `must be true or false, not "no"`, ""},
		"an old boolean word":                {own, "enableMcpServer: off\n", 1, "enableMcpServer", `must be true or false, not "off"`, ""},
		"a flag without value":               {own, "enableMcpServer:\n", 1, "enableMcpServer", "must be true or false, not nothing", ""},
		"a list for a flag":                  {own, "enableMcpServer: [true]\n", 1, "enableMcpServer", "not a list", ""},
		"a number out of range":              {own, "query:\n  maxRows: 0\n", 2, "query.maxRows", "must be from 1 to 100000, not 0", ""},
		"a number too large for a machine":   {own, "query:\n  maxRows: 99999999999999999999\n", 2, "query.maxRows", "must be a whole number", ""},
		"a fraction":                         {own, "query:\n  maxRows: 1.5\n", 2, "query.maxRows", "must be a whole number", ""},
		"a bare number as duration":          {own, "idleTimeout: 30\n", 1, "idleTimeout", "must be a duration such as 30s", ""},
		"a negative duration":                {own, "idleTimeout: -1s\n", 1, "idleTimeout", "must be from 0s", ""},
		"an unknown word":                    {own, "designer:\n  confirm: sometimes\n", 2, "designer.confirm", `must be one of never, destructive, always, not "sometimes"`, ""},
		"a scalar for a section":             {own, "designer: never\n", 1, "designer", `must be a mapping, not "never"`, ""},
		"a list at the top":                  {own, "- enableMcpServer\n", 1, "", "must be a mapping, not a list", ""},
		"an anchor":                          {own, "idleTimeout: &a 5m\n", 1, "idleTimeout", "must be a duration", ""},
		"a merge key":                        {own, "<<: {idleTimeout: 5m}\n", 1, "", "is not a setting", "merges"},
		"two documents":                      {own, "idleTimeout: 5m\n---\nidleTimeout: 6m\n", 3, "", "second YAML document", ""},
		"a tab":                              {own, "files:\n\tmode: safe\n", 2, "", "is not YAML", "indent with spaces: YAML allows no tab there"},
		"deep nesting":                       {own, strings.Repeat("[", 5000), 0, "", "nested too deeply", ""},
		"a huge file":                        {own, strings.Repeat("# x\n", 17000), 0, "", "larger than 65536 bytes", ""},
		"a default without connection":       {own, "default: nope\n", 1, "default", `no connection is called "nope"`, "define it"},
		"a default near a connection":        {own, "default: man\nconnections:\n  main: {path: a.db}\n", 1, "default", "no connection", "did you mean main?"},
		"a connection without address":       {own, "connections:\n  main: {allowWrites: true}\n", 2, "connections.main", "needs a path or a url", ""},
		"a design without a dialect":         {own, "connections:\n  main: {design: true}\n", 2, "connections.main.design", "a design needs a dialect", ""},
		"a design of an unknown dialect":     {own, "connections:\n  main: {design: true, dialect: oracle}\n", 2, "connections.main.dialect", "must be one of", ""},
		"a design with an address":           {own, "connections:\n  main:\n    design: true\n    url: sqlite:a.db\n", 4, "connections.main.url", "a design has no database", ""},
		"a design with a file":               {own, "connections:\n  main: {design: true, path: a.db}\n", 2, "connections.main.path", "a design has no database", ""},
		"a design with writes":               {own, "connections:\n  main: {design: true, dialect: sqlite, allowWrites: true}\n", 2, "connections.main.design", "neither allowWrites", ""},
		"a connection with two addresses":    {own, "connections:\n  main:\n    url: sqlite:a.db\n    path: a.db\n", 4, "connections.main.path", "exclude each other", ""},
		"an unknown key of a connection":     {own, "connections:\n  main: {path: a.db, allowWrite: true}\n", 2, "connections.main.allowWrite", "is not a setting of a connection", "allowWrites"},
		"a connection name unfit for a file": {own, "connections:\n  ../x: {path: a.db}\n", 2, "connections", "must be 1 to 64 letters", ""},
		"a connection twice, ignoring case":  {own, "connections:\n  - {name: a, path: a.db}\n  - {name: A, path: b.db}\n", 3, "connections.A", "defined twice", ""},
		"a listed connection without name":   {own, "connections:\n  - path: a.db\n", 2, "connections", "lacks a name", ""},
		"a listed scalar":                    {own, "connections:\n  - a.db\n", 2, "connections", "must be a mapping with a name", ""},
		"a name that differs from its key":   {own, "connections:\n  a: {name: b, path: a.db}\n", 2, "connections.a.name", "differs", ""},
		"an unset variable":                  {own, "connections:\n  a:\n    url: sqlite:${NOPE}.db\n", 3, "connections.a.url", "environment variable NOPE is not set", "set it where berth is started"},
		"a broken variable":                  {own, "connections:\n  a: {path: '${DB_DIR'}\n", 2, "connections.a.path", "is not a variable", ""},
		"another scheme":                     {own, "connections:\n  a: {url: 'oracle://u:hunter2@h/db'}\n", 2, "connections.a.url", "the scheme oracle is not served", ""},
		"a port that is none":                {own, "connections:\n  a: {url: 'postgres://u:hunter2/x@h/db'}\n", 2, "connections.a.url", "an @ behind a slash", ""},
		"a port of letters":                  {own, "connections:\n  a: {url: 'postgres://h:hunter2/x'}\n", 2, "connections.a.url", "of a password are written %2F", ""},
		"a broken escape":                    {own, "connections:\n  a: {url: 'postgres://u:%zhunter2@h/db'}\n", 2, "connections.a.url", "broken % escape", ""},
		"an unknown parameter of a server":   {own, "connections:\n  a: {url: 'mysql://u:hunter2@h/db?allowAllFiles=true'}\n", 2, "connections.a.url", `parameter "allowAllFiles" is not known for mysql`, ""},
		"no database":                        {own, "connections:\n  a: {dialect: mysql, host: h}\n", 2, "connections.a", "a database must be named", ""},
		"no dialect":                         {own, "connections:\n  a: {host: h, database: d}\n", 2, "connections.a", "needs a dialect", ""},
		"an unknown dialect":                 {own, "connections:\n  a: {dialect: oracle, host: h, database: d}\n", 2, "connections.a.dialect", "must be one of sqlite, postgres", ""},
		"a url of another dialect":           {own, "connections:\n  a: {dialect: mysql, url: 'postgres://h/d'}\n", 2, "connections.a.url", "is an address of dialect postgres, and dialect says mysql", ""},
		"an sslmode that is none":            {own, "connections:\n  a: {url: 'postgres://h/d', sslmode: maybe}\n", 2, "connections.a.sslmode", "must be one of disable", ""},
		"an instance on PostgreSQL":          {own, "connections:\n  a: {dialect: pg, host: h, database: d, instance: x}\n", 2, "connections.a", "only SQL Server has instances", ""},
		"a host beside a url":                {own, "connections:\n  a: {url: 'postgres://h/d', host: x}\n", 2, "connections.a.host", "exclude each other", ""},
		"two passwords":                      {own, "connections:\n  a: {url: 'postgres://u:hunter2@h/d', password: hunter2}\n", 2, "connections.a.url", "has a password already", ""},
		"a password and a command":           {own, "connections:\n  a: {url: 'postgres://u@h/d', password: hunter2, passwordCommand: cat x}\n", 2, "connections.a.passwordCommand", "exclude each other", ""},
		"a password that is no text":         {own, "connections:\n  a: {url: 'postgres://u@h/d', password: 0123}\n", 2, "connections.a.password", "must be text: put it in quotes", ""},
		"a password that YAML cannot read":   {own, "connections:\n  a: \n    password: |hunter2\n", 3, "", "is not YAML: invalid header option", ""},
		"a password of a file":               {own, "connections:\n  a: {path: a.db, password: hunter2}\n", 2, "connections.a.password", "exclude", ""},
		"a quote that does not end":          {own, "connections:\n  a: {url: 'Server=h;Database=d;Password=\"hunter2'}\n", 2, "connections.a.url", "quoted value that does not end", ""},
		"a secret where a scheme belongs":    {own, "connections:\n  a: {url: '${SECRET}'}\n", 2, "connections.a.url", "this scheme is not served", ""},
		"an in-memory database":              {own, "connections:\n  a: {path: ':memory:'}\n", 2, "connections.a.path", "in-memory", ""},
		"an unknown parameter":               {own, "connections:\n  a: {url: 'file:a.db?cache=shared'}\n", 2, "connections.a.url", "mode=ro and mode=rw", ""},
		"a host in a sqlite address":         {own, "connections:\n  a: {url: 'sqlite://data/a.db'}\n", 2, "connections.a.url", "three slashes", ""},
		"a relative path in a global file":   {global, "connections:\n  a: {path: a.db}\n", 2, "connections.a.path", "must be absolute", ""},
		"a text for the editor's key":        {editor, "{\n\"Devdb.enableMcpServer\": \"false\"}", 2, "Devdb.enableMcpServer", "must be true or false", ""},
		"the editor's key twice":             {editor, "{\"Devdb.enableMcpServer\": true,\n\"Devdb.enableMcpServer\": false}", 2, "Devdb.enableMcpServer", "is set twice", ""},
		"an editor file that is no JSON":     {editor, "{\n\"a\": nope", 2, "", "is not JSON with comments", ""},
		"an editor file that is a list":      {editor, "[]", 1, "", "must be an object", ""},
		"an editor file of deep nesting":     {editor, strings.Repeat("[", 500000), 0, "", "nested too deeply", ""},
		"a huge editor file":                 {editor, strings.Repeat(" ", 1<<20+1), 0, "", "larger than", ""},
		"a mistake in a less specific file":  {global, "nope: 1\n", 1, "nope", "is not a setting", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{tt.file: tt.text})
			_, err := p.load()
			var fe *settings.FileError
			require.ErrorAs(t, err, &fe)
			assert.Equal(t, filepath.Join(p.dir, filepath.FromSlash(tt.file)), fe.File)
			assert.Equal(t, tt.line, fe.Line)
			assert.Equal(t, tt.key, fe.Key)
			assert.Contains(t, fe.Problem, tt.problem)
			assert.Contains(t, fe.Hint(), tt.hint)
			assert.Contains(t, err.Error(), fe.File)
			assert.NotContains(t, err.Error()+fe.Hint(), "hunter2")
			assert.Less(t, len(err.Error()), 600)
		})
	}
}

func TestAddressesOfSQLiteFiles(t *testing.T) {
	tests := map[string]string{ // what is written → the path, below the root unless absolute
		"path: a.db":                     "a.db",
		"path: ../b/../a.db":             "../a.db",
		"path: 'a b?c.db'":               "a b?c.db",
		"url: sqlite:a.db":               "a.db",
		"url: data/a.db":                 "data/a.db",
		"url: sqlite:///srv/a.db":        "/srv/a.db",
		"url: sqlite:////srv/a.db":       "/srv/a.db",
		"url: file:///srv/a%20b.db":      "/srv/a b.db",
		"url: file://localhost/srv/a.db": "/srv/a.db",
		"url: SQLITE3:./x/a.db?mode=rw":  "x/a.db",
		"url: '${DB_DIR}/a$b.db'":        "data/a$b.db",
		"path: |-\n      multi.db":       "multi.db",
	}
	for given, want := range tests {
		t.Run(given, func(t *testing.T) {
			p := newPlace(t, map[string]string{own: "connections:\n  a:\n    " + given + "\n"})
			s, err := p.load()
			require.NoError(t, err)
			if !filepath.IsAbs(want) {
				want = filepath.Join(p.root, filepath.FromSlash(want))
			}
			assert.Equal(t, want, s.Connections[0].Path)
			assert.Equal(t, settings.DialectSQLite, s.Connections[0].Dialect)
		})
	}
}

func TestRelativeRootIsRefused(t *testing.T) {
	_, err := settings.Load("x", settings.Sources{})
	require.ErrorContains(t, err, "not an absolute path")
}
