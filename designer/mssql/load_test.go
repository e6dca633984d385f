package mssql

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

func TestALoadedScriptStaysInItsDatabase(t *testing.T) {
	for _, tt := range []struct {
		name, batch string
		want        []string
	}{
		{"a table", "CREATE TABLE t (a int)", []string{"CREATE TABLE t (a int)"}},
		{"a use", "USE [Chinook];", nil},
		{"a use before a table", "use \"x\"\nCREATE TABLE t (a int)", []string{"CREATE TABLE t (a int)"}},
		{"two uses", "-- go\nUSE a; USE b", nil},
		{"a database", "CREATE DATABASE x", nil},
		{"a guarded drop", "IF DB_ID('x') IS NOT NULL\nBEGIN ALTER DATABASE x SET ONLINE; DROP DATABASE x END", nil},
		{"a database in a string", "EXECUTE (N'CREATE DATABASE Northwind ON PRIMARY')", nil},
		{"a name that is like it", "CREATE TABLE [DATABASE] (a int)", []string{"CREATE TABLE [DATABASE] (a int)"}},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, inside([]string{tt.batch}, &designer.LoadResult{})) })
	}
}

func TestALoadTellsWhatOfAScriptNoDefinitionHolds(t *testing.T) {
	var loaded designer.LoadResult
	for _, b := range inside(Batches(`CREATE DATABASE shop
GO
USE shop
GO
CREATE TABLE dbo.users (id int PRIMARY KEY, boss int REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION)
INSERT INTO dbo.users VALUES (1, NULL) INSERT [users] (id) VALUES (2)
UPDATE STATISTICS dbo.users; UPDATE dbo.users SET boss = 1
BULK INSERT [other things] FROM 'x'
MERGE INTO users AS u USING users AS v ON u.id = v.id WHEN MATCHED THEN UPDATE SET boss = 2 WHEN NOT MATCHED THEN INSERT VALUES (3, 1);
GRANT SELECT, INSERT, UPDATE ON dbo.users TO ann WITH GRANT OPTION
CREATE ROLE readers
GO
CREATE OR ALTER TRIGGER t ON users AFTER INSERT, UPDATE AS DELETE FROM users
GO
CREATE PROC p AS INSERT INTO users VALUES (4, NULL)`), &loaded) {
		noteLeftOut(&loaded, b)
	}
	var told []string
	for _, l := range loaded.LeftOut {
		told = append(told, l.String())
	}
	assert.Equal(t, []string{"1 batch about databases is left out",
		"3 INSERT statements are left out: dbo.users, users, other things",
		"1 UPDATE statement is left out: dbo.users", "1 MERGE statement is left out: users",
		"1 GRANT statement is left out", "1 CREATE ROLE statement is left out"}, told)
}
