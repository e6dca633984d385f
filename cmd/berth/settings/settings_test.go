package settings_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// A place lays settings files out: dir/up/root is the project, and the two
// per-user files lie beside it.
type place struct {
	dir, root string
	src       settings.Sources
}

func newPlace(t *testing.T, files map[string]string) place {
	t.Helper()
	dir := t.TempDir()
	p := place{dir: dir, root: filepath.Join(dir, "up", "root")}
	require.NoError(t, os.MkdirAll(p.root, 0o755))
	p.src = settings.Sources{
		GlobalFile:     filepath.Join(dir, "home", "config.yaml"),
		VSCodeUserFile: filepath.Join(dir, "home", "Code", "settings.json"),
		LookupEnv: func(name string) (string, bool) {
			v, ok := map[string]string{"DB_DIR": "data", "SECRET": "hunter2://x"}[name]
			return v, ok
		},
		Trusted: func(string) bool { return true }, // trust_test.go has what is asked
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return p
}

func (p place) load() (*settings.Settings, error) { return settings.Load(p.root, p.src) }

const (
	own       = "up/root/.berth/config.yaml"
	editor    = "up/root/.vscode/settings.json"
	workspace = "up/.berth/workspace.yaml"
	global    = "home/config.yaml"
	user      = "home/Code/settings.json"
)

func TestDefaultsHoldWithoutAnyFile(t *testing.T) {
	s, err := newPlace(t, nil).load()
	require.NoError(t, err)
	assert.True(t, s.EnableMCPServer)
	assert.Equal(t, settings.Designer{Confirm: settings.ConfirmNever, OpenBrowser: true}, s.Designer)
	assert.Equal(t, settings.Query{MaxRows: 200, MaxBytes: 24576, Timeout: 30 * time.Second}, s.Query)
	assert.Equal(t, settings.FilesSafe, s.Files.Mode)
	assert.False(t, s.Publish.Unattended)
	assert.Zero(t, s.IdleTimeout)
	assert.Empty(t, s.Connections)
	for _, v := range s.Values() {
		assert.Equal(t, settings.LevelDefault, v.Level, v.Key)
		assert.Equal(t, "default", v.Place(), v.Key)
	}
}

func TestMostSpecificFileWins(t *testing.T) {
	const yes, no = "enableMcpServer: true\n", "enableMcpServer: false\n"
	const editorYes, editorNo = `{"Devdb.enableMcpServer": true}`, `{"Devdb.enableMcpServer": false}`
	workspaceNo := `{"folders": [], "settings": {"Devdb.enableMcpServer": false,},}`
	tests := map[string]struct {
		files map[string]string
		want  bool
		from  string // the file that must be named
	}{
		"project beats workspace and global":          {map[string]string{own: yes, workspace: no, global: no}, true, own},
		"workspace beats global":                      {map[string]string{workspace: no, global: yes}, false, workspace},
		"global beats the default":                    {map[string]string{global: no}, false, global},
		"the editor's project file is project level":  {map[string]string{editor: editorNo, workspace: yes}, false, editor},
		"our project file beats the editor's":         {map[string]string{editor: editorNo, own: yes}, true, own},
		"our global file beats the editor's":          {map[string]string{user: editorNo, global: yes}, true, global},
		"the editor's user file is global level":      {map[string]string{user: editorNo}, false, user},
		"an editor file without the key says nothing": {map[string]string{editor: `{"x": 1}`, global: no}, false, global},
		"a workspace file at the root counts":         {map[string]string{"up/root/a.code-workspace": workspaceNo}, false, "up/root/a.code-workspace"},
		"a workspace file above the root counts":      {map[string]string{"a.code-workspace": workspaceNo}, false, "a.code-workspace"},
		"the nearest workspace file counts alone": {map[string]string{
			"up/a.code-workspace": `{"settings": {"Devdb.enableMcpServer": true}}`, "b.code-workspace": workspaceNo}, true, "up/a.code-workspace"},
		"a nearer editor workspace beats our farther one": {map[string]string{
			"up/a.code-workspace": workspaceNo, ".berth/workspace.yaml": yes}, false, "up/a.code-workspace"},
		"our nearer workspace beats the editor's farther one": {map[string]string{
			"a.code-workspace": workspaceNo, workspace: yes}, true, workspace},
		"in one directory our workspace file wins": {map[string]string{
			"up/a.code-workspace": workspaceNo, workspace: yes}, true, workspace},
		"of two workspace files the first by name wins": {map[string]string{
			"up/b.code-workspace": workspaceNo, "up/a.code-workspace": `{"settings": {"Devdb.enableMcpServer": true}}`}, true, "up/a.code-workspace"},
		"our workspace file at the root itself is not read": {map[string]string{"up/root/.berth/workspace.yaml": no, user: editorYes}, true, user},
		"comments and a byte order mark are fine":           {map[string]string{editor: "\ufeff// c\n{\n/* [ */ \"Devdb.enableMcpServer\": false, // no\n}\n"}, false, editor},
		"an empty editor file says nothing":                 {map[string]string{editor: " \n", global: no}, false, global},
		"keys override one by one":                          {map[string]string{own: "idleTimeout: 1m\n", global: no}, false, global},
		"a comment that the end of the file ends is fine":   {map[string]string{editor: "{\"Devdb.enableMcpServer\": false} // no"}, false, editor},
		"a file of comments alone sets nothing":             {map[string]string{own: "# nothing\n", global: no}, false, global},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, tt.files)
			s, err := p.load()
			require.NoError(t, err)
			assert.Equal(t, tt.want, s.EnableMCPServer)
			v := s.Values()[0]
			require.Equal(t, "enableMcpServer", v.Key)
			assert.Equal(t, filepath.Join(p.dir, filepath.FromSlash(tt.from)), v.File)
			assert.Positive(t, v.Line)
		})
	}
}

func TestYAMLIsReadInEveryUsualSpelling(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":     "\ufeffenableMcpServer: false\n",
		"carriage returns":      "enableMcpServer: false\r\nidleTimeout: 5m\r\n",
		"a quoted key":          "\"enableMcpServer\": false",
		"braces":                "{enableMcpServer: false}",
		"capitals":              "enableMcpServer: FALSE # as YAML has it\n",
		"a directive":           "%YAML 1.2\n---\nenableMcpServer: false\n",
		"an empty section":      "designer:\nenableMcpServer: false\n",
		"connections left out":  "connections:\n  # none yet\nenableMcpServer: false\n",
		"an end of document":    "enableMcpServer: false\n...\n",
		"a document marker end": "enableMcpServer: false\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newPlace(t, map[string]string{own: text}).load()
			require.NoError(t, err)
			assert.False(t, s.EnableMCPServer)
		})
	}
}

func TestEveryKeyIsReadWithItsPlace(t *testing.T) {
	p := newPlace(t, map[string]string{own: `# all of them
enableMcpServer: false
default: Main
designer:
  confirm: destructive
  openBrowser: false
query: {maxRows: 10, maxBytes: 2048, timeout: 1500ms}
files:
  mode: fast
publish:
  unattended: true
idleTimeout: 30m
connections:
  main:
    path: ${DB_DIR}/app.db
    allowWrites: true
    maxRows: 5
    timeout: 2s
  other:
    url: "file:x.db?mode=ro"
`})
	s, err := p.load()
	require.NoError(t, err)
	assert.False(t, s.EnableMCPServer)
	assert.Equal(t, settings.Designer{Confirm: "destructive"}, s.Designer)
	assert.Equal(t, settings.Query{MaxRows: 10, MaxBytes: 2048, Timeout: 1500 * time.Millisecond}, s.Query)
	assert.Equal(t, "fast", s.Files.Mode)
	assert.True(t, s.Publish.Unattended)
	assert.Equal(t, 30*time.Minute, s.IdleTimeout)
	assert.Equal(t, []string{"DB_DIR"}, s.Variables())

	main, ok := s.Connection("")
	require.True(t, ok, "default ignores case")
	assert.Equal(t, "main", main.Name)
	assert.Equal(t, filepath.Join(p.root, "data", "app.db"), main.Path)
	assert.True(t, main.AllowWrites)
	assert.Equal(t, 5, main.MaxRows)
	assert.Equal(t, 2*time.Second, main.Timeout)
	other, ok := s.Connection("OTHER")
	require.True(t, ok)
	assert.True(t, other.ReadOnly)
	assert.Equal(t, 10, other.MaxRows, "query.maxRows is inherited")
	assert.Equal(t, 1500*time.Millisecond, other.Timeout)

	lines := map[string]int{}
	for _, v := range s.Values() {
		lines[v.Key] = v.Line
	}
	assert.Equal(t, 5, lines["designer.confirm"])
	assert.Equal(t, 7, lines["query.timeout"])
	assert.Equal(t, 15, lines["connections.main.path"])
	assert.Equal(t, 0, lines["connections.other.timeout"], "inherited: no place of its own")
}

func TestConnectionsOfLevelsMergeByName(t *testing.T) {
	p := newPlace(t, map[string]string{
		global:    settings.Rooted("connections:\n  shared: {path: /srv/shared.db, allowWrites: true}\n"),
		workspace: "connections:\n  - name: shared\n    path: ws.db\n",
		own:       settings.Rooted("connections:\n- name: mine\n  url: sqlite:///srv/mine.db\n"),
	})
	s, err := p.load()
	require.NoError(t, err)
	require.Len(t, s.Connections, 2)
	assert.Equal(t, "mine", s.Connections[0].Name)
	shared := s.Connections[1]
	assert.Equal(t, filepath.Join(p.dir, "up", "ws.db"), shared.Path, "relative to the workspace, whole from its file")
	assert.Equal(t, settings.LevelWorkspace, shared.Level)
	assert.False(t, shared.AllowWrites, "nothing of the global definition is mixed in")
	_, ok := s.Connection("")
	assert.False(t, ok, "two connections and no default")
}

func TestConnectionsStayInTheOrderOfTheirFiles(t *testing.T) {
	users := settings.Rooted("connections:\n  zulu: {path: /srv/z.db}\n  alpha: {path: /srv/a.db}\n  MAIN: {path: /srv/m.db}\n")
	for name, text := range map[string]string{
		"a mapping": "connections:\n  main: {path: m.db}\n  bravo: {path: b.db}\n  archive: {path: c.db}\n",
		"a list":    "connections:\n  - {name: main, path: m.db}\n  - {name: bravo, path: b.db}\n  - {name: archive, path: c.db}\n",
		"JSON":      `{"connections": {"main": {"path": "m.db"}, "bravo": {"path": "b.db"}, "archive": {"path": "c.db"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newPlace(t, map[string]string{own: text, global: users}).load()
			require.NoError(t, err)
			var names []string
			for _, c := range s.Connections {
				names = append(names, c.Name)
			}
			assert.Equal(t, []string{"main", "bravo", "archive", "zulu", "alpha"}, names)
		})
	}
}

func TestValuesHideWhatVariablesHold(t *testing.T) {
	p := newPlace(t, map[string]string{own: "connections:\n  a: {url: 'sqlite:${DB_DIR}/a.db'}\n"})
	s, err := p.load()
	require.NoError(t, err)
	for _, v := range s.Values() {
		if v.Key == "connections.a.url" {
			assert.Equal(t, "sqlite:${DB_DIR}/a.db", v.Value)
		}
	}
	assert.Equal(t, filepath.Join(p.root, "data", "a.db"), s.Connections[0].Path)
	assert.Equal(t, "sqlite:${DB_DIR}/a.db", s.Connections[0].Given())
}
