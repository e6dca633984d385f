package rosqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	designer "github.com/berth-dev/berth/designer/sqlite"
)

// create makes a database file of a script with the ordinary driver.
func create(t testing.TB, script string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	path := filepath.Join(dir, "a b#?%.db")
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path))
	require.NoError(t, err)
	_, err = db.Exec(script)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

func connect(t testing.TB, path string) *sql.DB {
	t.Helper()
	db := sql.OpenDB(NewConnector(path, Options{BusyTimeout: 50 * time.Millisecond, MaxLength: 1 << 20}))
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

func readAll(db *sql.DB, query string) ([][]any, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all [][]any
	for rows.Next() {
		values, pointers := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		all = append(all, values)
	}
	return all, rows.Err()
}

func TestValuesArriveAsTheyAreStored(t *testing.T) {
	db := connect(t, create(t, `CREATE TABLE t (a, d DATETIME, b BOOLEAN);
INSERT INTO t VALUES (9007199254740993, '2009-01-01 00:00:00', 1), (1.5, 20090101, 2), (x'00ff', NULL, 'x'),
 (NULL, '', ''), ('a'||char(0)||'b', 1e400, x'')`))
	got, err := readAll(db, "SELECT * FROM t")
	require.NoError(t, err)
	inf, err := readAll(db, "SELECT 1e400")
	require.NoError(t, err)
	assert.Equal(t, [][]any{
		{int64(9007199254740993), "2009-01-01 00:00:00", int64(1)},
		{1.5, int64(20090101), int64(2)},
		{[]byte{0, 255}, nil, "x"},
		{nil, "", ""},
		{"a\x00b", inf[0][0], []byte{}},
	}, got)
}

func TestModulesThatOnlyReadStillWork(t *testing.T) {
	db := connect(t, create(t, `CREATE VIRTUAL TABLE s USING fts5(body); INSERT INTO s VALUES ('hello world');
CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 2, 3);`))
	for query, want := range map[string]any{
		"SELECT highlight(s, 0, '<', '>') FROM s WHERE s MATCH 'hello' ORDER BY rank":            "<hello> world",
		"SELECT id FROM r WHERE a >= 2":                                                          int64(1),
		"SELECT name FROM pragma_table_info('s')":                                                "body",
		"SELECT value FROM json_each('[7]')":                                                     int64(7),
		"SELECT count(*) > 0 FROM dbstat":                                                        int64(1),
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x+1 FROM c LIMIT 5) SELECT max(x) FROM c": int64(5),
		"PRAGMA user_version":                                                                    int64(0),
	} {
		got, err := readAll(db, query)
		require.NoError(t, err, query)
		assert.Equal(t, want, got[0][0], query)
	}
	def, err := designer.Inspect(context.Background(), db)
	require.NoError(t, err)
	assert.Len(t, def.Views, 2)
}

func TestWhatIsNotReadingIsRefused(t *testing.T) {
	path := create(t, "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE x_node (a); CREATE INDEX x ON t (a); PRAGMA user_version = 3")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	db := connect(t, path)
	other := filepath.Join(filepath.Dir(path), "other.db")
	for _, statement := range []string{
		"DELETE FROM t", "INSERT INTO t VALUES (2)", "UPDATE t SET a = 2", "WITH c AS (SELECT 1) DELETE FROM t",
		"INSERT INTO x_node VALUES (1)", "INSERT INTO t VALUES (2) RETURNING a",
		"CREATE TABLE u (a)", "CREATE TEMP TABLE u (a)", "CREATE TABLE u AS SELECT 1", "DROP TABLE t", "ALTER TABLE t ADD b",
		"CREATE INDEX i ON t (a)", "REINDEX", "ANALYZE", "VACUUM", "VACUUM INTO '" + other + "'",
		"ATTACH '" + other + "' AS o", "ATTACH ':memory:' AS o", "DETACH main", "BEGIN", "COMMIT", "SAVEPOINT s",
		"PRAGMA query_only = 0", "PRAGMA query_only(0)", "PRAGMA user_version = 4", "PRAGMA user_version(4)",
		"PRAGMA journal_mode = WAL", "PRAGMA journal_mode(wal)", "PRAGMA writable_schema = 1", "PRAGMA wal_checkpoint",
		"PRAGMA optimize", "PRAGMA incremental_vacuum", "PRAGMA temp_store_directory = '/'", "PRAGMA unknown_pragma",
		"SELECT load_extension('x')", "SELECT * FROM pragma_user_version(7)", "EXPLAIN DELETE FROM t", "SELECT 1; SELECT 2",
		"SELECT 1; DELETE FROM t", "SELECT 1\x00; DELETE FROM t", "", "-- nothing",
	} {
		_, err := readAll(db, statement)
		assert.Error(t, err, statement)
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestPragmasThatTellAreAnswered(t *testing.T) {
	db := connect(t, create(t, "CREATE TABLE t (a)"))
	for _, name := range []string{
		"table_list", "foreign_key_check", "integrity_check", "quick_check", "database_list", "collation_list", "function_list",
		"module_list", "pragma_list", "compile_options", "encoding", "page_size", "page_count", "freelist_count", "user_version",
		"application_id", "schema_version", "data_version", "auto_vacuum", "foreign_keys", "query_only", "max_page_count",
		"cache_size", "synchronous", "locking_mode", "busy_timeout", "temp_store",
	} {
		_, err := readAll(db, "PRAGMA "+name)
		assert.NoError(t, err, name)
	}
	for _, name := range []string{"table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list"} {
		_, err := readAll(db, "PRAGMA "+name+"(t)")
		assert.NoError(t, err, name)
	}
}

func TestAnInterruptReachesEveryStep(t *testing.T) {
	db := connect(t, create(t, "CREATE TABLE t (a)"))
	const runaway = `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c WHERE x < 3 OR x < 0`
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rows, err := db.QueryContext(ctx, runaway)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	require.True(t, rows.Next())
	require.True(t, rows.Next())
	time.AfterFunc(20*time.Millisecond, cancel)
	require.False(t, rows.Next(), "the third row never comes")
	assert.ErrorIs(t, rows.Err(), context.Canceled)
	require.NoError(t, rows.Close())
	got, err := readAll(db, "SELECT 1")
	require.NoError(t, err, "the next query has a new connection")
	assert.Equal(t, [][]any{{int64(1)}}, got)
}

func TestAWriteAheadLogIsReadWithoutNewFiles(t *testing.T) {
	path := create(t, "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
	names := func() []string {
		entries, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		var all []string
		for _, e := range entries {
			all = append(all, strings.TrimPrefix(e.Name(), filepath.Base(path)))
		}
		return all
	}
	db := connect(t, path)
	got, err := readAll(db, "SELECT a FROM t")
	require.NoError(t, err)
	assert.Equal(t, [][]any{{int64(1)}}, got)
	assert.Equal(t, []string{""}, names(), "nothing beside the file")

	writer, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path))
	require.NoError(t, err)
	defer func() { assert.NoError(t, writer.Close()) }()
	_, err = writer.Exec("INSERT INTO t VALUES (2)")
	require.NoError(t, err)
	got, err = readAll(db, "SELECT a FROM t")
	require.NoError(t, err)
	assert.Equal(t, [][]any{{int64(1)}, {int64(2)}}, got, "what is in the log counts")
	assert.Equal(t, []string{"", "-shm", "-wal"}, names(), "the writer's")
}

func TestAReaderOfAStillFileNoticesAWriter(t *testing.T) {
	path := create(t, "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
	db := connect(t, path)
	rows, err := db.Query("SELECT a FROM t")
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	require.True(t, rows.Next())
	require.NoError(t, os.WriteFile(path+"-wal", nil, 0o600))
	require.True(t, rows.Next())
	require.False(t, rows.Next())
	assert.ErrorIs(t, rows.Err(), ErrChanged)
}

func TestADatabaseMadeAnewIsTheOneRead(t *testing.T) {
	path := create(t, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
	db := connect(t, path)
	require.NoError(t, db.Ping())
	if err := os.Rename(create(t, "CREATE TABLE t (a); INSERT INTO t VALUES (2)"), path); err != nil && runtime.GOOS != "windows" {
		require.NoError(t, err)
	}
	got, err := readAll(db, "SELECT a FROM t")
	require.NoError(t, err)
	assert.Equal(t, [][]any{{int64(2)}}, got)
}

func TestAFileThatCannotBeReadIsAnErrorWithItsCause(t *testing.T) {
	good := create(t, "CREATE TABLE t (a)")
	dir := filepath.Dir(good)
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	linked := filepath.Join(dir, "link.db")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(good, linked))
	}
	locked := create(t, "CREATE TABLE t (a)")
	locker, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(locked)+"?_txlock=exclusive")
	require.NoError(t, err)
	defer func() { assert.NoError(t, locker.Close()) }()
	tx, err := locker.Begin()
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback()) }()

	for _, tt := range []struct{ name, path, cause string }{
		{"missing", filepath.Join(dir, "missing.db"), "the file does not exist"},
		{"a directory", dir, "not a regular file"},
		{"not a database", write("text.db", strings.Repeat("no database at all ", 100)), "the file is not a SQLite database, or it is encrypted"},
		{"cut off", write("cut.db", "SQLite format 3\x00\x10\x00"), "the file is not a SQLite database, or it is encrypted"},
		{"a symbolic link", linked, "unable to open database file"},
		{"locked", locked, "another program has the database locked; try again when it is done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			err := connect(t, tt.path).Ping()
			var e *Error
			require.True(t, errors.As(err, &e), "%v", err)
			assert.True(t, e.Unavailable())
			assert.Equal(t, tt.cause, e.Explanation())
			assert.Less(t, time.Since(start), 2*time.Second)
		})
	}
	assert.NoFileExists(t, filepath.Join(dir, "missing.db"))
}

func TestLengthsAreLimited(t *testing.T) {
	db := connect(t, create(t, "CREATE TABLE t (a)"))
	for _, query := range []string{"SELECT zeroblob(2000000)", "SELECT hex(zeroblob(800000))", "SELECT printf('%.*c', 2000000, 'x')"} {
		_, err := readAll(db, query)
		assert.ErrorContains(t, err, "too big", query)
	}
}
