package mysql_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/mysql"
)

// The information schema leaves the character sets before strings out of the
// texts of views and of what acts by itself, and some bytes with them.
func TestStringsKeepTheirCharacterSets(t *testing.T) {
	db := newDatabase(t)
	exec(t, db, "CREATE TABLE a (id int PRIMARY KEY, n varchar(10) CHARACTER SET utf8mb4)", "INSERT INTO a VALUES (1, 'x')",
		"CREATE VIEW v AS SELECT n, _latin1 X'E9' AS l, _binary X'E9' AS b, _utf8mb4'é' AS u, 'plain' AS p FROM a WHERE n <> _latin1'y' WITH CASCADED CHECK OPTION",
		"CREATE VIEW none AS SELECT n FROM a",
		"CREATE TRIGGER t BEFORE UPDATE ON a FOR EACH ROW SET NEW.n = CONCAT('caf', _latin1 X'E9')",
		"CREATE FUNCTION f() RETURNS text CHARACTER SET utf8mb4 DETERMINISTIC RETURN CONCAT('f', _latin1 0xE9)",
		"CREATE PROCEDURE p() BEGIN SELECT 'a', _binary'x'; END",
		"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DISABLE COMMENT 'daily' DO SELECT _binary'x'")
	const columns = "SELECT CONCAT_WS(' ', HEX(l), CHARSET(l), HEX(b), CHARSET(b), HEX(u), CHARSET(u), HEX(p)) FROM v"
	before := values(t, db, columns)
	require.Contains(t, before[0], "E9 latin1 E9 binary C3A9 utf8mb4")
	def := read(t, db)
	var texts []string
	for _, v := range def.Views {
		texts = append(texts, v.Definition)
	}
	for _, o := range def.Objects {
		texts = append(texts, o.Definition)
	}
	all := strings.Join(texts, "\n")
	for _, literal := range []string{"_latin1 X'E9' AS", "_binary X'E9' AS", "_utf8mb4'é' AS", "'plain' AS", "<> _latin1'y' WITH CASCADED",
		"CONCAT('caf', _latin1 X'E9')", "_latin1 0xE9", "'a', _binary'x'", "DO SELECT _binary'x'"} {
		assert.Contains(t, all, literal)
	}

	publish(t, db, `[{"op":"set_table","table":{"name":"a"},"set":{"name":"b"}}, {"op":"set_column","table":{"name":"b"},"column":{"name":"n"},"set":{"name":"m"}}]`)
	assert.Equal(t, before, values(t, db, columns), "the view is re-created as it was")
	exec(t, db, "UPDATE b SET id = 2")
	assert.Equal(t, []string{"café"}, values(t, db, "SELECT m FROM b"), "and so is the trigger")

	copied := newDatabase(t)
	plan, err := mysql.Engine{}.Script(build(t, read(t, db)))
	require.NoError(t, err)
	load(t, copied, plan.Script())
	exec(t, copied, "INSERT INTO b VALUES (1, 'x')", "UPDATE b SET id = 2")
	assert.Equal(t, before, values(t, copied, columns))
	assert.Equal(t, []string{"café fé"}, values(t, copied, "SELECT CONCAT(m, ' ', f()) FROM b"))
}

// The server lists parameters in words of its own, and mysqldump as they were
// written; that of a charset of its own is not left to the database.
func TestParametersAreCarriedAsTheyWereWritten(t *testing.T) {
	db := newDatabase(t)
	exec(t, db, "CREATE PROCEDURE p(IN n INTEGER, OUT d DECIMAL ( 5 , 2 ) UNSIGNED) SET d = n", "CREATE PROCEDURE none() SET @a = 1",
		"CREATE FUNCTION f(s varchar(5) CHARACTER SET latin1, e ENUM('a)', 'b')) RETURNS int RETURN 1",
		"CREATE FUNCTION g(e ENUM('a)', 'b')) RETURNS int RETURN 1")
	var texts []string
	for _, o := range read(t, db).Objects {
		texts = append(texts, strings.Join(strings.Fields(o.Definition), " "))
	}
	all := strings.Join(texts, "\n")
	assert.Contains(t, all, "CREATE PROCEDURE `none`()")
	assert.Regexp(t, "CREATE FUNCTION `f`\\(`s` varchar\\(5\\) CHARACTER SET latin1 COLLATE latin1_\\w+, `e` enum", all)
	if maria := values(t, db, "SELECT VERSION() LIKE '%MariaDB%'")[0] == "1"; maria {
		assert.Contains(t, all, "CREATE PROCEDURE `p`(IN n INTEGER, OUT d DECIMAL ( 5 , 2 ) UNSIGNED)")
		assert.Contains(t, all, "CREATE FUNCTION `g`(e ENUM('a)', 'b'))")
	}
	roundTrip(t, db)
}

// MariaDB's catalogue lists an aggregate function like any other.
func TestAnAggregateFunctionStaysOne(t *testing.T) {
	db := newDatabase(t)
	if maria := values(t, db, "SELECT VERSION() LIKE '%MariaDB%'")[0] == "1"; !maria {
		t.Skip("only MariaDB has aggregate functions in SQL")
	}
	exec(t, db, "CREATE TABLE t (n int)", "INSERT INTO t VALUES (2), (3)",
		"CREATE AGGREGATE FUNCTION total(n int) RETURNS int BEGIN DECLARE s int DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN s;\n"+
			"LOOP FETCH GROUP /* each */ NEXT ROW; SET s = s + n; END LOOP; END",
		"CREATE FUNCTION plain(n int) RETURNS varchar(30) RETURN 'FETCH GROUP NEXT ROW'",
		"CREATE VIEW v AS SELECT total(n) AS total FROM t")
	var texts []string
	for _, o := range read(t, db).Objects {
		texts = append(texts, o.Definition)
	}
	all := strings.Join(texts, "\n")
	assert.Contains(t, all, "CREATE AGGREGATE FUNCTION `total`(")
	assert.Contains(t, all, "CREATE FUNCTION `plain`(")
	roundTrip(t, db)
}
