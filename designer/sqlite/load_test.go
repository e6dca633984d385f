package sqlite

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// The dump was made by .dump of sqlite3 3.40.
func TestADumpOfSQLiteLoadsAsItsDatabase(t *testing.T) {
	text, err := os.ReadFile("testdata/dump-sqlite3.sql")
	require.NoError(t, err)
	loaded, err := Engine{}.Load(t.Context(), nil, string(text))
	require.NoError(t, err)
	assert.Equal(t, []string{"keeper", "light"}, tableNames(loaded.Definition))
	assert.Len(t, loaded.Views, 2, "a virtual table is carried as a view")
	s, err := designer.Build(Dialect(), loaded.Definition, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	require.NoError(t, s.Check())
}

func tableNames(def designer.Definition) (names []string) {
	for _, t := range def.Tables {
		names = append(names, t.Name)
	}
	return names
}

func TestAScriptThatSQLiteRefusesSaysWhere(t *testing.T) {
	for script, at := range map[string]string{
		"CREATE TABLE a (id);\n\n  CREATE TABLE a (n);":   "3:3   CREATE TABLE a (n);",
		"CREATE TABLE a (id,\n  n int int(,\n  m);":       "2:13   n int int(,",
		"CREATE TABLE a (\n  id":                          "2:5   id",
		"hello world":                                     "1:1 hello world",
		"-- psql\n\\connect x\nSELECT 1;":                 "2:1 \\connect x",
		"CREATE TABLE a (id int DEFAULT ?);":              "1:32 CREATE TABLE a (id int DEFAULT ?);",
		"CREATE TABLE a (id);\nPRAGMA max_page_count = 1": "2:1 PRAGMA max_page_count = 1",
		"CREATE TABLE a (id);\nCREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT; END": "2:58 CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT; END",
	} {
		_, err := Engine{}.Load(t.Context(), nil, script)
		var place *designer.ScriptError
		require.ErrorAs(t, err, &place, script)
		assert.Equal(t, at, fmt.Sprintf("%d:%d %s", place.Line, place.Column, place.Source), err)
	}
}

func TestTheSemicolonsOfATriggerEndNoStatement(t *testing.T) {
	const trigger = "CREATE TEMP TRIGGER IF NOT EXISTS end AFTER UPDATE ON a WHEN CASE WHEN 1 THEN 1 END BEGIN SELECT CASE WHEN ';' THEN 1 END; DELETE FROM a; END"
	var got []string
	for _, s := range splitScript("BEGIN;; -- x;\nCREATE TABLE a (begin, end); " + trigger + "; END ;SELECT 1 /* ; */") {
		got = append(got, s.text)
	}
	assert.Equal(t, []string{"BEGIN", "CREATE TABLE a (begin, end)", trigger, "END", "SELECT 1"}, got)
}
