package mysql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func FuzzALoadedScriptNamesNoOtherDatabase(f *testing.F) {
	for _, seed := range []string{
		"CREATE TABLE a (id int); DROP TABLE x.y;", "USE x; DROP TABLE x.y, z.w", "/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER t BEFORE INSERT ON x.y FOR EACH ROW SET @a=1 */",
		"DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END$$\nDELIMITER ;\nSELECT 1", "ALTER TABLE a RENAME b.c", "DROP TABLE `", "SET x", "RENAME TABLE a TO b . c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		list, err := definitions(script, &designer.LoadResult{})
		if err != nil {
			return
		}
		for _, d := range list {
			words := code(scan(d.text))
			require.NotEmpty(t, words)
			assert.NotContains(t, []string{"INSERT", "DELETE", "UPDATE", "GRANT", "USE"}, strings.ToUpper(words[0].Text))
			assert.Empty(t, reachesOut(words))
		}
	})
}

func TestASetOfADumpIsOfItsSessionAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO'": true,
		"/*!40101 SET @@SESSION.sql_mode = @OLD_SQL_MODE */":             true,
		"SET @saved_cs_client     = @@character_set_client":              true,
		"SET NAMES utf8mb4":                             true,
		"SET SQL_MODE = CONCAT(@@SQL_MODE, ',STRICT')":  true,
		"SET @@GLOBAL.sql_mode = ''":                    false,
		"SET @@global . sql_mode = ''":                  false,
		"SET @@PERSIST_ONLY.sql_mode = ''":              false,
		"SET @@SESSION.sql_log_bin = 0":                 false,
		"SET @@`global`.sql_log_bin = 0":                false,
		"SET @x = 1, PERSIST sql_mode = ''":             false,
		"SET @x = (SELECT 1)":                           false,
		"SET @x = sleep(1)":                             false,
		"SET max_statement_time = 1":                    false,
		"SET STATEMENT max_statement_time = 1 FOR DO 1": false,
	} {
		assert.Equal(t, want, settable(code(scan(text))), text)
	}
}

func TestTheDefinerIsLeftOutWhole(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE DEFINER=`a`@`b.c` VIEW v":      "CREATE  VIEW v",
		"CREATE DEFINER='a'@'%' VIEW v":        "CREATE  VIEW v",
		"CREATE DEFINER = a @ b VIEW v":        "CREATE  VIEW v",
		"CREATE DEFINER=a@127.0.0.1 VIEW v":    "CREATE  VIEW v",
		"CREATE DEFINER=a VIEW v":              "CREATE  VIEW v",
		"/*!1 DEFINER=`a`@`b`*/ /*!2 VIEW*/ v": "/*!1 */ /*!2 VIEW*/ v",
	} {
		assert.Equal(t, want, textOf(withoutDefiner(scan(text))))
	}
}

func TestAScriptThatEndsWithinAQuoteIsRefused(t *testing.T) {
	_, err := definitions("CREATE TABLE a (id int); INSERT INTO a VALUES ('x); CREATE TABLE b (id int);", &designer.LoadResult{})
	require.EqualError(t, err, "line 1, column 48: the quote is not closed")
}

// A DROP FUNCTION without a database takes a function of a library, which the
// whole server has.
func TestADroppedFunctionIsTheScratchDatabasesOwn(t *testing.T) {
	for text, want := range map[string]string{
		"DROP FUNCTION f":                             "DROP FUNCTION `x`.f",
		"/*!50003 DROP FUNCTION IF EXISTS */ `f`;":    "/*!50003 DROP FUNCTION IF EXISTS */ `x`.`f`;",
		"drop -- it\nfunction if exists /* what */ f": "drop -- it\nfunction if exists /* what */ `x`.f",
		"DROP PROCEDURE f":                            "DROP PROCEDURE f",
		"DROP FUNCTION":                               "DROP FUNCTION",
	} {
		assert.Equal(t, want, droppedFrom("x", text), text)
	}
}

func TestAScriptAddsNoLibraryToTheServer(t *testing.T) {
	for _, script := range []string{
		"CREATE FUNCTION f RETURNS STRING SONAME 'f.so'", "CREATE OR REPLACE AGGREGATE FUNCTION f RETURNS REAL SONAME 'f.so'",
		"CREATE FUNCTION f RETURNS STRING /*!50001 SONAME 'f.so' */",
	} {
		_, err := definitions(script, &designer.LoadResult{})
		assert.ErrorContains(t, err, "adds a function of a library to the whole server", script)
	}
}
