package files_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/rows"
)

// A trigger may change a row again once the statement has returned what it
// wrote, at the end of the transaction even. The reply's version is the stored
// one, or nothing is written.
func TestATriggerThatChangesARowLaterIsSaid(t *testing.T) {
	for name, statements := range map[string][]string{
		"sqlite":   {"CREATE TRIGGER later AFTER UPDATE ON files WHEN new.content NOT LIKE '%!' BEGIN UPDATE files SET content = new.content || '!' WHERE rowid = new.rowid; END", "CREATE TRIGGER first AFTER INSERT ON files BEGIN UPDATE files SET content = new.content || '!' WHERE rowid = new.rowid; END"},
		"postgres": {shoutLater, "CREATE TRIGGER later AFTER INSERT OR UPDATE ON files FOR EACH ROW WHEN (NEW.content NOT LIKE '%!') EXECUTE FUNCTION later()"},
		"deferred": {shoutLater, "CREATE CONSTRAINT TRIGGER later AFTER INSERT OR UPDATE ON files DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.content NOT LIKE '%!') EXECUTE FUNCTION later()"},
		"path":     {"CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.path := NEW.path || '.moved'; RETURN NEW; END$$", "CREATE TRIGGER moved BEFORE INSERT OR UPDATE ON files FOR EACH ROW EXECUTE FUNCTION moved()"},
	} {
		t.Run(name, func(t *testing.T) {
			r := sqliteTable(t)
			if name != "sqlite" {
				r = postgresTable(t)
			}
			r.put(t, "/a.txt", "a\n")
			r.exec(t, statements...)
			b := r.on(t, files.Settings{Fast: true})
			for _, a := range []arguments{editOf("a.txt", "a\n", "a", "b"), {"path": "new.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}}} {
				reply := b.do(catalog.EditFile, a)
				assert.False(t, reply.Success)
				assert.Contains(t, reply.Message, "a trigger of the table changes")
			}
			assert.Equal(t, "a\n", r.content(t, "/a.txt"))
			assert.Equal(t, "not_found", b.do(catalog.ReadFile, arguments{"path": "new.txt"}).Reason)
		})
	}
}

const shoutLater = "CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN UPDATE files SET content = NEW.content || '!' WHERE project_id = NEW.project_id AND path = NEW.path; RETURN NULL; END$$"

// A view in the place of the table, whose trigger says that it wrote.
func TestAViewInPlaceOfTheTableIsNotWritten(t *testing.T) {
	for name, statements := range map[string][]string{
		"sqlite": {"ALTER TABLE files RENAME TO hidden", "CREATE VIEW files AS SELECT * FROM hidden", "CREATE TRIGGER lie INSTEAD OF UPDATE ON files BEGIN SELECT 1; END"},
		"postgres": {"ALTER TABLE files RENAME TO hidden", "CREATE VIEW files AS SELECT * FROM hidden",
			"CREATE FUNCTION lie() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'", "CREATE TRIGGER lie INSTEAD OF UPDATE ON files FOR EACH ROW EXECUTE FUNCTION lie()"},
		"updatable": {"ALTER TABLE files RENAME TO hidden", "CREATE VIEW files AS SELECT * FROM hidden"},
	} {
		t.Run(name, func(t *testing.T) {
			r := sqliteTable(t)
			if name != "sqlite" {
				r = postgresTable(t)
			}
			r.put(t, "/a.txt", "a\n")
			b := r.on(t, files.Settings{Fast: true})
			require.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": "a.txt"}).Lines)
			r.exec(t, statements...)
			reply := b.do(catalog.EditFile, editOf("a.txt", "a\n", "a", "b"))
			assert.False(t, reply.Success)
			assert.Contains(t, reply.Message, "files are the rows of a table")
			assert.Equal(t, "a\n", r.content(t, "/a.txt"))
		})
	}
}

// Another client gives a row another path between reading and writing, and the
// path to a row of the same content.
func TestARowThatGetsAnotherPathIsStale(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		r.put(t, "/a.txt", "a\n")
		s := rows.New(r.rowsConnection, r.Options)
		was, err := s.Read(t.Context(), "a.txt")
		require.NoError(t, err)
		r.exec(t, "UPDATE files SET path = '/b.txt' WHERE path = '/a.txt'")
		_, err = s.Replace(t.Context(), was, []byte("b\n"))
		var refused *disk.Error
		require.True(t, errors.As(err, &refused), name)
		assert.Equal(t, disk.Stale, refused.Reason, name)
		assert.Equal(t, "a\n", r.content(t, "/b.txt"), name)
	}
}

// A column that takes one case for the other.
func TestPathsThatDifferInCase(t *testing.T) {
	sqlite, postgres := sqliteFile(t), byteaTable(t)
	sqlite.exec(t, "CREATE TABLE files (id INTEGER PRIMARY KEY, project_id text, path text COLLATE NOCASE, content text, updated_at text, UNIQUE (project_id, path))")
	postgres.exec(t, "DROP TABLE files", "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
		"CREATE TABLE files (project_id text, path text COLLATE blind, content text COLLATE blind, updated_at timestamp, UNIQUE (project_id, path))")
	postgres.blob = false
	for name, r := range map[string]*table{"sqlite": sqlite, "postgres": postgres} {
		r.put(t, "/src/A.txt", "needle\n")
		b := r.on(t, files.Settings{Fast: true})
		assert.Equal(t, "not_found", b.do(catalog.ReadFile, arguments{"path": "src/a.txt"}).Reason, name)
		reply := b.do(catalog.EditFile, arguments{"path": "src/a.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}})
		assert.Equal(t, "exists", reply.Reason, "%s %s", name, reply.Message)
		assert.Equal(t, 2, b.do(catalog.ListEntries, arguments{"path_prefix": "src"}).Total, name)
		assert.Equal(t, 0, b.do(catalog.ListEntries, arguments{"path_prefix": "SRC"}).Total, name)
		for _, rank := range []bool{false, true} {
			assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "Needle", "path_prefix": "src/", "rank": rank}).Total, name)
		}
		assert.True(t, b.do(catalog.EditFile, editOf("src/A.txt", "needle\n", "needle", "pin")).Success, name)
		assert.Equal(t, "pin\n", r.content(t, "/src/A.txt"), name)
	}
}

// Another client takes the index's triggers away while berth serves: what it
// writes then is not in the index.
func TestAnIndexThatIsNoLongerKeptIsNotAsked(t *testing.T) {
	r := sqliteTable(t)
	r.put(t, "/a.txt", "needle\n")
	b := r.on(t, files.Settings{})
	require.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "needle"}).Total)
	r.exec(t, "DROP TRIGGER files_trigrams_insert")
	r.put(t, "/b.txt", "needle\n")
	reply := b.do(catalog.SearchContent, arguments{"query": "needle"})
	assert.Equal(t, 2, reply.Total)
	assert.Contains(t, reply.Note, "the rows were scanned")
}

func TestTenantsDoNotSeeEachOther(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		r.put(t, "/src/GameScene.js", "gamescene of p1")
		b := r.on(t, files.Settings{Fast: true})
		assert.True(t, b.do(catalog.EditFile, editOf("src/GameScene.js", "gamescene of p1", "of p1", "of ours")).Success, name)
		assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "gamescene", "rank": true}).Total, name)
		var others string
		require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT content FROM files WHERE project_id = 'p2'").Scan(&others))
		assert.Equal(t, "gamescene of another project", others, name)
		r.Project = "p1' OR '1'='1"
		assert.Zero(t, r.on(t, files.Settings{}).do(catalog.ListEntries, arguments{}).Total, name)
	}
}

// A column that the database computes is read and not written, and that is said
// before anybody is asked.
func TestGeneratedColumns(t *testing.T) {
	r := byteaTable(t)
	r.blob = false
	r.exec(t, "DROP TABLE files", "CREATE TABLE files (project_id text, path text, raw text, content text GENERATED ALWAYS AS (raw || chr(10)) STORED, UNIQUE (project_id, path))",
		"INSERT INTO files VALUES ('p1', '/a.txt', 'a')")
	b := r.on(t, files.Settings{})
	assert.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": "a.txt"}).Lines)
	reply := b.do(catalog.EditFile, editOf("a.txt", "a\n", "a", "b"))
	assert.Equal(t, "read_only", reply.Reason)
	assert.Contains(t, reply.Message, "generated")
}

// A row of 64 MB is named, and neither shown, searched nor edited.
func TestAHugeRow(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteFile(t), "postgres": postgresTable(t)} {
		huge := "repeat('needle xx ', 6500000)"
		if name == "sqlite" {
			r.exec(t, "CREATE TABLE files (project_id text, path text, content text, updated_at text, UNIQUE (project_id, path))")
			huge = "replace(printf('%.6500000c', 'x'), 'x', 'needle xx ')"
		} else {
			r.exec(t, "DROP INDEX files_trigrams")
		}
		r.exec(t, "INSERT INTO files (project_id, path, content) VALUES ('p1', '/huge.txt', "+huge+")")
		r.put(t, "/small.txt", "needle\n")
		b := r.on(t, files.Settings{Fast: true})
		reply := b.do(catalog.ReadFile, arguments{"path": "huge.txt", "head": 1})
		assert.Equal(t, "too_large", reply.Reason, name)
		assert.Contains(t, reply.Message, "65000000 bytes", name)
		assert.Equal(t, "too_large", b.do(catalog.EditFile, editOf("huge.txt", "x", "x", "y")).Reason, name)
		assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "needle"}).Total, name)
		assert.Equal(t, 2, b.do(catalog.ListEntries, arguments{}).Total, name)
	}
}

// The server ends the session in the middle of a search.
func TestAConnectionThatBreaksInASearchIsSaid(t *testing.T) {
	r := postgresTable(t)
	for _, path := range strings.Fields("/a /b /c /d /e /f /g /h /i /j /k /l /m /n /o /p /q /r /s /t") {
		r.put(t, path, "=> needle\n")
	}
	slow := r.as(t, "GRANT SELECT ON files TO {login}", "ALTER TABLE files ENABLE ROW LEVEL SECURITY",
		"CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.09); RETURN true; END'", "CREATE POLICY see ON files FOR SELECT USING (slow())")
	b := slow.on(t, files.Settings{})
	replied := make(chan tools.Reply, 1)
	go func() { replied <- b.raw(catalog.SearchContent, arguments{"query": "=>"}) }()
	require.Eventually(t, func() bool {
		var ended int
		require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%octet_length%' AND pid <> pg_backend_pid() AND state = 'active'").Scan(&ended))
		return ended > 0
	}, patience, time.Millisecond)
	reply := b.parse(<-replied)
	assert.Equal(t, "io_error", reply.Reason, reply.Message)
	assert.Contains(t, reply.Message, "terminating connection")
	assert.Equal(t, 20, b.do(catalog.ListEntries, arguments{}).Total, "the next call has another session")
}
