package mysql_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

// run makes the steps of a plan on one connection.
func run(t testing.TB, db *sql.DB, p designer.Plan) {
	t.Helper()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	for _, s := range p.Steps {
		_, err := conn.ExecContext(context.Background(), s.Statement)
		require.NoError(t, err, s.Statement)
	}
	require.NoError(t, conn.Close())
}

// roundTrip checks that what is read of db, made in an empty database and read
// again, is the same: made step by step, and made from the printed script.
func roundTrip(t *testing.T, db *sql.DB) designer.Plan {
	t.Helper()
	first := build(t, read(t, db))
	plan, err := mysql.Engine{}.Script(first)
	require.NoError(t, err)
	assert.Empty(t, plan.Notes)

	stepwise := newDatabase(t)
	run(t, stepwise, plan)
	again := build(t, read(t, stepwise))
	assert.Equal(t, first.Definition(), again.Definition())
	assert.Equal(t, first.Version(), again.Version())

	printed := newDatabase(t)
	load(t, printed, plan.Script())
	assert.Equal(t, first.Definition(), build(t, read(t, printed)).Definition())
	return plan
}

func TestAScriptOfEverythingMakesEverything(t *testing.T) {
	db := newDatabase(t)
	load(t, db, fixture(t, "everything.sql"))
	plan := roundTrip(t, db)
	for _, s := range plan.Steps {
		assert.NotContains(t, s.Statement, "berth_test_", "a statement names no database")
		assert.NotContains(t, s.Statement, "DEFINER=")
		assert.Contains(t, s.Risks, designer.RiskNotTransactional)
		assert.NotEmpty(t, s.Comment)
	}
	assert.False(t, plan.Transactional)
}

func TestAScriptOfChinookMakesChinook(t *testing.T) {
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // the sample is not part of the project
	}
	text, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_MySql_AutoIncrementPKs.sql"))
	require.NoError(t, err)
	db := newDatabase(t)
	load(t, db, ddlOf(string(text)))
	roundTrip(t, db)
	assert.Len(t, read(t, db).Tables, 11)
}

// ddlOf leaves the rows out of a script, and what chooses a database.
func ddlOf(script string) string {
	var b strings.Builder
	for _, s := range mysql.SplitScript(script) {
		upper := strings.ToUpper(s)
		if strings.Contains(upper, "CREATE TABLE") || strings.Contains(upper, "ALTER TABLE") || strings.Contains(upper, "CREATE INDEX") {
			b.WriteString(s + ";\n")
		}
	}
	return b.String()
}

func TestAReferenceToATableThatDoesNotExistIsMade(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "SET foreign_key_checks = 0; CREATE TABLE `orphan` (`id` int PRIMARY KEY, `x` int, CONSTRAINT `fk_gone` FOREIGN KEY (`x`) REFERENCES `gone` (`id`));"+
		"SET foreign_key_checks = 1;")
	roundTrip(t, db)
}

func TestSplitScriptReadsAsTheClientDoes(t *testing.T) {
	assert.Equal(t, []string{
		"SELECT 'a;b', \"c;\\\"d\", `e;f`",
		"-- a; comment\nSELECT 1 # and; another\n",
		"CREATE PROCEDURE p() BEGIN SELECT 1; END",
		"SELECT 2",
		"/*!40101 SET NAMES utf8 */",
		"SELECT 'it''s \\' ;'",
	}, trimmed(mysql.SplitScript("SELECT 'a;b', \"c;\\\"d\", `e;f`;\n-- a; comment\nSELECT 1 # and; another\n;\n"+
		"delimiter $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END$$\nSELECT 2$$\nDELIMITER ;\n/* only; a comment */;\n"+
		"/*!40101 SET NAMES utf8 */;;;SELECT 'it''s \\' ;'")))
}

func trimmed(list []string) []string {
	for i := range list {
		list[i] = strings.TrimLeft(list[i], "\n")
	}
	list[1] += "\n" // trimmed with the rest of the space
	return list
}
