package mysql_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

func TestLoadReadsADumpAndLeavesNothingBehind(t *testing.T) {
	db := newDatabase(t)
	def, err := mysql.Engine{}.Load(leavesNoScratch(t, db), db, `
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40014 SET FOREIGN_KEY_CHECKS=0 */;
SET GLOBAL max_connections = 1;
SET @x = (SELECT nothing FROM nowhere);
SET @x = nowhere.nothing();
SET SQL_MODE = CONCAT(@@SQL_MODE, ',NO_ZERO_DATE');
DROP DATABASE IF EXISTS `+"`Shop`"+`;
CREATE DATABASE IF NOT EXISTS `+"`Shop`"+`;
USE `+"`Shop`"+`;
DROP TABLE IF EXISTS `+"`Shop`.`a`"+`;
CREATE TABLE `+"`Shop`.`a`"+` (id int PRIMARY KEY, b_id int, CONSTRAINT fk FOREIGN KEY (b_id) REFERENCES Shop.b (id));
CREATE TABLE b (id int PRIMARY KEY AUTO_INCREMENT);
LOCK TABLES a WRITE;
INSERT INTO a VALUES (1, 2), (3, '; DROP TABLE a;');
UNLOCK TABLES;
CREATE INDEX ix ON Shop.a (b_id, id);
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`+"`root`@`localhost`"+` SQL SECURITY DEFINER */
/*!50001 VIEW v AS select Shop.a.id AS id from Shop.a */;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`+"`root`@`%`"+`*/ /*!50003 TRIGGER tr BEFORE INSERT ON a FOR EACH ROW BEGIN SET new.b_id = 1; END */;;
CREATE DEFINER=nobody PROCEDURE p() BEGIN DELETE FROM a; END;;
CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO DELETE FROM a;;
CREATE DEFINER=root@localhost EVENT e2 ON SCHEDULE EVERY 1 SECOND DO DELETE FROM a;;
DELIMITER ;
`)
	require.NoError(t, err)
	s := build(t, def.Definition)
	require.Len(t, def.Tables, 2)
	a := s.Definition().Tables[0]
	assert.Equal(t, []string{"tr"}, a.Triggers)
	assert.Equal(t, designer.TableRef{Schema: "app", Name: "b"}, a.ForeignKeys[0].ReferencedTable)
	assert.Equal(t, []designer.IndexDefinition{{Name: "ix", Parts: []designer.IndexKeyDefinition{{Column: "b_id"}, {Column: "id"}}}}, a.Indexes)
	assert.Equal(t, []designer.View{{Name: "v", Definition: "CREATE VIEW `v` AS select `a`.`id` AS `id` from `a`"}}, def.Views)
	assert.Equal(t, []designer.Omission{{What: "SET statement", Count: 1}, {What: "DROP DATABASE statement", Count: 1}, {What: "CREATE DATABASE statement", Count: 1},
		{What: "INSERT statement", Count: 1, Names: []string{"a"}}, {What: "event", Count: 2, Names: []string{"e", "e2"}}}, def.LeftOut)
	assert.Empty(t, read(t, db).Tables)
	assert.NotEqual(t, []string{"1"}, values(t, db, "SELECT @@GLOBAL.max_connections"))
}

func TestLoadReachesNoOtherDatabase(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE keep (id int PRIMARY KEY);")
	own := values(t, db, "SELECT DATABASE()")[0]
	for name, script := range map[string]string{
		"drop":            "DROP TABLE " + own + ".keep",
		"drop a second":   "CREATE TABLE a (id int); DROP TABLE a, `" + own + "`.`keep`",
		"hidden drop":     "/*!40000 DROP TABLE " + own + ".keep */",
		"alter":           "ALTER TABLE " + own + " . keep ADD COLUMN n int",
		"move":            "CREATE TABLE a (id int); RENAME TABLE a TO " + own + ".other",
		"move by alter":   "CREATE TABLE a (id int); ALTER TABLE a RENAME TO " + own + ".other",
		"make":            "CREATE TABLE " + own + ".other (id int)",
		"make a view":     "CREATE OR REPLACE ALGORITHM=MERGE VIEW " + own + ".v AS SELECT 1",
		"make a trigger":  "CREATE TRIGGER tr BEFORE INSERT ON " + own + ".keep FOR EACH ROW SET @x = 1",
		"make a routine":  "CREATE PROCEDURE " + own + ".p() SELECT 1",
		"make an index":   "CREATE INDEX ix ON " + own + ".keep (id)",
		"drop an index":   "DROP INDEX ix ON " + own + ".keep",
		"quoted as text":  "SET sql_mode = 'ANSI_QUOTES'; DROP TABLE \"" + own + "\".\"keep\"",
		"change a user":   "SET PASSWORD = 'x'; ALTER USER root IDENTIFIED BY 'x'; INSTALL PLUGIN x SONAME 'x'",
		"load a file":     "LOAD DATA INFILE '/etc/passwd' INTO TABLE a",
		"place a file":    "CREATE TABLE a (id int) DATA DIRECTORY = '/tmp'",
		"a table abroad":  "CREATE TABLE a (id int) ENGINE=FEDERATED CONNECTION='mysql://root@127.0.0.1/x/y'",
		"a query":         "CREATE TABLE a AS SELECT * FROM " + own + ".keep",
		"a prepared one":  "PREPARE x FROM 'DROP TABLE keep'; EXECUTE x",
		"a handler":       "HANDLER keep OPEN",
		"a shutdown":      "SHUTDOWN",
		"a killed thread": "KILL 1",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mysql.Engine{}.Load(context.Background(), db, script)
			require.Error(t, err)
			assert.Contains(t, err.Error(), "statement ")
			def := read(t, db)
			require.Len(t, def.Tables, 1)
			assert.Len(t, def.Tables[0].Columns, 1)
			assert.Empty(t, def.Views)
			assert.Empty(t, def.Objects)
		})
	}
}

func TestAScriptThatTheServerRefusesNamesItsStatement(t *testing.T) {
	db := newDatabase(t)
	for script, at := range map[string]string{
		"CREATE TABLE a (id int);\n\nCREATE TABLE b (id no_type);":                      "3:1 CREATE TABLE b (id no_type);",
		"USE x; CREATE TABLE a (id int);\nCREATE TABLE b (\n  id int,\n  n int nul\n);": "5:1 );",
		"CREATE TABLE a (id int);\n  CREATE TABLE a (n int);":                           "2:3   CREATE TABLE a (n int);",
		"CREATE TABLE a (id int);\nhello world;":                                        "2:1 hello world;",
		"CREATE TABLE a (id int DEFAULT 'x);":                                           "1:32 CREATE TABLE a (id int DEFAULT 'x);",
		"-- all\nCREATE TABLE a (\n  id int COMMENT ',',\n  b_id int REFERENCES b\n,);": "5:2 ,);",
	} {
		_, err := mysql.Engine{}.Load(t.Context(), db, script)
		var place *designer.ScriptError
		require.ErrorAs(t, err, &place, script)
		assert.Equal(t, at, fmt.Sprintf("%d:%d %s", place.Line, place.Column, place.Source), err)
	}
}

// The dump was made by mariadb-dump 10.11 of a schema of two tables and a view.
func TestADumpOfMariaDBLoads(t *testing.T) {
	db := newDatabase(t)
	text := fixture(t, "dump-mariadb.sql")
	require.Contains(t, text, `/*M!999999\- enable the sandbox mode */`)
	loaded, err := mysql.Engine{}.Load(leavesNoScratch(t, db), db, text+text)
	require.NoError(t, err)
	s := build(t, loaded.Definition)
	require.Len(t, s.Tables(), 2)
	assert.Equal(t, "light_keeper", s.Definition().Tables[1].ForeignKeys[0].Name)
	assert.Len(t, loaded.Views, 1)
}

func TestAScriptOfADesignLoadsAsTheDesign(t *testing.T) {
	db := newDatabase(t)
	load(t, db, fixture(t, "everything.sql"))
	exec(t, db, "DROP EVENT daily", "DROP EVENT once", "DROP EVENT mixed") // which are not loaded: they would act
	s := build(t, read(t, db))
	plan, err := mysql.Engine{}.Script(s)
	require.NoError(t, err)
	def, err := mysql.Engine{}.Load(context.Background(), db, plan.Script())
	require.NoError(t, err)
	assert.Equal(t, s.Definition(), build(t, def.Definition).Definition())
}

// mysqldump writes binary values as they are.
func TestAScriptMayHoldZeroBytes(t *testing.T) {
	db := newDatabase(t)
	loaded, err := mysql.Engine{}.Load(t.Context(), db, "CREATE TABLE t (id int PRIMARY KEY, n binary(3) DEFAULT '\x00a\x00' COMMENT 'x');\n"+
		"INSERT INTO t VALUES (1, _binary'\x00;\xff');\nCREATE TABLE u (id int);")
	require.NoError(t, err)
	require.Len(t, loaded.Definition.Tables, 2)
	assert.Equal(t, `'\0a\0'`, loaded.Definition.Tables[0].Columns[1].DefaultValue)
}
