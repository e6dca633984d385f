package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheDatabaseSaysWhyItRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		script, edits, comment, reason string
	}{
		"NOT NULL where rows hold NULL": {
			library + "UPDATE book SET pages = NULL WHERE id = 1;",
			`[{"op":"set_column","table":{"name":"book"},"column":{"name":"pages"},"set":{"isNullable":false}}]`,
			"Copy the rows of table book", "NOT NULL constraint failed: book.pages"},
		"a key whose numbers SQLite makes up where rows hold NULL": {
			"CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (NULL), (7), (NULL)",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"isPrimaryKey":true}}]`,
			"Copy the rows of table t", "datatype mismatch"},
		"a new column without a value for the rows": {
			people, `[{"op":"add_column","table":{"name":"people"},"column":{"name":"x","dataType":"INT","isNullable":false}}]`,
			"Add column x to people", "Cannot add a NOT NULL column with default value NULL"},
		"a check that rows do not pass": {
			people, `[{"op":"add_check","table":{"name":"people"},"check":{"name":"adult","expression":"age >= 18"}}]`,
			"Copy the rows of table people", "CHECK constraint failed: adult"},
		"a unique index on values that repeat": {
			people + "UPDATE people SET name = 'Ada';", `[{"op":"add_index","table":{"name":"people"},"index":{"name":"u","unique":true,"columns":["name"]}}]`,
			"Create index u on people", "UNIQUE constraint failed: people.name"},
		"a value that a STRICT table does not take": {
			"CREATE TABLE t (a TEXT) STRICT; INSERT INTO t VALUES ('x')",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"INTEGER"}}]`,
			"Copy the rows of table t", "cannot store TEXT value in INTEGER column t.a"},
		"a conflict that the table would resolve in silence": {
			"CREATE TABLE t (a TEXT UNIQUE ON CONFLICT REPLACE); INSERT INTO t VALUES ('x'), ('X')",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"collation":"NOCASE"}}]`,
			"Copy the rows of table t", "UNIQUE constraint failed: t.a"},
		"a view on a dropped table": {
			library, `[{"op":"drop_table","table":{"name":"loan"}}]`,
			"check views and triggers", "view lent would be broken: SQL logic error: no such table: main.loan"},
		"a view on a dropped column, in place": {
			"CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t", `[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`,
			"Drop column b of t", "error in view v after drop column: no such column: b"},
		"a view on a dropped column, by a rebuild": {
			"CREATE TABLE t (a, b, CHECK (a > 0)); CREATE VIEW v AS SELECT b FROM t", `[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`,
			"check views and triggers", "view v would be broken: SQL logic error: no such column: b"},
		"a trigger elsewhere on a dropped column": {
			"CREATE TABLE t (a, b, CHECK (a > 0)); CREATE TABLE u (x); CREATE TRIGGER r AFTER UPDATE OF x ON u BEGIN UPDATE t SET b = 1; END",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`,
			"check views and triggers", "a trigger on update of u would be broken: SQL logic error: no such column: b"},
		"a renamed column that a view needs by its old name": {
			"CREATE TABLE t (a, b); CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT b FROM v",
			`[{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"name":"c"}}]`,
			"Rename column b of t to c", "error in view w after rename: no such column: b"},
		"a foreign key that rows violate": {
			library + "INSERT INTO loan VALUES (77, 'Eve', NULL);",
			`[{"op":"add_column","table":{"name":"loan"},"column":{"name":"copy","dataType":"INTEGER","defaultValue":"5"}},
			{"op":"add_foreign_key","table":{"name":"loan"},"foreignKey":{"name":"f","referencedTable":{"name":"shelf"},"mappings":[{"column":"copy","referencedColumn":"id"}]}}]`,
			"check foreign keys", "FOREIGN KEY constraint failed: 3 rows of loan (copy) refer to what is not in shelf (id)"},
		"a type that a STRICT table does not have": {
			"CREATE TABLE t (a TEXT) STRICT", `[{"op":"add_column","table":{"name":"t"},"column":{"name":"b","dataType":"VARCHAR","maxLength":"9"}}]`,
			"Add column b to t", `unknown datatype for t.b: "VARCHAR(9)"`},
		"an expression without a meaning": {
			people, `[{"op":"add_check","table":{"name":"people"},"check":{"name":"c","expression":"missing(age)"}}]`,
			"Re-create table people: checks", "no such function: missing"},
	} {
		t.Run(name, func(t *testing.T) {
			change := newChange(t, c.script, c.edits)
			if strings.Contains(c.edits, "drop_") {
				change.unseen() // else there is no plan
			}
			err := change.refused()
			assert.Equal(t, c.comment, err.Step.Comment)
			assert.ErrorContains(t, err.Err, c.reason)
			assert.Zero(t, err.Applied)
		})
	}
}

func TestWhatAViewOrTriggerUsesIsNotDropped(t *testing.T) {
	for name, c := range map[string]struct{ script, edits, want string }{
		"a table": {library, `[{"op":"drop_table","table":{"name":"loan"}}]`,
			"table main.loan: it is used: view lent would be broken: SQL logic error: no such table: main.loan (1): drop or change that first"},
		"a column, in place": {"CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`,
			"table main.t: column b is used: view v after drop column: no such column: b (1): drop or change that first"},
		"a column, by a rebuild": {"CREATE TABLE t (a, b, CHECK (a > 0)); CREATE VIEW v AS SELECT b FROM t",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`, "column b is used: view v after drop column"},
		"a trigger elsewhere": {"CREATE TABLE t (a, b); CREATE TABLE u (x); CREATE TRIGGER r AFTER UPDATE OF x ON u BEGIN UPDATE t SET b = 1; END",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`, "a trigger on update of u would be broken: SQL logic error: no such column: b"},
		"a trigger of its own": {"CREATE TABLE t (a, b, CHECK (a > 0)); CREATE TRIGGER r AFTER INSERT ON t WHEN new.b > 1 BEGIN SELECT 1; END",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`, "column b is used: trigger r after drop column: no such column: new.b"},
		"a column, by a view that names another view alone": {"CREATE TABLE t (a, b); CREATE VIEW every AS SELECT * FROM t; CREATE VIEW far AS SELECT b FROM every; CREATE TABLE u (x)",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`, "view far after drop column: no such column: b"},
		"a column, by what a trigger's writes run": {"CREATE TABLE t (a, b); CREATE TABLE u (x); CREATE TABLE w (y); CREATE VIEW \"the \"\"rest\" AS SELECT 1; " +
			"CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET b = (SELECT max(y) FROM w), a = (SELECT 1 FROM \"the \"\"rest\"); END; CREATE TRIGGER s AFTER DELETE ON w BEGIN INSERT INTO u VALUES (1); END",
			`[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`, "a trigger on delete of w would be broken"},
		"a column beside what was broken": {"CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t; CREATE VIEW w AS SELECT x FROM nowhere",
			`[{"op":"drop_table","table":{"name":"t"}},{"op":"add_table","table":{"name":"u"},"initialColumns":[{"name":"b","dataType":"TEXT"}]}]`,
			"view v would be broken"},
	} {
		t.Run(name, func(t *testing.T) {
			change := newChange(t, c.script, c.edits)
			_, err := Engine{}.Plan(designer.DiffOf(change.from, change.to))
			var refused *designer.PlanError
			require.ErrorAs(t, err, &refused)
			assert.ErrorContains(t, err, c.want)
		})
	}
	newChange(t, library, `[{"op":"drop_table","table":{"name":"loan"}},
		{"op":"add_table","table":{"name":"loan"},"initialColumns":[{"name":"id","dataType":"INTEGER"},{"name":"book","dataType":"INTEGER"},{"name":"who","dataType":"TEXT"}]}]`).plan() // a view reads what has the name
}

func TestWhatWasWrongBeforeDoesNotBlock(t *testing.T) {
	c := newChange(t, library+`INSERT INTO loan VALUES (77, 'Eve', NULL);
		CREATE TABLE odd (a REFERENCES shelf (label), b REFERENCES nowhere); INSERT INTO odd VALUES (1, 2);
		CREATE VIEW broken AS SELECT missing FROM nowhere; CREATE TRIGGER wrong AFTER INSERT ON shelf BEGIN SELECT missing FROM nowhere; END;`,
		`[`+widenPages+`,{"op":"set_column","table":{"name":"loan"},"column":{"name":"who"},"set":{"dataType":"VARCHAR"}},
		{"op":"set_column","table":{"name":"odd"},"column":{"name":"b"},"set":{"isNullable":false}}]`)
	c.publish()
	assert.Len(t, c.rows("SELECT * FROM loan"), 3)

	renamed := newChange(t, library+"INSERT INTO loan VALUES (77, 'Eve', NULL);", `[
		{"op":"set_table","table":{"name":"loan"},"set":{"name":"Loan"}},
		{"op":"set_table","table":{"name":"book"},"set":{"name":"work"}},
		{"op":"set_column","table":{"name":"work"},"column":{"name":"id"},"set":{"name":"nr"}},
		{"op":"set_column","table":{"name":"Loan"},"column":{"name":"book"},"set":{"name":"work"}},
		{"op":"set_column","table":{"name":"Loan"},"column":{"name":"who"},"set":{"dataType":"VARCHAR"}}]`)
	renamed.publish()
	assert.Len(t, renamed.rows("SELECT * FROM Loan"), 3, "the violation is the same under the new names")
}

func TestTheConnectionIsLeftAsItWasFound(t *testing.T) {
	db := open(t, library)
	db.SetMaxOpenConns(1)
	pragmas := []string{"foreign_keys", "legacy_alter_table", "busy_timeout", "ignore_check_constraints"}
	for _, p := range pragmas {
		_, err := db.Exec("PRAGMA " + p + " = 1")
		require.NoError(t, err)
	}
	c := &change{t: t, db: db}
	c.from = c.read()
	c.to = adopt(t, c.from, c.inspect())
	for _, e := range []string{`[` + widenPages + `]`, `[{"op":"drop_table","table":{"name":"shelf"}},{"op":"drop_table","table":{"name":"loan"}}]`} {
		list, refused := edits.Decode([]byte(e))
		require.Nil(t, refused)
		for _, e := range list {
			_, refused := c.to.Apply(e)
			require.Nil(t, refused)
		}
		c.unseen() // so that the database has to refuse it
		err := Engine{}.Publish(context.Background(), db, c.plan(), 0, nil)
		for _, p := range pragmas {
			assert.Equal(t, []string{"1"}, c.rows("PRAGMA "+p), "%s after %v", p, err)
		}
	}
}

func TestProgressIsToldAndMayStopThePublish(t *testing.T) {
	c := newChange(t, library, "["+widenPages+"]")
	p := c.plan()
	before := c.dump()
	enough := errors.New("enough")
	for stop := range 2 * len(p.Steps) {
		told := 0
		err := Engine{}.Publish(context.Background(), c.db, p, 0, func(step int, done bool) error {
			assert.Equal(t, told, 2*step+map[bool]int{true: 1}[done])
			if told++; told > stop {
				return enough
			}
			return nil
		})
		require.ErrorIs(t, err, enough)
		require.Equal(t, before, c.dump())
	}
	require.NoError(t, Engine{}.Publish(context.Background(), c.db, p, 0, nil))
}

func TestACancelledPublishLeavesNothing(t *testing.T) {
	c := newChange(t, library, "["+widenPages+"]")
	before := c.dump()
	ctx, cancel := context.WithCancel(context.Background())
	err := Engine{}.Publish(ctx, c.db, c.plan(), 0, func(step int, done bool) error {
		if step == 4 {
			cancel()
		}
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, before, c.dump())
}

func TestADatabaseInUseIsSaidToBe(t *testing.T) {
	t.Parallel() // it waits as long as a person would have to
	c := newChange(t, library, "["+widenPages+"]")
	writer, err := c.db.Conn(context.Background())
	require.NoError(t, err)
	defer func() { require.NoError(t, writer.Close()) }()
	_, err = writer.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	start := time.Now()
	err = Engine{}.Publish(context.Background(), c.db, c.plan(), 0, nil)
	assert.ErrorContains(t, err, "another connection uses the database and did not let go for 5s: publish again when it has finished")
	assert.Less(t, time.Since(start), 4*BusyTimeout)
	_, err = writer.ExecContext(context.Background(), "ROLLBACK")
	require.NoError(t, err)
	c.publish()
}

func TestVerifyLeavesNoCopyBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	c := newChange(t, library, "["+widenPages+"]")
	require.NoError(t, Engine{}.Verify(context.Background(), c.db, c.plan(), nil))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range left {
		assert.False(t, strings.HasPrefix(e.Name(), "berth-"), e.Name())
	}
}

func TestVerifyReadsADatabaseThatIsReadOnly(t *testing.T) {
	c := newChange(t, library, "["+widenPages+"]")
	path := c.rows("SELECT file FROM pragma_database_list WHERE name = 'main'")[0]
	db, err := sql.Open("sqlite", fileURI(path)+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	assert.NoError(t, Engine{}.Verify(context.Background(), db, c.plan(), nil))
	assert.Error(t, Engine{}.Publish(context.Background(), db, c.plan(), 0, nil))
}

func TestALargeDatabaseIsVerifiedWithoutItsRows(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.sql")
	require.NoError(t, err)
	c := newChange(t, string(text), `[{"op":"set_column","table":{"name":"plain"},"column":{"name":"name"},"set":{"dataType":"VARCHAR"}}]`)
	before := c.dump()
	err = verify(context.Background(), c.db, c.plan(), 0, nil)
	var rest *designer.NotTriedError
	require.ErrorAs(t, err, &rest)
	assert.ErrorContains(t, err, "the plan was tried on its schema without rows, and a row may still stop it")
	assert.Equal(t, before, c.dump())

	c = newChange(t, library, `[{"op":"drop_table","table":{"name":"loan"}}]`)
	c.unseen()
	var refused *designer.StepError
	require.ErrorAs(t, verify(context.Background(), c.db, c.plan(), 0, nil), &refused)
	assert.ErrorContains(t, refused, "no such table: main.loan")
}

func TestLoadReadsAScript(t *testing.T) {
	def, err := Engine{}.Load(context.Background(), nil, "PRAGMA foreign_keys=OFF; BEGIN TRANSACTION; "+library+" COMMIT;")
	require.NoError(t, err)
	assert.Equal(t, build(t, library).Definition(), mustBuild(t, def.Definition).Definition())
}

func TestALoadTellsWhatOfAScriptNoDefinitionHolds(t *testing.T) {
	loaded, err := Engine{}.Load(context.Background(), nil, `CREATE TABLE t (a); CREATE TABLE "two words" (a); CREATE TABLE empty (a);
INSERT INTO t VALUES (1), (2); INSERT INTO "two words" SELECT a FROM t WHERE a > 1; CREATE TEMP TABLE x (a); CREATE TEMP VIEW y AS SELECT 1`)
	require.NoError(t, err)
	assert.Len(t, loaded.Tables, 3)
	assert.Equal(t, []designer.Omission{{What: "row", Count: 3, Names: []string{"t", "two words"}}, {What: "temporary table", Count: 1, Names: []string{"x"}},
		{What: "temporary view", Count: 1, Names: []string{"y"}}}, loaded.LeftOut)
}

func mustBuild(t *testing.T, def designer.Definition) *designer.Schema {
	t.Helper()
	s, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	return s
}

func TestALoadedScriptReachesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.db")
	for script, reason := range map[string]string{
		"ATTACH " + literal(path) + " AS x; CREATE TABLE x.t (a)": "too many attached databases",
		"VACUUM INTO " + literal(path):                            "too many attached databases",
		"SELECT load_extension(" + literal(path) + ")":            "not authorized",
		"PRAGMA main.hard_heap_limit = 1":                         "reaches beyond the script's own database",
		"pragma Temp_Store_Directory = '/'":                       "reaches beyond the script's own database",
		"CREATE TABLE t (a":                                       "incomplete input",
	} {
		_, err := Engine{}.Load(context.Background(), nil, script)
		assert.ErrorContains(t, err, reason, script)
		assert.NoFileExists(t, path)
	}
}

func TestALoadedScriptIsBounded(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := Engine{}.Load(ctx, nil, "CREATE TABLE t AS WITH r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r")
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = Engine{}.Load(context.Background(), nil, "CREATE TABLE t AS WITH r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT zeroblob(9000000) FROM r")
	assert.ErrorContains(t, err, "database or disk is full")
}
