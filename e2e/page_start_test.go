package e2e

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A project without a database: the page begins a design, of a text whose
// dialect is guessed and shown.
func TestThePageBeginsADesignOfAPastedDump(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	s := &studio{world: w, t: t, root: w.project("bare", "")}
	s.in = w.serve(s.root)
	s.agent = w.agent()
	s.tab = w.page(s.in)
	s.has(button("gate-no-connection") + " " + button("start"))
	for _, width := range []int64{390, 700, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			s.size(width, 800, scheme)
			s.fits(button("start"), fmt.Sprintf("%d-%s", width, scheme))
		}
	}
	s.press(button("start-with-text"))
	dump, err := os.ReadFile(filepath.Join("..", "designer", "postgres", "testdata", "dump-pg_dump.sql"))
	require.NoError(t, err)
	s.write(button("start-text"), "hello world")
	s.sees("neither SQL, DBML nor a Prisma schema")
	s.write(button("start-text"), string(dump))
	s.has(button("start-guess"))
	s.sees("This is SQL of PostgreSQL, by line 2: -- PostgreSQL database dump.")
	assert.Equal(t, "postgres", eval[string](s.tab, `document.querySelector("[data-testid=start-dialect]").value`))
	s.screenshot("pasted")
	s.hasNoSeriousBarrier()
	s.write(button("start-name"), "lights")
	s.press(button("start-begin"))
	s.has(button("canvas"))
	s.shows("entry(light_id day text)", "keeper(id name role email tags since)", "light(id keeper_id name height notes label)")
	config, err := os.ReadFile(filepath.Join(s.root, ".berth", "config.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "connections:\n  lights: {dialect: postgres, design: true}\n", string(config))
	s.panel("changes")
	s.has(button("publish-nowhere"))

	// It is published to a database of its own dialect alone.
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "app.db"), nil, 0o644))
	done := w.berthIn(s.root, "connect", "app.db")
	require.Zero(t, done.code, done.stderr)
	s.reload()
	s.eventually(`() => document.querySelector("[data-testid=connection]")?.options.length === 2`)
	s.panel("changes")
	s.has(button("publish-nowhere"))
	s.lacks(button("publish-to"))
}

// Of several connections the page opens the first of the settings' file, and
// lists them in its order.
func TestThePageOpensTheFirstConnectionOfTheFile(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	s := &studio{world: w, t: t, root: w.project("bare", "")}
	config := filepath.Join(s.root, ".berth", "config.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
	require.NoError(t, os.WriteFile(config, []byte(`connections:
  shop: {dialect: postgres, design: true}
  archive: {dialect: mysql, design: true}
  books: {dialect: sqlite, design: true}
`), 0o644))
	s.in = w.serve(s.root)
	s.tab = w.page(s.in)
	s.has(button("canvas"))
	assert.Equal(t, "shop", eval[string](s.tab, `document.querySelector("[data-testid=connection]").value`))
	assert.Equal(t, []string{"shop", "archive", "books"},
		eval[[]string](s.tab, `[...document.querySelector("[data-testid=connection]").options].map(o => o.value)`))
}

// A design without a database is published to the database of a connection that
// comes later.
func TestASampleIsBegunAndPublishedFromThePage(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	s := &studio{world: w, t: t, root: w.project("bare", "")}
	s.in = w.serve(s.root)
	s.agent = w.agent()
	s.tab = w.page(s.in)
	s.press(button("start-with-sample"))
	s.press(button("start-begin"))
	s.has(button("canvas"))
	s.sees("Proposed")
	s.click(button("fit"))
	s.shows("berths(id pier number length_m)", "boats(id owner_id name length_m built)", "moorings(id boat_id berth_id starts ends state)", "owners(id name email since)")
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "app.db"), nil, 0o644))
	done := w.berthIn(s.root, "connect", "app.db")
	require.Zero(t, done.code, done.stderr)
	s.reload()
	s.has(button("canvas"))
	s.panel("changes")
	s.has(button("publish-to"))
	s.press(button("publish"))
	s.has(button("publish-run"))
	s.sees("app.db")
	s.confirmPublish()
	s.has(button("report-done"))
	assert.Contains(t, w.berthIn(s.root, "call", "get-tables").stdout, `"boats"`)
}

// A text of another dialect is read, and one that is none shows where.
func TestATextOfAnotherDialectIsImportedOnThePage(t *testing.T) {
	s := newStudio(t, twoTables)
	s.panel("transfer")
	s.press(button("transfer-view-import"))
	s.write(button("import-text"), "CREATE TABLE `invoice` (\n  `id` int unsigned NOT NULL AUTO_INCREMENT,\n  `state` enum('a','b') NOT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB;")
	s.press(button("import-try"))
	s.has(button("import-tried"))
	s.sees("Read as SQL of MySQL / MariaDB by line 5: ENGINE=InnoDB. No server read it")
	s.press(button("import-apply"))
	s.sees("Proposed 1")
	s.write(button("import-text"), "model Boat {\n  id Int @id @default(autoincrement()\n}")
	s.press(button("import-try"))
	s.has(button("import-place"))
	assert.Equal(t, "}\n^", eval[string](s.tab, `document.querySelector("[data-testid=import-place]").textContent`))
	s.hasNoSeriousBarrier()
	s.press(button("transfer-view-export"))
	s.press(button("export-format-prisma"))
	s.sees("model invoice {")
	s.press(button("export-format-markdown"))
	s.sees("| [invoice](#invoice) | 2 |") // its own part is below what is in view
}

// A blank design is published to a SQLite file that is made for it.
func TestABlankDesignIsPublishedToANewFile(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	s := &studio{world: w, t: t, root: w.project("bare", "")}
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "taken.txt"), []byte("mine"), 0o644))
	s.in = w.serve(s.root)
	s.agent = w.agent()
	s.tab = w.page(s.in)
	s.write(button("start-name"), "shop")
	s.press(button("start-begin"))
	s.has(button("canvas"))
	got := s.agent.design(s.root, edits(s.version(), addTable("invoice")))
	require.True(t, got.Success, got.text)
	s.has(tableBox("invoice"))
	s.panel("changes")
	s.has(button("publish-file"))
	for _, width := range []int64{390, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			s.size(width, 800, scheme)
			s.fits(button("changes"), fmt.Sprintf("new-file-%d-%s", width, scheme))
		}
	}
	s.hasNoSeriousBarrier()
	for path, why := range map[string]string{"taken.txt": "is there already", "../out.db": "leads out of the project", "data/app.db": "the folder data is not there"} {
		s.expect("400 (Bad Request)")
		s.write(button("publish-file"), path)
		s.press(button("publish"))
		s.sees(why)
	}
	s.write(button("publish-file"), "data/app.db")
	require.NoError(t, os.Mkdir(filepath.Join(s.root, "data"), 0o755))
	s.press(button("publish"))
	s.has(button("publish-run"))
	s.sees("data/app.db was made, empty, and is called main in .berth/config.yaml")
	s.screenshot("asked")
	s.confirmPublish()
	s.has(button("report-done"))
	s.press(button("publish-close"))
	config, err := os.ReadFile(filepath.Join(s.root, ".berth", "config.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "connections:\n  shop: {dialect: sqlite, design: true}\n  main: {path: data/app.db}\n", string(config))
	db, err := sql.Open("sqlite", filepath.Join(s.root, "data", "app.db"))
	require.NoError(t, err)
	defer db.Close()
	var tables string
	require.NoError(t, db.QueryRow("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'").Scan(&tables))
	assert.Equal(t, "invoice", tables)
	mine, err := os.ReadFile(filepath.Join(s.root, "taken.txt"))
	require.NoError(t, err)
	assert.Equal(t, "mine", string(mine))
	assert.Equal(t, "main", eval[string](s.tab, `document.querySelector("[data-testid=publish-to]").value`), "further publishes go there")
}
