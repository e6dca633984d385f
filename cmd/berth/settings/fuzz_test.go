package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// fuzzed loads settings with one file of fuzzed content and checks what holds
// for every input: settings that are valid, or an error that names the file.
func fuzzed(t *testing.T, name string, data []byte) {
	root := t.TempDir()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	const secret = "s3cr3t-of-the-environment"
	src := settings.Sources{LookupEnv: func(name string) (string, bool) {
		t.Fatalf("%s was read, and nobody trusts the file", name)
		return "", false
	}}
	if s, err := settings.Load(root, src); err == nil {
		nothingRaised(t, s)
	}
	src.LookupEnv = func(string) (string, bool) { return secret, true }
	src.Trusted = func(string) bool { return true }
	s, err := settings.Load(root, src)
	if err != nil {
		var fe *settings.FileError
		if !errors.As(err, &fe) || fe.File != file {
			t.Fatalf("error does not name the file: %v", err)
		}
		if text := err.Error() + fe.Hint(); strings.Contains(text, secret) || len(text) > 2000 || !utf8.ValidString(text) {
			t.Fatalf("bad error text: %q", text)
		}
		return
	}
	for _, c := range s.Connections {
		if c.Dialect == settings.DialectSQLite && !filepath.IsAbs(c.Path) || c.Dialect != settings.DialectSQLite && c.Server.Database == "" || c.Name == "" || c.MaxRows < 1 || c.Timeout <= 0 {
			t.Fatalf("invalid connection %+v", c)
		}
	}
	if s.Query.MaxRows < 1 || s.Query.MaxBytes < 1 || s.Query.Timeout <= 0 || s.IdleTimeout < 0 {
		t.Fatalf("invalid limits %+v", s)
	}
	for _, v := range s.Values() {
		if text := fmt.Sprint(v.Value); strings.Contains(text, secret) {
			t.Fatalf("%s shows what a variable holds", v.Key)
		}
	}
}

// nothingRaised checks settings of a project whose user trusts nothing.
func nothingRaised(t *testing.T, s *settings.Settings) {
	t.Helper()
	if s.Files != (settings.Files{Mode: settings.FilesSafe}) || s.Publish.Unattended || len(s.Variables()) > 0 {
		t.Fatalf("a right was raised: %+v", s)
	}
	for _, c := range s.Connections {
		if c.AllowWrites || c.Outside || c.Withheld && !c.Server.Password.IsZero() || !c.Withheld && c.Server.DriverDefaults {
			t.Fatalf("a right was raised: %+v", c)
		}
		if c.Withheld == (len(settings.Untrusted(c.Asks)) == 0) && c.Withheld {
			t.Fatalf("withheld, and nothing is asked: %+v", c)
		}
	}
	for _, a := range s.Asks() {
		if a.Trusted || strings.ContainsFunc(a.Words+a.Detail(), func(r rune) bool { return r < ' ' || r > '~' && r != '…' }) {
			t.Fatalf("bad ask %+v", a)
		}
	}
}

func FuzzConfigYAML(f *testing.F) {
	for _, text := range []string{
		"enableMcpServer: true\n",
		"designer:\n  confirm: never\nquery: {maxRows: 1}\n",
		"connections:\n- name: a\n  url: sqlite:///x?mode=ro\n",
		"files: {mode: fast}\nconnections:\n  a: {url: '${A}', allowWrites: true, driverDefaults: true}\n  b: {path: ../x, passwordCommand: y}\n",
		"connections:\n  a: {path: '${A}/b'}\ndefault: a\n",
		"connections:\n  a: {url: 'postgres://u:${A}@h:1/d?sslmode=require'}\n",
		"connections:\n  a: {dialect: mssql, host: 'h\\i', port: 1, database: d, password: 'x', params: {encrypt: true}}\n",
		"a: &x [*x]\n<<: *x\n", "? {a: b}\n: !!binary |\n  x\n", "--- >-\n x\n...\n--- \n", "\xef\xbb\xbfa: 1", "{a: [b, {c: }]}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, ".berth/config.yaml", data) })
}

func FuzzEditorSettings(f *testing.F) {
	for _, text := range []string{
		`{"Devdb.enableMcpServer": false}`, "{//\n/**/\"Devdb.enableMcpServer\": true,}", `{"a": {"Devdb.enableMcpServer": 1}}`,
		`{"\u0044evdb.enableMcpServer": true}`, "/*", `"`, `{"Devdb.enableMcpServer":`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, ".vscode/settings.json", data) })
}

func FuzzWorkspaceFile(f *testing.F) {
	f.Add([]byte(`{"settings": {"Devdb.enableMcpServer": false}, "settings": {}}`))
	f.Add([]byte(`{"settings": []}`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.code-workspace", data) })
}
