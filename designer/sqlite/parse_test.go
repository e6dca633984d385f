package sqlite

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

func TestNamesAndTypesAreThoseSQLiteTakes(t *testing.T) {
	db := open(t, "")
	for _, word := range strings.Fields(keywordList) {
		token := sqltext.SQLite().Tokens(word)[0]
		_, err := db.Exec("CREATE TABLE t (" + word + "); DROP TABLE t")
		assert.Equal(t, err == nil, isNameToken(token), "%s as a name: %v", word, err)
		_, err = db.Exec("CREATE TABLE t (a " + word + " b)")
		if err == nil {
			var dataType string
			require.NoError(t, db.QueryRow("SELECT type FROM pragma_table_info('t')").Scan(&dataType))
			_, err = db.Exec("DROP TABLE t")
			require.NoError(t, err)
			if dataType != word+" b" {
				continue // the word was taken for a constraint
			}
		}
		assert.Equal(t, err == nil, isTypeWord(token), "%s as a type: %v", word, err)
	}
}

func TestParserRefusesWhatSQLiteDoesNotStore(t *testing.T) {
	for _, sql := range []string{
		"", "CREATE", "CREATE TABLE", "CREATE TABLE t", "CREATE TABLE t (", "CREATE TABLE t ()", "CREATE TABLE t (a",
		"CREATE TABLE t (a,)", "CREATE TABLE t (a) WITHOUT", "CREATE TABLE t (a) SELECT 1", "CREATE TABLE t (a CHECK (1)",
		"CREATE TABLE t (a DEFAULT)", "CREATE TABLE t (a, FOREIGN KEY (a + 1) REFERENCES b)", "CREATE TABLE t (a) ; x",
		"CREATE TABLE t (a REFERENCES b ON DELETE nothing)", "CREATE TABLE t (a 'open", "CREATE INDEX i ON t (a)",
	} {
		_, err := parseTable(sql)
		assert.ErrorIs(t, err, errSyntax, sql)
	}
	for _, sql := range []string{
		"", "CREATE INDEX", "CREATE INDEX i", "CREATE INDEX i ON t", "CREATE INDEX i ON t (", "CREATE INDEX i ON t ()",
		"CREATE INDEX i ON t (a) x", "CREATE INDEX i ON t (a DESC", "CREATE TABLE t (a)",
	} {
		_, err := parseIndex(sql)
		assert.ErrorIs(t, err, errSyntax, sql)
	}
}

// FuzzInspect holds the parser against SQLite: whatever script SQLite takes,
// Inspect reads without error, and text and pragmas agree.
func FuzzInspect(f *testing.F) {
	script, err := os.ReadFile("testdata/everything.sql")
	require.NoError(f, err)
	for _, statement := range strings.Split(string(script), ";\n") {
		f.Add(statement)
	}
	f.Fuzz(func(t *testing.T, statement string) {
		if len(statement) > 4096 || !isCreate(statement) {
			return
		}
		db, err := sql.Open("sqlite", "file::memory:?_pragma=temp_store(memory)")
		require.NoError(t, err)
		defer func() { require.NoError(t, db.Close()) }()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec("CREATE TABLE parent (a INTEGER PRIMARY KEY, b TEXT UNIQUE)"); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(statement); err != nil {
			return
		}
		if hasOddName(t, db) || repeatsKeyColumn(statement) {
			return
		}
		def, err := Inspect(context.Background(), db)
		require.NoError(t, err)
		requireSameAgain(t, def)
	})
}

// requireSameAgain renders what was read, runs that and reads it again.
func requireSameAgain(t *testing.T, def designer.Definition) {
	want, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	plan, err := Engine{}.Script(want)
	require.NoError(t, err)
	db, err := sql.Open("sqlite", "file::memory:?_pragma=temp_store(memory)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(plan.Script())
	require.NoError(t, err, plan.Script())
	def, err = Inspect(context.Background(), db)
	require.NoError(t, err, plan.Script())
	got, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	require.Equal(t, want.Definition(), got.Definition(), plan.Script())
}

// repeatsKeyColumn reports a PRIMARY KEY (a, a), which the model has as (a).
func repeatsKeyColumn(statement string) bool {
	text, err := parseTable(statement)
	seen := map[string]bool{}
	for i := 0; err == nil && i < len(text.primary.keys); i++ {
		name := fold(text.primary.keys[i].column)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// isCreate keeps the fuzzer from statements that reach outside of memory, and
// from empty names, which no model takes.
func isCreate(statement string) bool {
	tokens := sqltext.SQLite().Significant(statement)
	for i, t := range tokens {
		if t.Is(";") && i < len(tokens)-1 || t.Kind == sqltext.Illegal || t.Is("VIRTUAL") || isNameToken(t) && t.Name == "" {
			return false
		}
	}
	return len(tokens) > 1 && tokens[0].Is("CREATE")
}

// hasOddName reports names that no text in UTF-8 can carry.
func hasOddName(t *testing.T, db *sql.DB) bool {
	var n int
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL AND sql <> CAST(CAST(sql AS BLOB) AS TEXT)`).Scan(&n))
	return n > 0
}

func FuzzParse(f *testing.F) {
	f.Add("CREATE TABLE t (a INT(1) DEFAULT (1) CHECK (a) REFERENCES b(c) MATCH d ON DELETE SET NULL, PRIMARY KEY (a DESC)) STRICT")
	f.Add("CREATE UNIQUE INDEX i ON t (a COLLATE b DESC, (c)) WHERE d")
	f.Add("CREATE TABLE a(b)WITHOUT'rowid','strict'")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = parseTable(text)
		_, _ = parseIndex(text)
		_, _, _ = splitType(text)
	})
}
