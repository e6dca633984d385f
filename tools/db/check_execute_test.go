package db

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
)

func TestExecuteSQLTakesOneStatementThatIsWhatItLooksLike(t *testing.T) {
	all := []string{dial.SQLite, dial.PostgreSQL, dial.MySQL, dial.SQLServer}
	for _, tt := range []struct {
		dialects []string
		text     string
		rule     string // "": it is taken
	}{
		{all, "INSERT INTO t VALUES (1);", ""},
		{all, "  -- why\n DELETE FROM t WHERE a = 'x; y' ;; ", ""},
		{all, "UPDATE t SET a = 1 WHERE b IN (SELECT c FROM u)", ""},
		{all, "WITH x AS (SELECT 1 AS a) DELETE FROM t WHERE a IN (SELECT a FROM x)", ""},
		{all, "CREATE TABLE t (a int PRIMARY KEY, b int REFERENCES u (b) ON DELETE CASCADE ON UPDATE SET NULL)", ""},
		{all, "ALTER TABLE t ADD c int", ""},
		{all, "DROP TABLE t", ""},
		{all, "INSERT INTO t SELECT a FROM u UNION ALL SELECT b FROM v", ""},
		{[]string{dial.SQLServer}, "ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u (a) ON DELETE SET NULL ON UPDATE CASCADE", ""},
		{[]string{dial.SQLServer}, "ALTER TABLE t ALTER COLUMN c int NULL", ""},
		{[]string{dial.SQLServer}, "ALTER TABLE t DROP CONSTRAINT x, COLUMN c", ""},
		{[]string{dial.SQLServer}, "MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1) WHEN NOT MATCHED BY SOURCE THEN DELETE;", ""},
		{[]string{dial.SQLServer}, "GRANT SELECT, INSERT ON t TO u", ""},
		{[]string{dial.SQLServer}, "INSERT INTO t EXEC p", ""},
		{[]string{dial.SQLServer}, "CREATE PROCEDURE p AS BEGIN UPDATE t SET a = 1; DELETE FROM t; END", ""},
		{[]string{dial.SQLServer}, "UPDATE [select] SET [set] = 1 OUTPUT inserted.[delete]", ""},
		{[]string{dial.MySQL}, "CREATE DEFINER = 'a'@'%' PROCEDURE p() BEGIN DELETE FROM t; END", ""},
		{[]string{dial.PostgreSQL}, "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t; RETURN 1; END $$", ""},
		{[]string{dial.SQLite}, "CREATE TEMP TRIGGER g INSTEAD OF DELETE ON v BEGIN SELECT 1; SELECT 2; END", ""},

		{all, "", "one statement"},
		{all, "/* nothing */ ;", "one statement"},
		{all, "DELETE FROM t; DROP TABLE t", "one statement"},
		{all, "SELECT 1; SELECT 2", "one statement"},
		{all, "COMMIT", "statement kind"},
		{all, "SET x = 1", "statement kind"},
		{all, "EXPLAIN DELETE FROM t", "statement kind"},
		{all, "DELETE FROM t WHERE a = 'open", "legal text"},
		{all, "DELETE FROM t /* open", "legal text"},
		{all, "DELETE FROM t WHERE a = '\u202e'", "legal text"},
		{all, "DELETE FROM t WHERE a = '\x00'", "legal text"},
		{all, "DELETE FROM t WHERE a = '\xff'", "legal text"},
		{[]string{dial.SQLite, dial.MySQL}, "DELETE FROM t WHERE a = ?", "no placeholders"},
		{[]string{dial.PostgreSQL}, "DELETE FROM t WHERE a = $1", "no placeholders"},
		{[]string{dial.MySQL}, "DELETE FROM t /*!50000 WHERE 1 */", "legal text"},
		{[]string{dial.MySQL}, "SELECT 1 INTO OUTFILE '/tmp/x'", "reach"},
		{[]string{dial.MySQL}, "LOAD DATA INFILE 'x' INTO TABLE t", "statement kind"},
		{[]string{dial.MySQL}, "INSERT INTO t VALUES (LOAD_FILE('/etc/passwd'))", "reach"},
		{[]string{dial.MySQL}, "CREATE FUNCTION f RETURNS STRING SONAME 'x.so'", "reach"},
		{[]string{dial.PostgreSQL}, "COPY t TO PROGRAM 'id'", "statement kind"},
		{[]string{dial.PostgreSQL}, "SELECT \"lo_import\"('/etc/passwd')", "reach"},
		{[]string{dial.PostgreSQL}, "CREATE FUNCTION f() RETURNS int LANGUAGE plpython3u AS 'x'", "reach"},
		{[]string{dial.PostgreSQL}, "DO LANGUAGE 'plperlu' 'x'", "reach"},
		// the second part of E'…' continues with its escapes, so the text ends earlier than it looks
		{[]string{dial.PostgreSQL}, "SELECT E'a'\n'\\''; DROP TABLE t --'", "one statement"},
		{[]string{dial.PostgreSQL}, "SELECT E'a' -- b\n'\\'' || lo_import('/etc/passwd') --'", "reach"},
		{[]string{dial.SQLite}, "ATTACH 'x' AS y", "statement kind"},
		{[]string{dial.SQLite}, "VACUUM INTO 'x'", "reach"},
		{[]string{dial.SQLite}, "PRAGMA writable_schema = 1", "statement kind"},
		{[]string{dial.SQLite}, "SELECT load_extension('x')", "reach"},
		{[]string{dial.SQLite}, "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END; DROP TABLE t", "one statement"},
		{[]string{dial.SQLite}, "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; SELECT 1; END", "one statement"},
		{[]string{dial.SQLite}, "CREATE TABLE x (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "one statement"},
		{[]string{dial.SQLite}, "CREATE VIEW trigger AS SELECT 1 AS begin; DELETE FROM t; SELECT 1 AS end", "one statement"},
		{[]string{dial.SQLite}, "CREATE TEMP VIEW trigger AS SELECT 1 AS begin; DELETE FROM t; SELECT 1 AS end", "one statement"},
		{[]string{dial.SQLite}, "CREATE TABLE trigger (begin, case); DELETE FROM t; ALTER TABLE trigger RENAME TO end", "one statement"},
		{[]string{dial.SQLite}, "CREATE /**/ TRIGGER g AFTER INSERT ON t BEGIN SELECT 1 AS begin, 2 AS [end]; END; DELETE FROM t; END", "one statement"},
		{[]string{dial.SQLite}, "CREATE VIEW x AS SELECT 1 AS [trigger], 2 AS begin", ""},
		{[]string{dial.SQLite}, "CREATE TRIGGER IF NOT EXISTS g BEFORE UPDATE OF a ON t WHEN CASE new.a WHEN 1 THEN 0 END BEGIN UPDATE t SET a = ';' ; END;", ""},
		{[]string{dial.SQLServer}, "DELETE FROM t DROP TABLE u", "one statement"},
		{[]string{dial.SQLServer}, "UPDATE t SET a = 1 SET NOCOUNT ON", "one statement"},
		{[]string{dial.SQLServer}, "INSERT INTO t VALUES (1) DELETE FROM u", "one statement"},
		{[]string{dial.SQLServer}, "CREATE TABLE t (a int) EXEC xp_cmdshell 'id'", "one statement"},
		{[]string{dial.SQLServer}, "EXEC [xp_cmdshell] 'id'", "reach"},
		{[]string{dial.SQLServer}, "DROP TABLE t SHUTDOWN", "one statement"},
	} {
		for _, dialect := range tt.dialects {
			t.Run(dialect+" "+tt.text, func(t *testing.T) {
				r := checkExecute(dialect, tt.text)
				if tt.rule == "" {
					require.Nil(t, r)
					return
				}
				require.NotNil(t, r)
				assert.Equal(t, tt.rule, r.Rule, r.Message)
			})
		}
	}
}

func FuzzCheckExecute(f *testing.F) {
	for _, text := range []string{"DELETE FROM t; DROP TABLE t", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END", "MERGE t USING u ON a WHEN MATCHED THEN DELETE", "WITH x AS (", "CREATE FUNCTION f() LANGUAGE"} {
		for _, dialect := range []string{dial.SQLite, dial.PostgreSQL, dial.MySQL, dial.SQLServer} {
			f.Add(dialect, text)
		}
	}
	f.Fuzz(func(t *testing.T, dialect, text string) {
		if r := checkExecute(dialect, text); r != nil && len(r.Message) > 1000 {
			t.Fatalf("message of %d bytes", len(r.Message))
		}
		_ = changesSchema(text, dialect)
	})
}
