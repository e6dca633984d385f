package mysql_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

// change plans edits of what db holds.
func change(t testing.TB, db *sql.DB, edits string) (base, design *designer.Schema, plan designer.Plan) {
	t.Helper()
	base, design = designed(t, db, edits)
	plan, err := mysql.Engine{}.Plan(designer.DiffOf(base, design))
	require.NoError(t, err)
	return base, design, plan
}

// tryChange is the plan of edits that may be refused.
func tryChange(t testing.TB, db *sql.DB, edits string) (designer.Plan, error) {
	t.Helper()
	base, design := designed(t, db, edits)
	return mysql.Engine{}.Plan(designer.DiffOf(base, design))
}

// designed is a database and a design with edits.
func designed(t testing.TB, db *sql.DB, edits string) (base, design *designer.Schema) {
	t.Helper()
	base = build(t, read(t, db))
	design, err := designer.Restore(base.Dialect(), base.Tables(), &designer.Options{DefaultSchema: base.DefaultSchema(), Catalog: base.Catalog()})
	require.NoError(t, err)
	apply(t, design, edits)
	return base, design
}

// publish makes edits and checks that the database is the design afterwards.
func publish(t testing.TB, db *sql.DB, edits string) designer.Plan {
	t.Helper()
	base, design, plan := change(t, db, edits)
	require.NoError(t, mysql.Engine{}.Verify(context.Background(), db, plan, nil), plan.Script())
	require.NoError(t, mysql.Engine{}.Publish(context.Background(), db, plan, 0, nil), plan.Script())
	isDesign(t, db, base, design, plan)
	return plan
}

func isDesign(t testing.TB, db *sql.DB, base, design *designer.Schema, plan designer.Plan) {
	t.Helper()
	reread, err := design.Adopt(read(t, db))
	require.NoError(t, err)
	diff := designer.DiffOf(designer.TakeSpelling(base, design, reread), reread)
	require.Empty(t, diff.Items(), plan.Script())
}

// statements lists those of a plan, each on one line.
func statements(p designer.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, strings.Join(strings.Fields(s.Statement), " "))
	}
	return out
}

// values is the first column of a query's rows.
func values(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var out []string
	for rows.Next() {
		var v sql.NullString
		require.NoError(t, rows.Scan(&v))
		out = append(out, v.String)
	}
	require.NoError(t, rows.Err())
	return out
}

// Public tools have reported a unique constraint as changed for ever.
func TestAUniqueConstraintIsNoPhantomDifference(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE a (id int PRIMARY KEY, email varchar(50) UNIQUE, code varchar(600), UNIQUE KEY named (email, id), CONSTRAINT other UNIQUE (code), UNIQUE (code(20)));`)
	first := build(t, read(t, db))
	again, err := first.Adopt(read(t, db))
	require.NoError(t, err)
	assert.True(t, designer.DiffOf(first, again).Empty())
	plan := publish(t, db, `[{"op":"add_index","table":{"name":"a"},"index":{"name":"new_uq","unique":true,"columns":["id","code"]}}]`)
	assert.Equal(t, []string{"ALTER TABLE `a` ADD UNIQUE KEY `new_uq` (`id`, `code`)"}, statements(plan))
}

// Public tools have renamed a column after they changed it by its new name,
// or the other way round.
func TestAColumnIsRenamedBeforeItIsModifiedByItsNewName(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE a (id int PRIMARY KEY, p_id int, n int DEFAULT 1, KEY (n), CONSTRAINT ck CHECK (n > 0),"+
		" CONSTRAINT fk FOREIGN KEY (p_id) REFERENCES p (id)); INSERT INTO p VALUES (7); INSERT INTO a VALUES (1, 7, 5);")
	plan := publish(t, db, `[
		{"op":"set_column","table":{"name":"a"},"column":{"name":"n"},"set":{"name":"m","dataType":"bigint","isNullable":false}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"p_id"},"set":{"name":"parent","defaultValue":"7"}},
		{"op":"set_column","table":{"name":"p"},"column":{"name":"id"},"set":{"name":"key"}}]`)
	assert.Equal(t, []string{
		"ALTER TABLE `a` DROP CONSTRAINT `ck`, RENAME COLUMN `p_id` TO `parent`, RENAME COLUMN `n` TO `m`",
		"ALTER TABLE `a` MODIFY COLUMN `parent` int DEFAULT 7, MODIFY COLUMN `m` bigint NOT NULL DEFAULT 1, ADD CONSTRAINT `ck` CHECK (`m` > 0)",
		"ALTER TABLE `p` RENAME COLUMN `id` TO `key`",
	}, statements(plan))
	assert.Equal(t, []string{"5"}, values(t, db, "SELECT m FROM a WHERE parent = 7"))
}

// MODIFY states a column whole: what it leaves out is gone.
func TestAChangedColumnKeepsEveryOtherAttribute(t *testing.T) {
	columns := map[string]string{
		"varchar(20) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT 'it''s' COMMENT 'a; comment' CHECK (c <> '')": `"maxLength":"30"`,
		"datetime NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp COMMENT 'when'":                            `"isNullable":true`,
		"timestamp(3) NULL DEFAULT NULL ON UPDATE current_timestamp(3)":                                                     `"isNullable":false,"defaultValue":"current_timestamp(3)"`,
		"int(5) unsigned zerofill NOT NULL DEFAULT 7 COMMENT 'width'":                                                       `"defaultValue":"8"`,
		"int INVISIBLE DEFAULT 3 COMMENT 'hidden'":                                                                          `"dataType":"bigint"`,
		"enum('a','b''c') COLLATE utf8mb4_bin NOT NULL DEFAULT 'b''c'":                                                      `"dataType":"enum('a','b''c','d')"`,
		"json NOT NULL DEFAULT '{}' COMMENT 'doc'":                                                                          `"defaultValue":"'[]'"`,
		"text COMPRESSED COMMENT 'packed'":                                                                                  `"isNullable":false`,
		"varchar(30) AS (concat('x', id)) STORED COMMENT 'made'":                                                            `"computedFormula":"concat('y', id)"`,
		"int NOT NULL AUTO_INCREMENT COMMENT 'n', ADD KEY (c)":                                                              `"dataType":"bigint"`,
		"decimal(9,2) DEFAULT (id * 2) COMMENT 'twice'":                                                                     `"precision":12`,
	}
	for attributes, set := range columns {
		t.Run(attributes, func(t *testing.T) {
			db := newDatabase(t)
			exec(t, db, "CREATE TABLE t (id int PRIMARY KEY)", "ALTER TABLE t ADD COLUMN c "+attributes)
			before := read(t, db).Tables[0].Columns[1]
			publish(t, db, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{`+set+`}}]`)
			after := read(t, db).Tables[0].Columns[1]
			assert.NotEqual(t, before, after)
			// all but what the edit was about
			after.DataType, after.MaxLength, after.Precision, after.Values = before.DataType, before.MaxLength, before.Precision, before.Values
			after.IsNullable, after.DefaultValue, after.ComputedFormula = before.IsNullable, before.DefaultValue, before.ComputedFormula
			assert.Equal(t, before, after)
		})
	}
}

func TestNamesAreExchanged(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE a (id int PRIMARY KEY, x int, y varchar(5), KEY ix (x), KEY iy (y));
		CREATE TABLE b (id int PRIMARY KEY, a_id int, CONSTRAINT fk FOREIGN KEY (a_id) REFERENCES a (id));
		INSERT INTO a VALUES (1, 2, 'three'); INSERT INTO b VALUES (4, 1);`)
	publish(t, db, `[
		{"op":"set_table","table":{"name":"a"},"set":{"name":"c"}},{"op":"set_table","table":{"name":"b"},"set":{"name":"a"}},{"op":"set_table","table":{"name":"c"},"set":{"name":"b"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"x"},"set":{"name":"z"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"y"},"set":{"name":"x"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"z"},"set":{"name":"y"}},
		{"op":"set_index","table":{"name":"b"},"index":{"name":"ix"},"set":{"name":"iz"}},
		{"op":"set_index","table":{"name":"b"},"index":{"name":"iy"},"set":{"name":"ix"}},
		{"op":"set_index","table":{"name":"b"},"index":{"name":"iz"},"set":{"name":"iy"}}]`)
	assert.Equal(t, []string{"three"}, values(t, db, "SELECT x FROM b WHERE y = 2"))
	assert.Equal(t, []string{"1"}, values(t, db, "SELECT a_id FROM a"))
	assert.Empty(t, values(t, db, "SHOW TABLES LIKE 'berth%'"))
}

func TestADroppedColumnGivesItsNameUp(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY, old int, new varchar(9), KEY ix (old)); INSERT INTO a VALUES (1, 2, 'three');")
	publish(t, db, `[{"op":"drop_index","table":{"name":"a"},"index":{"name":"ix"}},{"op":"drop_column","table":{"name":"a"},"column":{"name":"old"}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"new"},"set":{"name":"old"}},
		{"op":"add_column","table":{"name":"a"},"column":{"name":"new","dataType":"int","defaultValue":"9"}}]`)
	assert.Equal(t, []string{"three"}, values(t, db, "SELECT old FROM a WHERE new = 9"))
}

func TestAPrimaryKeyMovesWithAnAutoIncrementColumn(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int NOT NULL AUTO_INCREMENT, code int NOT NULL, PRIMARY KEY (id)); INSERT INTO a (code) VALUES (5), (6);"+
		"CREATE TABLE b (a_id int, CONSTRAINT fk FOREIGN KEY (a_id) REFERENCES a (id)); INSERT INTO b VALUES (2);")
	plan := publish(t, db, `[
		{"op":"add_index","table":{"name":"a"},"index":{"name":"uq","unique":true,"columns":["id"]}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"id"},"set":{"isPrimaryKey":false}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"code"},"set":{"isPrimaryKey":true}}]`)
	assert.Equal(t, []string{"ALTER TABLE `a` DROP PRIMARY KEY, ADD PRIMARY KEY (`code`), ADD UNIQUE KEY `uq` (`id`)"}, statements(plan))
	plan = publish(t, db, `[
		{"op":"add_index","table":{"name":"a"},"index":{"name":"by_code","columns":["code"]}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"id"},"set":{"isIdentity":false}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"code"},"set":{"isIdentity":true,"isPrimaryKey":false,"dataType":"bigint"}}]`)
	assert.Len(t, plan.Steps, 1)
}

func TestTablesThatReferToEachOtherAreMadeAndDropped(t *testing.T) {
	db := newDatabase(t)
	key := func(from, to string) string {
		return `{"op":"add_foreign_key","table":{"name":"` + from + `"},"foreignKey":{"name":"fk_` + from + `","referencedTable":{"name":"` + to +
			`"},"mappings":[{"column":"other","referencedColumn":"id"}]}}`
	}
	table := func(name string) string {
		return `{"op":"add_table","table":{"name":"` + name + `"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true},{"name":"other","dataType":"int"}]}`
	}
	publish(t, db, `[`+table("a")+`,`+table("b")+`,`+table("c")+`,`+key("a", "b")+`,`+key("b", "c")+`,`+key("c", "a")+`]`)
	require.Len(t, read(t, db).Tables, 3)
	plan := publish(t, db, `[{"op":"drop_table","table":{"name":"a"}},{"op":"drop_table","table":{"name":"b"}},{"op":"drop_table","table":{"name":"c"}}]`)
	assert.Empty(t, read(t, db).Tables)
	assert.Contains(t, plan.Risks(), designer.RiskDataLoss)
}

func TestForeignKeysStepAsideForAChangeOfTheirColumns(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE p (id varchar(9) PRIMARY KEY); CREATE TABLE c (p_id varchar(9), CONSTRAINT fk FOREIGN KEY (p_id) REFERENCES p (id));"+
		"INSERT INTO p VALUES ('x'); INSERT INTO c VALUES ('x');")
	plan := publish(t, db, `[{"op":"set_column","table":{"name":"p"},"column":{"name":"id"},"set":{"collation":"utf8mb4_bin"}},
		{"op":"set_column","table":{"name":"c"},"column":{"name":"p_id"},"set":{"collation":"utf8mb4_bin"}}]`)
	assert.Equal(t, []string{
		"ALTER TABLE `c` DROP FOREIGN KEY `fk`",
		"ALTER TABLE `c` MODIFY COLUMN `p_id` varchar(9) COLLATE utf8mb4_bin",
		"ALTER TABLE `p` MODIFY COLUMN `id` varchar(9) COLLATE utf8mb4_bin NOT NULL",
		"ALTER TABLE `c` DROP INDEX `fk`, ADD KEY `fk` (`p_id`), ADD CONSTRAINT `fk` FOREIGN KEY (`p_id`) REFERENCES `p` (`id`) ON DELETE RESTRICT ON UPDATE RESTRICT",
	}, statements(plan))
}

// InnoDB would call the key by the table's new name.
func TestAForeignKeyThatInnoDBNamedKeepsItsName(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (p_id int, FOREIGN KEY (p_id) REFERENCES p (id));")
	publish(t, db, `[{"op":"set_table","table":{"name":"c"},"set":{"name":"child"}}]`)
	assert.Equal(t, "c_ibfk_1", read(t, db).Tables[0].ForeignKeys[0].Name)
}

// The server drops an index that it made for a foreign key when a wider one
// comes.
func TestAnIndexThatTheServerMadeStaysBesideAWiderOne(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (p_id int, n int, CONSTRAINT fk FOREIGN KEY (p_id) REFERENCES p (id));")
	publish(t, db, `[{"op":"add_index","table":{"name":"c"},"index":{"name":"wide","columns":["p_id","n"]}}]`)
	assert.Len(t, read(t, db).Tables[0].Indexes, 2)
}

func TestAVirtualColumnThatBecomesAnOrdinaryOneKeepsItsValues(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (n int, twice int AS (n * 2) VIRTUAL, more int AS (twice + 1) VIRTUAL, KEY (twice), CONSTRAINT ck CHECK (twice > 0));"+
		"INSERT INTO a (n) VALUES (4);")
	publish(t, db, `[{"op":"set_column","table":{"name":"a"},"column":{"name":"twice"},"set":{"isComputed":false,"computedFormula":""}}]`)
	assert.Equal(t, []string{"8"}, values(t, db, "SELECT twice FROM a WHERE more = 9"))
}

// A collation that is the table's anyway is read as none.
func TestTheTablesOwnCollationIsNoDifference(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (x varchar(9) COLLATE utf8mb4_bin); CREATE TABLE b (x varchar(9)) COLLATE=latin1_bin;")
	publish(t, db, `[{"op":"set_column","table":{"name":"a"},"column":{"name":"x"},"set":{"collation":"utf8mb4_general_ci"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"x"},"set":{"collation":"latin1_bin"}}]`)
	assert.Empty(t, read(t, db).Tables[0].Columns[0].Collation)
}

func TestViewsAndTriggersFollowNewNames(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE a (id int PRIMARY KEY, n int, total int); CREATE TABLE b (id int, n int); INSERT INTO a VALUES (1, 2, 3); INSERT INTO b VALUES (1, 4);
		CREATE VIEW v AS SELECT x.n AS total, b.n FROM a x JOIN b ON b.id = x.id WHERE x.total > 1 AND EXISTS (SELECT 1 FROM a WHERE a.n = x.n) ORDER BY x.total;
		CREATE VIEW w AS SELECT v.total, v.n FROM v; CREATE VIEW gone AS SELECT n FROM b; ALTER TABLE b RENAME COLUMN n TO m; CREATE OR REPLACE VIEW v AS
		SELECT x.n AS total, b.m AS n FROM a x JOIN b ON b.id = x.id WHERE x.total > 1 AND EXISTS (SELECT 1 FROM a WHERE a.n = x.n) ORDER BY x.total;
		DELIMITER //
		CREATE TRIGGER t1 BEFORE UPDATE ON a FOR EACH ROW BEGIN SET new.n = old.n + 1; SET new.total = 5; END//
		CREATE TRIGGER t2 BEFORE UPDATE ON a FOR EACH ROW SET new.total = new.n * 10//
		DELIMITER ;`)
	plan := publish(t, db, `[{"op":"set_table","table":{"name":"a"},"set":{"name":"a 2"}},
		{"op":"set_column","table":{"name":"a 2"},"column":{"name":"n"},"set":{"name":"number"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"m"},"set":{"name":"many"}}]`)
	assert.Equal(t, []string{"2"}, values(t, db, "SELECT total FROM w WHERE n = 4"))
	exec(t, db, "UPDATE `a 2` SET id = 1")
	assert.Equal(t, []string{"30"}, values(t, db, "SELECT total FROM `a 2` WHERE number = 3"), "the first trigger acts first")
	assert.Contains(t, strings.Join(plan.Notes, " "), "View v is re-created")
	assert.NotContains(t, plan.Script(), "gone", "it was broken before")
}

// A view that reads another view cannot be re-created while that one still
// names a table by its old name.
func TestViewsFollowNewNamesAfterTheViewsThatTheyRead(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE t (id int PRIMARY KEY, d int); INSERT INTO t VALUES (1, 7);
		CREATE VIEW z AS SELECT id, MAX(d) AS m FROM t GROUP BY id; CREATE VIEW a AS SELECT t.id, z.m FROM t JOIN z ON t.id = z.id;`)
	publish(t, db, `[{"op":"set_table","table":{"name":"t"},"set":{"name":"t2"}}]`)
	assert.Equal(t, []string{"7"}, values(t, db, "SELECT m FROM a"))
}

func TestWhatAViewOrATriggerNeedsStays(t *testing.T) {
	db := newDatabase(t)
	load(t, db, `CREATE TABLE a (id int PRIMARY KEY, n int, m int, free int); CREATE VIEW v AS SELECT n FROM a;
		CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET new.m = 1;`)
	for edit, message := range map[string]string{
		`{"op":"drop_table","table":{"name":"a"}}`:                        "view v reads it: change or drop the view first",
		`{"op":"drop_column","table":{"name":"a"},"column":{"name":"n"}}`: "view v reads its column n, which goes: change or drop the view first",
		`{"op":"drop_column","table":{"name":"a"},"column":{"name":"m"}}`: "trigger tr uses its column m, which goes: change or drop the trigger first",
	} {
		base := build(t, read(t, db))
		design, err := designer.Restore(base.Dialect(), base.Tables(), &designer.Options{DefaultSchema: "app", Catalog: base.Catalog()})
		require.NoError(t, err)
		apply(t, design, "["+edit+"]")
		_, err = mysql.Engine{}.Plan(designer.DiffOf(base, design))
		var refused *designer.PlanError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, message, refused.Message)
	}
	publish(t, db, `[{"op":"drop_column","table":{"name":"a"},"column":{"name":"free"}}]`)
}

// The server fills a column that takes no NULL and has no default with a
// value that nobody gave: what the plan says it is has to be what it is.
func TestAColumnWithoutADefaultInventsValues(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE actor (id int PRIMARY KEY, n int); INSERT INTO actor VALUES (1, 1);")
	empty := map[string]string{
		"int": "0", "decimal(5,2)": "0.00", "double": "0", "boolean": "0", "varchar(9)": "''", "longtext": "''", "json": "''", "binary(2)": "''",
		"date": "'0000-00-00'", "datetime": "'0000-00-00 00:00:00'", "timestamp": "'0000-00-00 00:00:00'", "time": "'00:00:00'", "year": "0000",
		"enum('it''s late','b')": "'it''s late'", "set('a','b')": "''", "bit(3)": "b'0'", "point": "''",
		"uuid": "'00000000-0000-0000-0000-000000000000'", "inet6": "'::'",
	}
	types := slices.Sorted(maps.Keys(empty))
	var edits []string
	for i, typ := range types {
		edits = append(edits, fmt.Sprintf(`{"op":"add_column","table":{"name":"actor"},"column":{"name":"c%d","dataType":%q,"isNullable":false}}`, i, typ))
	}
	plan := publish(t, db, "["+strings.Join(edits, ",")+"]")
	require.Len(t, plan.Steps, 1)
	assert.Contains(t, plan.Steps[0].Risks, designer.RiskInventsValues)
	for i, typ := range types {
		c, want := fmt.Sprintf("c%d", i), empty[typ]
		assert.Contains(t, plan.Steps[0].Comment, "add column "+c+" (rows that are there get "+want+")")
		assert.Contains(t, plan.Notes, "Column "+c+" of actor takes no NULL and has no default: rows that are there get "+want+
			", which nobody gave them. Give it a default, or let it be NULL until they have a value.")
		if typ == "bit(3)" || typ == "binary(2)" { // zero bytes
			want = "REPEAT(CHAR(0), LENGTH(" + c + "))"
		}
		assert.Equal(t, []string{"1"}, values(t, db, "SELECT "+c+" = "+want+" FROM actor"), "%s: %q", typ, values(t, db, "SELECT "+c+" FROM actor"))
	}
	assert.Contains(t, strings.Join(plan.Notes, "\n"), "c"+strconv.Itoa(slices.Index(types, "json"))+" is JSON, and '' is none: no row that has it can be changed.")
	_, err := db.Exec("UPDATE actor SET n = NULL")
	assert.ErrorContains(t, err, "CONSTRAINT `actor.c")
	for _, given := range []string{`"dataType":"int","isNullable":false,"defaultValue":"7"`, `"dataType":"int","isNullable":true`} {
		_, _, plan := change(t, db, `[{"op":"add_column","table":{"name":"actor"},"column":{"name":"c",`+given+`}}]`)
		assert.NotContains(t, plan.Risks(), designer.RiskInventsValues, given)
		assert.Empty(t, plan.Notes)
	}
	exec(t, db, "CREATE TABLE other (id int PRIMARY KEY, n int)", "INSERT INTO other VALUES (1, NULL)")
	_, _, plan = change(t, db, `[{"op":"set_column","table":{"name":"other"},"column":{"name":"n"},"set":{"isNullable":false}}]`)
	assert.NotContains(t, plan.Risks(), designer.RiskInventsValues, "NULLs are refused")
	assert.Error(t, mysql.Engine{}.Verify(t.Context(), db, plan, nil))
}

// TestWhatTheServerDoesInAnInstantIsNoRewrite asks the server: a change that
// it makes with ALGORITHM=INSTANT has no risk, and one that it does not make
// so has them.
func TestWhatTheServerDoesInAnInstantIsNoRewrite(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	few, more := enumOf(255), enumOf(256)
	for _, c := range []struct {
		was, becomes string
		instant      bool
	}{
		{"enum('a','b')", "enum('a','b','c')", true},
		{"enum('a','b') NOT NULL DEFAULT 'a'", "enum('a','b','c')", true}, // stays NOT NULL with its default
		{"enum('a','b')", "enum('c','a','b')", false},
		{"enum('a','b')", "enum('a','c')", false},
		{"enum('a','b')", "enum('a')", false},
		{"enum('a','b')", "set('a','b')", false},
		{few, more, false},
		{"set('a','b')", "set('a','b','c')", true},
		{"set('a','b')", "set('a','b','c','d','e','f','g','h','i')", false},
		{"varchar(10)", "varchar(63)", true},
		{"varchar(300)", "varchar(400)", true},
		{"varchar(10)", "varchar(9)", false},
		{"varchar(10) COLLATE utf8mb4_bin", "varchar(11)", true},
		{"varchar(10) CHARACTER SET latin1", "varchar(11)", true},
		{"varbinary(10)", "varbinary(20)", false}, // with an index
		{"char(3)", "char(4)", false},
		{"int", "bigint", false},
	} {
		t.Run(c.was[:min(len(c.was), 30)]+" to "+c.becomes[:min(len(c.becomes), 30)], func(t *testing.T) {
			exec(t, db, "DROP TABLE IF EXISTS t", "CREATE TABLE t (id int PRIMARY KEY, c "+c.was+", KEY by_c (c))")
			_, _, plan := change(t, db, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"dataType":"`+c.becomes+`"}}]`)
			require.Len(t, plan.Steps, 1)
			_, err := db.Exec(plan.Steps[0].Statement + ", ALGORITHM=INSTANT")
			assert.Equal(t, c.instant, err == nil, "the server says %v to %s", err, plan.Steps[0].Statement)
			risks := []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}
			for _, r := range risks {
				assert.Equal(t, !c.instant, slices.Contains(plan.Risks(), r), r)
			}
		})
	}
}

func enumOf(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("'v%d'", i))
	}
	return "enum(" + strings.Join(list, ",") + ")"
}

// What the server makes in one statement is one: each of them waits for the
// table, and a plan that stops between two leaves the table halfway.
func TestWhatCanBeOneStatementIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		edits string
		want  []string
	}{
		"a column with its foreign key": {`[{"op":"add_column","table":{"name":"c"},"column":{"name":"o_id","dataType":"int"}},
			{"op":"add_foreign_key","table":{"name":"c"},"foreignKey":{"name":"fk_o","referencedTable":{"name":"o"},"mappings":[{"column":"o_id","referencedColumn":"id"}]}}]`,
			[]string{"ALTER TABLE `c` ADD COLUMN `o_id` int, ADD KEY `fk_o` (`o_id`), ADD CONSTRAINT `fk_o` FOREIGN KEY (`o_id`) REFERENCES `o` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION"}},
		"foreign keys that go": {`[{"op":"drop_foreign_key","table":{"name":"c"},"foreignKey":{"name":"fk_p"}},
			{"op":"drop_foreign_key","table":{"name":"c"},"foreignKey":{"name":"fk_p2"}}]`,
			[]string{"ALTER TABLE `c` DROP FOREIGN KEY `fk_p`, DROP FOREIGN KEY `fk_p2`, DROP INDEX `fk_p`, DROP INDEX `fk_p2`"}},
		"foreign keys that step aside": {`[{"op":"set_column","table":{"name":"p"},"column":{"name":"id"},"set":{"collation":"utf8mb4_bin"}},
			{"op":"set_column","table":{"name":"c"},"column":{"name":"p_id"},"set":{"collation":"utf8mb4_bin"}},
			{"op":"set_column","table":{"name":"c"},"column":{"name":"p_id2"},"set":{"collation":"utf8mb4_bin"}}]`,
			[]string{"ALTER TABLE `c` DROP FOREIGN KEY `fk_p`, DROP FOREIGN KEY `fk_p2`",
				"ALTER TABLE `c` MODIFY COLUMN `p_id` varchar(9) COLLATE utf8mb4_bin, MODIFY COLUMN `p_id2` varchar(9) COLLATE utf8mb4_bin",
				"ALTER TABLE `p` MODIFY COLUMN `id` varchar(9) COLLATE utf8mb4_bin NOT NULL",
				"ALTER TABLE `c` DROP INDEX `fk_p`, ADD KEY `fk_p` (`p_id`), ADD CONSTRAINT `fk_p` FOREIGN KEY (`p_id`) REFERENCES `p` (`id`) ON DELETE RESTRICT ON UPDATE RESTRICT, " +
					"DROP INDEX `fk_p2`, ADD KEY `fk_p2` (`p_id2`), ADD CONSTRAINT `fk_p2` FOREIGN KEY (`p_id2`) REFERENCES `p` (`id`) ON DELETE RESTRICT ON UPDATE RESTRICT"}},
		"tables that exchange names": {`[{"op":"set_table","table":{"name":"p"},"set":{"name":"x"}},{"op":"set_table","table":{"name":"q"},"set":{"name":"p"}},
			{"op":"set_table","table":{"name":"x"},"set":{"name":"q"}}]`,
			[]string{"RENAME TABLE `p` TO `berth_tmp_1`", "RENAME TABLE `q` TO `p`, `berth_tmp_1` TO `q`"}},
		"tables that move up": {`[{"op":"set_table","table":{"name":"q"},"set":{"name":"x"}},{"op":"set_table","table":{"name":"p"},"set":{"name":"q"}}]`,
			[]string{"RENAME TABLE `q` TO `x`, `p` TO `q`"}},
	} {
		t.Run(name, func(t *testing.T) {
			db := newDatabase(t)
			load(t, db, `CREATE TABLE p (id varchar(9) PRIMARY KEY); CREATE TABLE q (id int PRIMARY KEY); CREATE TABLE o (id int PRIMARY KEY);
				CREATE TABLE c (id int PRIMARY KEY, p_id varchar(9), p_id2 varchar(9),
					CONSTRAINT fk_p FOREIGN KEY (p_id) REFERENCES p (id), CONSTRAINT fk_p2 FOREIGN KEY (p_id2) REFERENCES p (id));
				INSERT INTO p VALUES (1); INSERT INTO q VALUES (1); INSERT INTO c VALUES (1, 1, 1);`)
			before := build(t, read(t, db))
			plan := publish(t, db, c.edits)
			assert.Equal(t, c.want, statements(plan))
			for i := len(plan.Steps) - 1; i >= 0; i-- { // and back
				exec(t, db, plan.Steps[i].Reverse)
			}
			again, err := before.Adopt(read(t, db))
			require.NoError(t, err)
			for _, item := range designer.DiffOf(before, again).Items() {
				assert.Contains(t, item.Kind, "index", "the index that the server made for a key may stay: %+v", item)
			}
		})
	}
}

// The server shortens a part of an index that is longer than a key can be,
// unless the index is unique.
func TestAnIndexThatTheServerShortensIsNoDifference(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY, v varchar(1024), w varchar(1024), x text, l varchar(2000) CHARACTER SET latin1);")
	plan := publish(t, db, `[{"op":"add_index","table":{"name":"a"},"index":{"name":"by_v","columns":["v"]}},
		{"op":"add_index","table":{"name":"a"},"index":{"name":"by_l","columns":["l"]}},
		{"op":"add_table","table":{"name":"b"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true},{"name":"v","dataType":"varchar(1024)"}]},
		{"op":"add_index","table":{"name":"b"},"index":{"name":"by_v","columns":["v"]}}]`)
	assert.Equal(t, []string{"768", "768", ""}, values(t, db, "SELECT SUB_PART FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME LIKE 'by_%' ORDER BY INDEX_NAME DESC"))
	assert.Equal(t, []string{"Index by_v of a is longer than a key of the server can be: it may keep only the beginning of v.",
		"Index by_v of b is longer than a key of the server can be: it may keep only the beginning of v."}, plan.Notes)

	// One that was to be longer and was not made so is a difference.
	exec(t, db, "CREATE INDEX by_w ON a (w(100))")
	base := build(t, read(t, db))
	def := base.Definition()
	for i, x := range def.Tables[0].Indexes {
		if x.Name == "by_w" {
			def.Tables[0].Indexes[i].Parts[0].Length = 0
		}
	}
	design, err := base.Adopt(def)
	require.NoError(t, err)
	require.False(t, designer.DiffOf(base, design).Empty())
	reread, err := design.Adopt(read(t, db))
	require.NoError(t, err)
	assert.False(t, designer.DiffOf(designer.TakeSpelling(base, design, reread), reread).Empty())
}
