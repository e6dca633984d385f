package sqlite

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

const library = `
CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
INSERT INTO shelf VALUES (3, 'three'), (4, 'four');
CREATE TABLE book (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT COLLATE NOCASE NOT NULL, shelf INT REFERENCES shelf ON DELETE CASCADE,
    pages INT DEFAULT 1, half AS (pages / 2), CONSTRAINT some CHECK (pages > 0), UNIQUE (title, shelf)
);
INSERT INTO book (id, title, shelf, pages) VALUES (1, 'Emma', 3, 400), (2, 'Ulysses', 4, 700), (9, 'gone', 4, 1);
DELETE FROM book WHERE id = 9;
CREATE INDEX by_pages ON book (pages DESC) where pages>10;
CREATE TABLE loan (book INTEGER REFERENCES book (id) ON DELETE CASCADE, who TEXT, until TEXT);
INSERT INTO loan VALUES (1, 'Ada', '2030'), (2, 'Bob', '2031');
CREATE VIEW thick AS SELECT title AS title, pages AS pages FROM book WHERE pages > 500;
CREATE VIEW lent AS SELECT thick.title, loan.who FROM thick JOIN loan JOIN book ON book.id = loan.book AND book.title = thick.title;
CREATE TRIGGER count_pages AFTER INSERT ON book BEGIN UPDATE book SET pages = coalesce(new.pages, 1) WHERE id = new.id; END;
CREATE TRIGGER on_loan AFTER DELETE ON loan BEGIN UPDATE book SET pages = pages + 1 WHERE book.id = old.book; END;
`

const widenPages = `{"op":"set_column","table":{"name":"book"},"column":{"name":"pages"},"set":{"dataType":"BIGINT"}}`

func TestARebuildKeepsEverythingElse(t *testing.T) {
	c := newChange(t, library, "["+widenPages+"]")
	views := c.rows("SELECT * FROM lent")
	c.publish()
	assert.Equal(t, []string{"1|Emma|3|400|200", "2|Ulysses|4|700|350"}, c.rows("SELECT * FROM book"))
	assert.Equal(t, views, c.rows("SELECT * FROM lent"))
	assert.Equal(t, []string{"1|Ada|2030", "2|Bob|2031"}, c.rows("SELECT * FROM loan"), "no cascade has run")
	assert.Equal(t, []string{"book|9"}, c.rows("SELECT name, seq FROM sqlite_sequence"))
	c.exec("DELETE FROM loan WHERE book = 1")
	assert.Equal(t, []string{"401"}, c.rows("SELECT pages FROM book WHERE id = 1"), "a trigger of another table")
	c.exec("INSERT INTO book (title, shelf, pages) VALUES ('Molloy', 3, NULL)")
	assert.Equal(t, []string{"10|1"}, c.rows("SELECT id, pages FROM book WHERE title = 'molloy'"), "its own trigger, numbering and collation")
}

// A well-known tool reported a change of a unique constraint on every run.
func TestUniqueConstraintsAreNoPhantomDifference(t *testing.T) {
	const script = `CREATE TABLE t (a TEXT UNIQUE, b TEXT, c TEXT COLLATE NOCASE, CONSTRAINT named UNIQUE (b, c COLLATE BINARY),
		UNIQUE (c DESC), UNIQUE (a, b) ON CONFLICT REPLACE, PRIMARY KEY (a, c))`
	c := newChange(t, script, `[{"op":"add_column","table":{"name":"t"},"column":{"name":"d","dataType":"TEXT","defaultValue":"lower('X')"}}]`)
	assert.True(t, designer.DiffOf(c.from, adopt(t, c.from, c.inspect())).Empty(), "read twice")
	c.publish()
	assert.True(t, designer.DiffOf(c.to, adopt(t, c.to, c.inspect())).Empty(), "and after a rebuild")
}

// A well-known tool looks for " WHERE " in upper case and makes a partial index
// a full one.
func TestLowerCaseWhereOfAPartialIndexIsKept(t *testing.T) {
	c := newChange(t, "create table t (a int, b int); create unique index i on t(a)\nwhere b>0; insert into t values (1, 0), (1, 0)",
		`[{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"isNullable":false}}]`)
	c.publish()
	assert.Equal(t, []string{"CREATE UNIQUE INDEX i ON t (a) WHERE b>0"}, c.rows("SELECT sql FROM sqlite_schema WHERE name = 'i'"))
}

// A well-known tool drops a table's triggers with the old table.
func TestTriggersAreNotLostOnARebuild(t *testing.T) {
	c := newChange(t, library, `[`+widenPages+`,
		{"op":"set_column","table":{"name":"book"},"column":{"name":"title"},"set":{"name":"name"}},
		{"op":"set_table","table":{"name":"book"},"set":{"name":"work"}}]`)
	c.publish()
	assert.Equal(t, []string{
		`CREATE TRIGGER count_pages AFTER INSERT ON "work" BEGIN UPDATE "work" SET pages = coalesce(new.pages, 1) WHERE id = new.id; END`,
		`CREATE TRIGGER on_loan AFTER DELETE ON loan BEGIN UPDATE "work" SET pages = pages + 1 WHERE "work".id = old.book; END`,
	}, c.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"))
}

// Only the server can tell whose column a name in a trigger is.
func TestARenamedColumnIsRenamedInTriggersWhereItIsMeant(t *testing.T) {
	c := newChange(t, `CREATE TABLE a (x INT, y INT); CREATE TABLE b (x INT);
		CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b (x) SELECT x FROM b UNION SELECT new.x; UPDATE a SET x = 2; END`,
		`[{"op":"set_column","table":{"name":"a"},"column":{"name":"x"},"set":{"name":"z"}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"y"},"set":{"dataType":"TEXT"}}]`)
	c.publish()
	assert.Equal(t, []string{`CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b (x) SELECT x FROM b UNION SELECT new.z; UPDATE a SET z = 2; END`},
		c.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger'"))
}

// Renaming the new table to the old name fails where a view means it, after
// the old one has been dropped: well-known tools left the table gone.
func TestAViewOverTheRebuiltTableDoesNotLeaveItGone(t *testing.T) {
	c := newChange(t, library, `[{"op":"set_column","table":{"name":"book"},"column":{"name":"shelf"},"set":{"defaultValue":"3"}}]`)
	c.publish()
	assert.Equal(t, []string{"Ulysses|700"}, c.rows("SELECT * FROM thick"))
	assert.Equal(t, []string{"CREATE VIEW thick AS SELECT title AS title, pages AS pages FROM book WHERE pages > 500"},
		c.rows("SELECT sql FROM sqlite_schema WHERE name = 'thick'"), "it still means the table, not what was set aside")
}

// Well-known tools change the column by its new name before they rename it, or
// drop it and add another.
func TestRenameAndModifyInOneGo(t *testing.T) {
	c := newChange(t, library, `[
		{"op":"set_column","table":{"name":"book"},"column":{"name":"pages"},"set":{"name":"leaves","dataType":"TEXT","isNullable":false,"defaultValue":"'0'"}},
		{"op":"set_column","table":{"name":"book"},"column":{"name":"title"},"set":{"name":"pages"}},
		{"op":"set_column","table":{"name":"book"},"column":{"name":"pages"},"set":{"name":"pages","collation":""}},
		{"op":"set_table","table":{"name":"book"},"set":{"name":"shelf2"}},
		{"op":"set_table","table":{"name":"shelf"},"set":{"name":"book"}},
		{"op":"set_table","table":{"name":"shelf2"},"set":{"name":"shelf"}}]`)
	c.publish()
	assert.Equal(t, []string{"1|Emma|3|400|200", "2|Ulysses|4|700|350"}, c.rows("SELECT id, pages, shelf, leaves, half FROM shelf"))
	assert.Equal(t, []string{"3|three", "4|four"}, c.rows("SELECT * FROM book"))
	assert.Equal(t, []string{"Ulysses|700"}, c.rows("SELECT * FROM thick"), "the view means what it meant")
	assert.Equal(t, []string{"shelf|9"}, c.rows("SELECT name, seq FROM sqlite_sequence"))
}

func TestATableWhoseTextNamesItselfIsRebuilt(t *testing.T) {
	c := newChange(t, `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INT, g AS (a + 1), x, CHECK ("t".a > 0));
		CREATE INDEX i ON t (a) WHERE t.a > 5; CREATE VIEW v AS SELECT g FROM t;
		INSERT INTO t (id, a) VALUES (5, 6), (8, 9); DELETE FROM t WHERE id = 8;
		CREATE TABLE u (rowid INT, a TEXT CHECK (u.a <> '')); INSERT INTO u (_rowid_, rowid, a) VALUES (40, 1, 'x')`,
		`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"isNullable":false}},
		{"op":"set_column","table":{"name":"u"},"column":{"name":"a"},"set":{"isNullable":false}}]`)
	c.publish()
	assert.Equal(t, []string{"5|6|7|<nil>"}, c.rows("SELECT * FROM t"))
	assert.Equal(t, []string{"7"}, c.rows("SELECT * FROM v"))
	assert.Equal(t, []string{"t|8"}, c.rows("SELECT name, seq FROM sqlite_sequence"))
	assert.Equal(t, []string{"40|1|x"}, c.rows("SELECT _rowid_, * FROM u"))
}

func TestRowIDsMoveAlong(t *testing.T) {
	const edit = `[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"TEXT"}}`
	for name, c := range map[string]struct{ script, edits, query, want string }{
		"without a column for them": {
			"CREATE TABLE t (a INT); INSERT INTO t (rowid, a) VALUES (77, 1)", edit + "]", "SELECT rowid, a FROM t", "77|1"},
		"beside a column of that name": {
			"CREATE TABLE t (a INT, rowid TEXT, _rowid_ TEXT); INSERT INTO t (oid, a, rowid) VALUES (77, 1, 'r')", edit + "]", "SELECT oid, a, rowid FROM t", "77|1|r"},
		"into a new key": {
			"CREATE TABLE t (a INT); INSERT INTO t (rowid, a) VALUES (77, 1)",
			edit + `,{"op":"add_column","table":{"name":"t"},"column":{"name":"id","dataType":"INTEGER","isPrimaryKey":true,"isIdentity":true}}]`,
			"SELECT id, a FROM t", "77|1"},
		"out of a key that goes": {
			"CREATE TABLE t (id INTEGER PRIMARY KEY, a INT); INSERT INTO t VALUES (77, 1)",
			edit + `,{"op":"drop_column","table":{"name":"t"},"column":{"name":"id"}}]`, "SELECT rowid, a FROM t", "77|1"},
	} {
		t.Run(name, func(t *testing.T) {
			ch := newChange(t, c.script, c.edits)
			ch.publish()
			assert.Equal(t, []string{c.want}, ch.rows(c.query))
		})
	}
}

func TestAnotherTypeLosesNoValue(t *testing.T) {
	c := newChange(t, `CREATE TABLE t (a TEXT, b INT, c TEXT); INSERT INTO t VALUES ('12', 5, 'x'), ('abc', NULL, x'00ff');
		CREATE TABLE s (a TEXT, b INT) STRICT; INSERT INTO s VALUES ('12', 5), ('ä', NULL)`,
		`[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"INTEGER"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"dataType":"TEXT"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"dataType":"BLOB"}},
		{"op":"set_column","table":{"name":"s"},"column":{"name":"a"},"set":{"dataType":"BLOB"}},
		{"op":"set_column","table":{"name":"s"},"column":{"name":"b"},"set":{"dataType":"REAL"}}]`)
	p := c.publish()
	assert.Equal(t, []string{"12|integer|5|text|x|text", "abc|text|<nil>|null|x'00ff'|blob"},
		c.rows("SELECT a, typeof(a), b, typeof(b), c, typeof(c) FROM t"))
	assert.Equal(t, []string{"x'3132'|5", "x'c3a4'|<nil>"}, c.rows("SELECT a, b FROM s"))
	assert.Contains(t, p.Risks(), designer.RiskDataLoss)
	require.Len(t, p.Notes, 3)
	assert.Contains(t, p.Notes[0], "Column b of s becomes REAL")
}

func TestColumnsThatAlterTableCannotAddOrDropAreRebuilt(t *testing.T) {
	c := newChange(t, library, `[
		{"op":"drop_check","table":{"name":"book"},"check":{"name":"some"}},
		{"op":"add_column","table":{"name":"book"},"column":{"name":"at","dataType":"DATETIME","defaultValue":"CURRENT_TIMESTAMP"}},
		{"op":"add_column","table":{"name":"book"},"column":{"name":"twice","dataType":"INT","isComputed":true,"computedFormula":"pages * 2","computedPersisted":true}},
		{"op":"drop_column","table":{"name":"loan"},"column":{"name":"until"}},
		{"op":"drop_column","table":{"name":"book"},"column":{"name":"half"}}]`)
	c.publish()
	assert.Equal(t, []string{"1|800|1", "2|1400|1"}, c.rows("SELECT id, twice, at > '2000' FROM book"))
	assert.Equal(t, []string{"1|Ada", "2|Bob"}, c.rows("SELECT * FROM loan"))
}

// SQLite drops a check along with the column that it is written with.
func TestACheckWrittenWithADroppedColumnStays(t *testing.T) {
	c := newChange(t, "CREATE TABLE t (a INT, b INT CHECK (a > 0), c INT)", `[{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}]`)
	c.publish()
	_, err := c.db.Exec("INSERT INTO t (a) VALUES (0)")
	assert.ErrorContains(t, err, "CHECK constraint failed")
}

// Every table that there is an oddity for survives a rebuild: all of its text
// is read, carried and written again.
func TestEverythingSurvivesARebuild(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.sql")
	require.NoError(t, err)
	for _, table := range build(t, string(text)).Tables() {
		t.Run(table.Name, func(t *testing.T) {
			edit, err := json.Marshal([]any{map[string]any{"op": "add_check", "table": map[string]string{"name": table.Name},
				"check": map[string]string{"name": "berth_new", "expression": "1 = 1"}}})
			require.NoError(t, err)
			c := newChange(t, string(text), string(edit))
			p := c.publish()
			assert.Contains(t, p.Script(), "DROP TABLE")
			assert.Equal(t, c.to.Definition(), c.read().Definition())
		})
	}
}

func TestStatisticsStayWithARebuiltTable(t *testing.T) {
	c := newChange(t, library+"ANALYZE;", "["+widenPages+"]")
	before := c.rows("SELECT * FROM sqlite_stat1 ORDER BY tbl, idx")
	require.NotEmpty(t, before)
	c.publish()
	assert.Equal(t, before, c.rows("SELECT * FROM sqlite_stat1 ORDER BY tbl, idx"))
}

// External content of a full-text index means its rows by their rowids.
func TestAFullTextIndexStaysInStep(t *testing.T) {
	c := newChange(t, `CREATE TABLE doc (body TEXT, n INT); INSERT INTO doc (rowid, body) VALUES (5, 'alpha'), (9, 'beta');
		CREATE VIRTUAL TABLE found USING fts5(body, content='doc');
		INSERT INTO found (found) VALUES ('rebuild');
		CREATE TRIGGER doc_ai AFTER INSERT ON doc BEGIN INSERT INTO found (rowid, body) VALUES (new.rowid, new.body); END;`,
		`[{"op":"set_column","table":{"name":"doc"},"column":{"name":"n"},"set":{"dataType":"TEXT"}}]`)
	c.db.SetMaxOpenConns(1)
	c.exec("PRAGMA trusted_schema = 0") // as berth opens a database for writing
	c.publish()
	assert.Equal(t, []string{"9|beta"}, c.rows("SELECT rowid, body FROM found WHERE found MATCH 'beta'"))
	c.exec("INSERT INTO doc (body) VALUES ('gamma')")
	assert.Equal(t, []string{"10|gamma"}, c.rows("SELECT rowid, body FROM found WHERE found MATCH 'gamma'"))
	c.exec("INSERT INTO found (found, rank) VALUES ('integrity-check', 1)")
}
