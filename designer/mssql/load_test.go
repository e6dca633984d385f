package mssql

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, inside([]string{tt.batch})) })
	}
}
