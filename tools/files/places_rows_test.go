package files_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/rows"
	"github.com/berth-dev/berth/tools/files/version"
)

// on returns the tools on a table.
func (r *table) on(t *testing.T, settings files.Settings) *bench {
	t.Helper()
	settings.Store = rows.New(r.rowsConnection, r.Options)
	return newBench(t, settings)
}

func editOf(path, content, from, to string) arguments {
	return arguments{"path": path, "version": version.Of([]byte(content)), "edits": []edit{{"old_text": from, "new_text": to}}}
}

// Other clients write the same row, each in a transaction of its own that reads
// it first. The tool counts its edits in the row, they count theirs beside it.
func TestNoEditIsLostBesideOtherClients(t *testing.T) {
	const clients = 4
	rounds := long.Rounds(60, 20_000)
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t), "bytea": byteaTable(t)} {
		t.Run(name, func(t *testing.T) {
			r.put(t, "/n.txt", "ours=0 others=0\n")
			b := r.on(t, files.Settings{Fast: true})
			var others atomic.Int64
			var wg sync.WaitGroup
			done := make(chan struct{})
			for range clients {
				wg.Go(func() {
					for {
						select {
						case <-done:
							return
						default:
						}
						if r.count(t) {
							others.Add(1)
						}
						time.Sleep(time.Duration(rand.IntN(8)) * time.Millisecond) // SQLite's locks are not fair
					}
				})
			}
			made, refused := 0, 0
			for n := 0; n < rounds || made < 3 && n < 100*rounds; n++ { // on a slow machine others are nearly always in between
				read := b.raw(catalog.ReadFile, arguments{"path": "n.txt"})
				ours := strings.Fields(read.Content[1])[0]
				reply := b.do(catalog.EditFile, arguments{"path": "n.txt", "version": b.parse(read).Version,
					"edits": []edit{{"old_text": ours + " ", "new_text": fmt.Sprintf("ours=%d ", made+1)}}})
				if reply.Success {
					made++
					continue
				}
				require.Contains(t, []string{"stale_version", "in_use"}, reply.Reason, reply.Message)
				refused++
			}
			close(done)
			wg.Wait()
			t.Logf("%d edits: %d made, %d refused; %d of other clients", made+refused, made, refused, others.Load())
			assert.Equal(t, fmt.Sprintf("ours=%d others=%d\n", made, others.Load()), r.content(t, "/n.txt"))
			assert.Positive(t, made)
			assert.Positive(t, others.Load())
		})
	}
}

// count counts once as another client, and reports whether that was committed.
func (r *table) count(t testing.TB) bool {
	ctx := t.Context()
	tx, err := r.writer.BeginTx(ctx, nil)
	if err != nil {
		return false
	}
	defer func() { _ = tx.Rollback() }()
	lock := ""
	if r.Dialect == "postgres" {
		lock = " FOR UPDATE"
	}
	var content []byte
	if tx.QueryRowContext(ctx, "SELECT content FROM files WHERE project_id = 'p1' AND path = '/n.txt'"+lock).Scan(&content) != nil {
		return false
	}
	var ours, others int
	if _, err := fmt.Sscanf(string(content), "ours=%d others=%d", &ours, &others); err != nil {
		return false
	}
	next := fmt.Sprintf("ours=%d others=%d\n", ours, others+1)
	var value any = next
	if r.blob {
		value = []byte(next)
	}
	if _, err := tx.ExecContext(ctx, "UPDATE files SET content = $1 WHERE project_id = 'p1' AND path = '/n.txt'", value); err != nil {
		return false
	}
	return tx.Commit() == nil
}

// as makes a login with these rights and returns the table as it sees it.
func (r *table) as(t *testing.T, rights ...string) *table {
	t.Helper()
	var name string
	require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
	login := name + "_login"
	r.exec(t, "CREATE ROLE "+login+" LOGIN PASSWORD 'x'")
	t.Cleanup(func() {
		for _, s := range []string{"DROP OWNED BY " + login, "DROP ROLE " + login} {
			_, err := r.owner.ExecContext(context.Background(), s)
			require.NoError(t, err)
		}
	})
	for _, right := range rights {
		r.exec(t, strings.ReplaceAll(right, "{login}", login))
	}
	db, err := sql.Open("pgx", (&url.URL{Scheme: "postgres", User: url.UserPassword(login, "x"), Host: "127.0.0.1:5432", Path: name}).String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	other := *r
	other.rowsConnection = &rowsConnection{Description: r.Description, reader: db, writer: db}
	return &other
}

func TestALoginThatOnlyReadsIsSaid(t *testing.T) {
	r := postgresTable(t)
	r.put(t, "/a.txt", "a\n")
	b := r.as(t, "GRANT SELECT ON files TO {login}").on(t, files.Settings{Fast: true})
	assert.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": "a.txt"}).Lines)
	for _, a := range []arguments{editOf("a.txt", "a\n", "a", "b"), {"path": "b.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}}} {
		reply := b.do(catalog.EditFile, a)
		assert.Equal(t, "read_only", reply.Reason)
		assert.Contains(t, reply.Message, "may read table files and not change it")
	}
}

// A policy that shows rows and keeps them from being changed gives 0 rows,
// which is not what a changed row gives.
func TestRowsThatAPolicyProtectsAreNotCalledStale(t *testing.T) {
	r := postgresTable(t)
	for _, path := range []string{"/open.txt", "/kept.txt", "/unseen.txt"} {
		r.put(t, path, "a\n")
	}
	b := r.as(t, "GRANT SELECT, INSERT, UPDATE ON files TO {login}", "ALTER TABLE files ENABLE ROW LEVEL SECURITY",
		"CREATE POLICY see ON files FOR SELECT USING (path <> '/unseen.txt')", "CREATE POLICY change ON files FOR UPDATE USING (path = '/open.txt')",
		"CREATE POLICY add ON files FOR INSERT WITH CHECK (path = '/new.txt')").on(t, files.Settings{Fast: true})
	assert.True(t, b.do(catalog.EditFile, editOf("open.txt", "a\n", "a", "b")).Success)
	reply := b.do(catalog.EditFile, editOf("kept.txt", "a\n", "a", "b"))
	assert.Equal(t, "permission_denied", reply.Reason)
	assert.Contains(t, reply.Message, "row-level security")
	assert.Equal(t, "not_found", b.do(catalog.ReadFile, arguments{"path": "unseen.txt"}).Reason)
	assert.True(t, b.do(catalog.EditFile, arguments{"path": "new.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}}).Success)
	reply = b.do(catalog.EditFile, arguments{"path": "other.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}})
	assert.Equal(t, "permission_denied", reply.Reason)
	assert.Equal(t, "a\n", r.content(t, "/kept.txt"))
}

func TestATriggerThatChangesWhatIsWrittenIsSaid(t *testing.T) {
	r := postgresTable(t)
	r.put(t, "/a.txt", "a\n")
	r.exec(t, "CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.content := upper(NEW.content); RETURN NEW; END'",
		"CREATE TRIGGER shout BEFORE INSERT OR UPDATE ON files FOR EACH ROW EXECUTE FUNCTION shout()")
	b := r.on(t, files.Settings{Fast: true})
	reply := b.do(catalog.EditFile, editOf("a.txt", "a\n", "a", "b"))
	assert.Contains(t, reply.Message, "a trigger of the table changes")
	assert.Equal(t, "a\n", r.content(t, "/a.txt"))
}

// In fast mode files on disk are edited at once; rows are where the connection
// allows writes.
func TestFastModeAloneDoesNotWriteInADatabase(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		r.put(t, "/a.txt", "a\n")
		r.AllowWrites = false
		b := r.on(t, files.Settings{Fast: true})
		reply := b.do(catalog.EditFile, editOf("a.txt", "a\n", "a", "b"))
		require.Equal(t, "approval_required", reply.Reason, name)
		waiting, err := b.ledger.Find(reply.PlanID)
		require.NoError(t, err)
		assert.Contains(t, waiting.Title, "in table files of connection main")
		assert.Equal(t, "a\n", r.content(t, "/a.txt"))
	}
}

func TestATableInWhichAPathMayBeTwoFilesIsRefused(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		for statement, want := range map[string]string{
			"CREATE TABLE loose (project_id text, path text, content text)":                                      "nothing makes (project_id, path) unique",
			"CREATE TABLE other (project_id text, path text, content text, n int, UNIQUE (project_id, path, n))": "nothing makes (project_id, path) unique",
			"CREATE TABLE nameless (project_id text, path text UNIQUE)":                                          "has no column content",
			"CREATE VIEW seen AS SELECT project_id, path, content FROM files":                                    "files are the rows of a table",
			"SELECT 1": "has no table none; berth files init",
		} {
			r.exec(t, statement)
			words := strings.Fields(statement)
			r.Table = "none"
			if len(words) > 2 {
				r.Table = words[2]
			}
			reply := r.on(t, files.Settings{}).do(catalog.ListEntries, arguments{})
			assert.Contains(t, reply.Message, want, name)
		}
		r.Table = "unique index"
		r.exec(t, `CREATE TABLE "unique index" (project_id int, path text, content text)`, `CREATE UNIQUE INDEX one ON "unique index" (path, project_id)`,
			`INSERT INTO "unique index" VALUES (7, 'bare.txt', 'x')`)
		r.Project = "7"
		b := r.on(t, files.Settings{Fast: true})
		assert.Equal(t, 1, b.do(catalog.ListEntries, arguments{}).Total, name)
		assert.True(t, b.do(catalog.EditFile, editOf("/bare.txt", "x", "x", "y")).Success, name)
		assert.True(t, b.do(catalog.EditFile, arguments{"path": "new.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}}).Success, name)
		var spelled string
		require.NoError(t, r.owner.QueryRowContext(t.Context(), `SELECT path FROM "unique index" WHERE path LIKE '%new.txt'`).Scan(&spelled))
		assert.Equal(t, "new.txt", spelled, "as the other rows")
	}
}

func TestOneFileInTwoSpellingsIsRefused(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		r.put(t, "/a.txt", "a\n")
		r.put(t, "a.txt", "b\n")
		reply := r.on(t, files.Settings{Fast: true}).do(catalog.EditFile, editOf("a.txt", "a\n", "a", "c"))
		assert.Contains(t, reply.Message, "is two rows", name)
	}
}

// Paths that no tool names are rows, too.
func TestRowsWithPathsThatLeadOutAreNotServed(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		for _, path := range []string{"/../up.txt", "//double.txt", "/a//b.txt", "/folder/", "/", "", `/back\slash.txt`, "/.git/config", "/ok.txt"} {
			r.put(t, path, "needle\n")
		}
		b := r.on(t, files.Settings{})
		reply := b.do(catalog.ListEntries, arguments{})
		require.Len(t, reply.Entries, 1, name)
		assert.Equal(t, "ok.txt", reply.Entries[0].Path)
		assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "needle"}).Total, name)
	}
}

func TestARowWithoutAPathIsNoFile(t *testing.T) {
	r := byteaTable(t)
	r.exec(t, "INSERT INTO files (project_id, path, content) VALUES ('p1', NULL, 'needle')")
	r.put(t, "/a.txt", "needle\n")
	b := r.on(t, files.Settings{})
	assert.Len(t, b.do(catalog.ListEntries, arguments{}).Entries, 1)
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "needle"}).Total)
}

// The index is for the plan; what it would miss is scanned for, and the reply
// says so.
func TestASearchSaysHowRowsWereFound(t *testing.T) {
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		r.put(t, "/a.txt", "needle => x\n")
		b := r.on(t, files.Settings{})
		assert.Contains(t, b.do(catalog.SearchContent, arguments{"query": "needle"}).Note, "the index of the table named the files", name)
		assert.Contains(t, b.do(catalog.SearchContent, arguments{"query": "=>"}).Note, "the rows were scanned", name)
	}
	r := byteaTable(t)
	r.put(t, "/a.txt", "needle\n")
	assert.Contains(t, r.on(t, files.Settings{}).do(catalog.SearchContent, arguments{"query": "needle"}).Note, "bytea")
}

// The files that have the word most often come first, the hits are the same, and
// what cannot be ranked says so.
func TestASearchCanBeRanked(t *testing.T) {
	texts := map[string]string{"/a.txt": "one scene among many other words of a long text that is about something else\n", "/b.txt": "scene, scene and scene\n", "/c.txt": "nothing\n"}
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t)} {
		for path, text := range texts {
			r.put(t, path, text)
		}
		b := r.on(t, files.Settings{})
		plain, ranked := b.do(catalog.SearchContent, arguments{"query": "Scene"}), b.do(catalog.SearchContent, arguments{"query": "Scene", "rank": true})
		require.Equal(t, 4, plain.Total, name)
		require.Equal(t, 4, ranked.Total, ranked.Message)
		assert.Equal(t, "a.txt", plain.Hits[0].Path, name)
		assert.Equal(t, "b.txt", ranked.Hits[0].Path, name)
		assert.ElementsMatch(t, plain.Hits, ranked.Hits, name)
		assert.Contains(t, ranked.Note, "ranked by", name)
		best := b.do(catalog.SearchContent, arguments{"query": "scene", "rank": true, "limit": 2})
		assert.Equal(t, []string{"b.txt", "b.txt"}, []string{best.Hits[0].Path, best.Hits[1].Path}, name)
		for query, total := range map[string]int{",": 1, "=>": 0, "\x00": 0, "'": 0, `"`: 0, "cene": 4, "%": 0} {
			assert.Equal(t, total, b.do(catalog.SearchContent, arguments{"query": query, "rank": true}).Total, "%s %q", name, query)
		}
		assert.Contains(t, b.do(catalog.SearchContent, arguments{"query": ",", "rank": true}).Note, "not ranked", name)
		assert.Contains(t, b.do(catalog.SearchContent, arguments{"query": "scene", "rank": true, "regex": true}).Message, "leave out regex")
	}
	r := byteaTable(t)
	r.put(t, "/a.txt", "scene\n")
	assert.Contains(t, r.on(t, files.Settings{}).do(catalog.SearchContent, arguments{"query": "scene", "rank": true}).Note, "not ranked")
}

// A text of more words than PostgreSQL lists is ranked by its beginning.
func TestALongTextIsRanked(t *testing.T) {
	r := postgresTable(t)
	var long strings.Builder
	for n := range 300_000 {
		fmt.Fprintf(&long, "w%d ", n)
	}
	r.put(t, "/long.txt", "needle "+long.String())
	assert.Equal(t, 1, r.on(t, files.Settings{}).do(catalog.SearchContent, arguments{"query": "needle", "rank": true}).Total)
}

func TestFilesOnDiskAreNotRanked(t *testing.T) {
	r := sqliteTable(t)
	r.put(t, "/a.txt", "needle\n")
	on := r.on(t, files.Settings{Mount: "game"})
	for path, want := range map[string]string{"": "give path_prefix game/", "src/": "and these are on disk"} {
		reply := on.do(catalog.SearchContent, arguments{"query": "needle", "rank": true, "path_prefix": path})
		assert.Equal(t, "invalid_request", reply.Reason)
		assert.Contains(t, reply.Message, want)
	}
	assert.Equal(t, 1, on.do(catalog.SearchContent, arguments{"query": "needle", "rank": true, "path_prefix": "game/"}).Total)
}

// A file with a NUL behind its first 8 KiB is searched whole, and the index has
// what follows.
func TestASearchFindsWhatIsBehindANUL(t *testing.T) {
	r := sqliteTable(t)
	content := strings.Repeat("x", 9000) + "\x00 needle\n" // further up it would be binary
	r.put(t, "/a.txt", content)
	reply := r.on(t, files.Settings{}).do(catalog.SearchContent, arguments{"query": "needle"})
	assert.Equal(t, 1, reply.Total)
	assert.Contains(t, reply.Note, "the index of the table named the files")
}

// A file of SQLite may keep texts in UTF-16. They are text all the same, and
// other clients find them as such.
func TestSQLiteThatKeepsUTF16(t *testing.T) {
	r := sqliteFile(t, "encoding('UTF-16le')")
	r.make(t)
	r.put(t, "/a.txt", "Straße\n")
	b := r.on(t, files.Settings{Fast: true})
	read := b.do(catalog.ReadFile, arguments{"path": "a.txt"})
	assert.Equal(t, 2, read.Lines)
	assert.EqualValues(t, 8, read.Size)
	assert.True(t, b.do(catalog.EditFile, editOf("a.txt", "Straße\n", "Straße", "Weg")).Success)
	assert.True(t, b.do(catalog.EditFile, arguments{"path": "new.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "Straße\n"}}}).Success)
	var kinds string
	require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT group_concat(typeof(content) || ' ' || content) FROM (SELECT * FROM files WHERE project_id = 'p1' ORDER BY path)").Scan(&kinds))
	assert.Equal(t, "text Weg\n,text Straße\n", kinds)
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "straße"}).Total)
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "weg"}).Total)
}

func TestDialectsThatKeepNoFilesAreRefused(t *testing.T) {
	r := sqliteTable(t)
	r.Dialect = "mysql"
	reply := r.on(t, files.Settings{}).do(catalog.ReadFile, arguments{"path": "a.txt"})
	assert.Contains(t, reply.Message, "is mysql; files are kept in PostgreSQL or SQLite")
}

// PostgreSQL takes a scan of rows whose content is stored apart for cheap. The
// counter of the index says that it was used all the same.
func TestASearchOfARareWordUsesTheIndex(t *testing.T) {
	r := postgresTable(t)
	r.exec(t, `INSERT INTO files (project_id, path, content)
SELECT 'p1', '/f' || n, (SELECT string_agg(md5((n * 1000 + k)::text), ' ') FROM generate_series(1, 240) k) FROM generate_series(1, 300) n`)
	r.put(t, "/a.txt", "a rare zyxwvukas\n")
	r.exec(t, "VACUUM ANALYZE files")
	b := r.on(t, files.Settings{})
	assert.Equal(t, 1, b.do(catalog.SearchContent, arguments{"query": "ZYXWVUKAS"}).Total)
	require.Eventually(t, func() bool { // it is counted some time later
		var scans int
		require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'files_trigrams'").Scan(&scans))
		return scans > 0
	}, patience, 10*tick)
}
