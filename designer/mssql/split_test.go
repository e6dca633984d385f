package mssql

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScriptsAreSplitAtGo(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         []string
	}{
		{"two batches", "SELECT 1\nGO\nSELECT 2\ngo", []string{"SELECT 1", "SELECT 2"}},
		{"carriage returns", "SELECT 1\r\nGO\r\nSELECT 2\r\n", []string{"SELECT 1", "SELECT 2"}},
		{"in a string", "SELECT 'a\nGO\nb'\nGO", []string{"SELECT 'a\nGO\nb'"}},
		{"in a name", "SELECT [a\nGO\nb]", []string{"SELECT [a\nGO\nb]"}},
		{"in a comment", "/* a\nGO\n*/ SELECT 1", []string{"/* a\nGO\n*/ SELECT 1"}},
		{"after a comment", "SELECT 1 -- one\nGO\nSELECT 2", []string{"SELECT 1 -- one", "SELECT 2"}},
		{"with a comment behind", "SELECT 1\nGO -- done\nSELECT 2", []string{"SELECT 1", "-- done\nSELECT 2"}},
		{"repeated", "SELECT 1\nGO 2\nSELECT 2", []string{"SELECT 1", "SELECT 1", "SELECT 2"}},
		{"not alone", "SELECT 1 AS\nGO FROM t", []string{"SELECT 1 AS\nGO FROM t"}},
		{"indented", "SELECT 1\n\t GO  \nSELECT 2", []string{"SELECT 1", "SELECT 2"}},
		{"nothing but comments", "GO\n-- x\nGO\n\nGO", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, Batches(tt.script)) })
	}
}

func TestTheHeadOfAModuleSaysItsNames(t *testing.T) {
	object, table := objectName{"dbo", "New"}, &objectName{"dbo", "NewTable"}
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", "CREATE VIEW dbo.New AS SELECT 1", "CREATE VIEW dbo.New AS SELECT 1"},
		{"without a schema", "create view \"new\" as select 1", "create view \"new\" as select 1"},
		{"renamed", "/* CREATE VIEW x */ CREATE  VIEW [dbo] . [Old] AS SELECT 1", "/* CREATE VIEW x */ CREATE  VIEW [dbo].[New] AS SELECT 1"},
		{"moved", "CREATE PROC old.New @a int AS SELECT 1", "CREATE PROC [dbo].[New] @a int AS SELECT 1"},
		{"or alter", "CREATE OR ALTER FUNCTION f() RETURNS int AS BEGIN RETURN 1 END", "CREATE OR ALTER FUNCTION [dbo].[New]() RETURNS int AS BEGIN RETURN 1 END"},
		{"a trigger", "CREATE TRIGGER New ON Old FOR INSERT AS SELECT 1 FROM Old", "CREATE TRIGGER New ON [dbo].[NewTable] FOR INSERT AS SELECT 1 FROM Old"},
		{"no head", "SELECT 1", "SELECT 1"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, rename(tt.in, object, table)) })
	}
}
