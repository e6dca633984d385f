package guess_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/guess"
)

func TestATextIsKnownByItsMarks(t *testing.T) {
	for _, tt := range []struct{ text, format, dialect string }{
		{"", "", ""},
		{"hello world", "", ""},
		{"{\"tables\": []}", "json", ""},
		{"CREATE TABLE a (id int PRIMARY KEY, name varchar(20));", "sql", ""},
		{"-- a comment\n\nCREATE TABLE a (id int);", "sql", ""},
		{"create table a (id serial primary key);", "sql", "postgres"},
		{"CREATE TABLE a (id int, at timestamptz);", "sql", "postgres"},
		{"CREATE TABLE a (id int AUTO_INCREMENT);", "sql", "mysql"},
		{"CREATE TABLE `a` (\n  `id` int(10) unsigned,\n  KEY `x` (`id`)\n);", "sql", "mysql"},
		{"CREATE TABLE [a] (id int IDENTITY(1,1));", "sql", "mssql"},
		{"CREATE TABLE a (id int)\r\nGO\r\n", "sql", "mssql"},
		{"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;", "sql", "sqlite"},
		{"CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);", "sql", "sqlite"},
		{"CREATE TABLE a (id serial, n int AUTO_INCREMENT);", "sql", ""},
		{"Table users {\n  id int [pk]\n}", "dbml", ""},
		{"Enum role {\n  a\n}", "dbml", ""},
		{"Ref: a.id > b.id", "dbml", ""},
		{"model User {\n  id Int @id\n}\n\nenum Role {\n  A\n}", "prisma", ""},
		{"datasource db {\n  provider = \"sqlite\"\n}", "prisma", ""},
		{"\ufeffmodel User {", "prisma", ""},
	} {
		got := guess.Of(tt.text)
		assert.Equal(t, []string{tt.format, tt.dialect}, []string{got.Format, got.Dialect}, tt.text)
		assert.Equal(t, tt.dialect == "", got.Because == "", tt.text)
	}
}

func TestDumpsAreKnownByWhatTheirProgramWrites(t *testing.T) {
	for file, want := range map[string]guess.Guess{
		"../sqlite/testdata/dump-sqlite3.sql":   {Format: "sql", Dialect: "sqlite", Because: "PRAGMA foreign_keys=", Line: 1},
		"../mysql/testdata/dump-mariadb.sql":    {Format: "sql", Dialect: "mysql", Because: "-- MariaDB dump", Line: 2},
		"../postgres/testdata/dump-pg_dump.sql": {Format: "sql", Dialect: "postgres", Because: "-- PostgreSQL database dump", Line: 2},
		"../ddl/testdata/ssms.sql":              {Format: "sql", Dialect: "mssql", Because: "/****** Object:", Line: 3},
		"../ddl/testdata/mysql8.sql":            {Format: "sql", Dialect: "mysql", Because: "-- MySQL dump", Line: 1},
		"../dbml/testdata/harbour.dbml":         {Format: "dbml"},
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, guess.Of(string(text)), file)
	}
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // sample data is extra
	}
	for file, dialect := range map[string]string{"chinook/Chinook_Sqlite_AutoIncrementPKs.sql": "sqlite", "chinook/Chinook_PostgreSql_SerialPKs.sql": "postgres",
		"chinook/Chinook_MySql_AutoIncrementPKs.sql": "mysql", "chinook/Chinook_SqlServer_AutoIncrementPKs.sql": "mssql", "northwind/instnwnd.sql": "mssql"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		assert.Equal(t, dialect, guess.Of(string(text)).Dialect, file)
	}
}
