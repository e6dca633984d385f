package e2e

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools/files/version"
)

// An agent's session on a project with a folder whose files are rows: it lists,
// searches, reads, edits and creates there as anywhere, and beside it the disk is
// served. What its replies cost is logged.
func TestAnAgentWorksOnFilesThatAreRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const scene = "import Phaser from 'phaser';\n\nclass GameScene {\n  speed = 4;\n}\n"
	root := w.project("app", rowsTable+`; INSERT INTO files VALUES ('/src/scenes/GameScene.js', '`+strings.ReplaceAll(scene, "'", "''")+`'), ('/.env', 'KEY=1')`)
	w.trustAll()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(`connections: {main: {path: app.db, allowWrites: true}}
files: {mode: fast, store: {connection: main, table: files, mount: game}}
`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "README.md"), []byte("speed of the disk\n"), 0o644))
	w.serve(root)
	a := w.agent()
	bytes := 0
	ask := func(tool string, args map[string]any) string {
		t.Helper()
		got := a.ask(root, tool, args)
		for _, item := range got.items {
			bytes += len(item)
		}
		return strings.Join(got.items, "\n")
	}
	list := ask("fs_list_entries", nil)
	assert.Contains(t, list, "game/src/scenes/GameScene.js")
	assert.Contains(t, list, "README.md")
	found := ask("fs_search_content", map[string]any{"query": "speed"})
	assert.Contains(t, found, "game/src/scenes/GameScene.js")
	assert.Contains(t, found, "README.md")
	assert.Contains(t, ask("fs_read_file", map[string]any{"path": "game/src/scenes/GameScene.js"}), scene)
	assert.Contains(t, ask("fs_read_file", map[string]any{"path": "game/.env"}), `"reason":"secret"`)
	edit := map[string]any{"path": "game/src/scenes/GameScene.js", "version": version.Of([]byte(scene)),
		"edits": []any{map[string]any{"old_text": "speed = 4", "new_text": "speed = 5"}}}
	assert.Contains(t, ask("fs_edit_file", edit), `"method":"transaction"`)
	assert.Contains(t, ask("fs_edit_file", edit), "stale")
	assert.Contains(t, ask("fs_edit_file", map[string]any{"path": "game/src/new.js", "version": "none", "edits": []any{map[string]any{"old_text": "", "new_text": "let x;\n"}}}), `"success":true`)
	inDatabase(t, root, func(db *sql.DB) {
		var rows string
		require.NoError(t, db.QueryRow("SELECT group_concat(path || ' ' || content, '|') FROM (SELECT * FROM files ORDER BY path)").Scan(&rows))
		assert.Equal(t, "/.env KEY=1|/src/new.js let x;\n|/src/scenes/GameScene.js "+strings.Replace(scene, "4", "5", 1), rows)
	})
	_, err := os.Stat(filepath.Join(root, "game"))
	assert.ErrorIs(t, err, os.ErrNotExist, "nothing of it is on the disk")
	t.Logf("%d bytes of replies", bytes)
}

// What docs/files-in-a-database.md shows is typed: its settings, the table of
// berth files init, and the calls, whose replies are the page's.
func TestThePageAboutFilesInADatabaseIsTrue(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "files-in-a-database.md"))
	require.NoError(t, err)
	settings := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, settings)
	calls := regexp.MustCompile("(?s)```\n\\$ berth call (\\S+) '(.*?)'\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, calls, 2)
	for _, dialect := range []string{"sqlite", "postgres"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.trustAll()
			root := w.project("app", "CREATE TABLE other (a)")
			db, address := openAppDatabase(t, root), "path: app.db"
			if dialect == "postgres" {
				var dsn string
				db, dsn = enginetest.Postgres().New(t)
				address = `url: "` + dsn + `"`
			}
			const shown = `url: "postgres://postgres@127.0.0.1:5432/app"`
			require.Contains(t, string(settings[1]), shown)
			text := strings.Replace(string(settings[1]), shown, address+", allowWrites: true", 1)
			require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(text), 0o644))
			w.serve(root)
			want := w.berthIn(root, "files", "init", "--show")
			require.Zero(t, want.code, want.stderr)
			made := w.berthIn(root, "files", "init")
			require.Zero(t, made.code, made.stderr)
			for line := range strings.Lines(want.stdout) {
				require.Contains(t, made.stdout, line, "what it shows is what it runs")
			}
			again := w.berthIn(root, "files", "init")
			require.Zero(t, again.code, "what is there stays: %s", again.stderr)
			const scene = "import Phaser from 'phaser';\n\nclass GameScene {\n  color = 1;\n}\n"
			_, err := db.ExecContext(t.Context(), "INSERT INTO files (project_id, path, content) VALUES ('p1', '/src/scenes/GameScene.js', $1)", scene)
			require.NoError(t, err)
			for _, c := range calls {
				reply := w.berthIn(root, "call", string(c[1]), string(c[2]))
				require.Zero(t, reply.code, reply.stderr)
				got := reply.stdout
				if dialect == "sqlite" {
					got = strings.Replace(got, "ranked by bm25", "ranked by ts_rank, which counts whole words", 1)
				}
				assert.Equal(t, string(c[3]), got, "%s %s", c[1], c[2])
			}
		})
	}
}

// openAppDatabase opens a project's SQLite database.
func openAppDatabase(t *testing.T, root string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(root, "app.db")+"?_pragma=busy_timeout(20000)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
