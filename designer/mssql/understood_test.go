package mssql

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// kinds says, by how a statement begins, what a parser of Transact-SQL has to
// take it for. The parser reads what it can: text that is wrong in the middle
// becomes a statement more, such as a label or a call.
var kinds = []struct {
	begins *regexp.Regexp
	want   string
}{
	{regexp.MustCompile(`^SET XACT_ABORT`), "PredicateSetStatement PredicateSetStatement"},
	{regexp.MustCompile(`^SET (QUOTED_IDENTIFIER|ANSI_NULLS) `), "PredicateSetStatement"},
	{regexp.MustCompile(`^CREATE SCHEMA `), "CreateSchemaStatement"},
	{regexp.MustCompile(`^CREATE TYPE \S+ FROM`), "CreateTypeUddtStatement"},
	{regexp.MustCompile(`^CREATE TYPE \S+ AS TABLE`), "CreateTypeTableStatement"},
	{regexp.MustCompile(`^CREATE XML SCHEMA COLLECTION `), "CreateXmlSchemaCollectionStatement"},
	{regexp.MustCompile(`^CREATE SEQUENCE `), "CreateSequenceStatement"},
	{regexp.MustCompile(`^CREATE SYNONYM `), "CreateSynonymStatement"},
	{regexp.MustCompile(`^CREATE TABLE `), "CreateTableStatement"},
	{regexp.MustCompile(`^CREATE (UNIQUE )?(CLUSTERED |NONCLUSTERED )?INDEX `), "CreateIndexStatement"},
	{regexp.MustCompile(`^CREATE (CLUSTERED |NONCLUSTERED )?COLUMNSTORE INDEX `), "CreateColumnStoreIndexStatement"},
	{regexp.MustCompile(`^CREATE (PRIMARY )?XML INDEX `), "CreateXmlIndexStatement"},
	{regexp.MustCompile(`^CREATE SPATIAL INDEX `), "CreateSpatialIndexStatement"},
	{regexp.MustCompile(`^CREATE VIEW `), "CreateViewStatement"},
	{regexp.MustCompile(`^CREATE FUNCTION `), "CreateFunctionStatement"},
	{regexp.MustCompile(`^CREATE PROC(EDURE)? `), "CreateProcedureStatement"},
	{regexp.MustCompile(`^CREATE TRIGGER `), "CreateTriggerStatement"},
	{regexp.MustCompile(`^(DIS|EN)ABLE TRIGGER `), "EnableDisableTriggerStatement"},
	{regexp.MustCompile(`^ALTER INDEX `), "AlterIndexStatement"},
	{regexp.MustCompile(`^ALTER SCHEMA `), "AlterSchemaStatement"},
	{regexp.MustCompile(`(?s)^ALTER TABLE .* DROP CONSTRAINT .*;\nALTER TABLE .* DROP COLUMN`), "AlterTableDropTableElementStatement AlterTableDropTableElementStatement"},
	{regexp.MustCompile(`^ALTER TABLE .*\] ALTER COLUMN `), "AlterTableAlterColumnStatement"},
	{regexp.MustCompile(`^ALTER TABLE (\[([^]]|\]\])*\]|\.)+ (WITH NOCHECK )?ADD `), "AlterTableAddTableElementStatement"},
	{regexp.MustCompile(`^ALTER TABLE .* DROP `), "AlterTableDropTableElementStatement"},
	{regexp.MustCompile(`^ALTER TABLE .* (NO)?CHECK CONSTRAINT `), "AlterTableConstraintModificationStatement"},
	{regexp.MustCompile(`^ALTER TABLE .* SET \(SYSTEM_VERSIONING`), "AlterTableSetStatement"},
	{regexp.MustCompile(`^DROP TABLE `), "DropTableStatement"},
	{regexp.MustCompile(`^DROP INDEX `), "DropIndexStatement"},
	{regexp.MustCompile(`^EXEC sys\.sp_\w+ `), "ExecuteStatement"},
	{regexp.MustCompile(`^SELECT `), "SelectStatement"},
	{regexp.MustCompile(`^UPDATE `), "UpdateStatement"},
	{regexp.MustCompile(`^INSERT INTO `), "InsertStatement"},
	{regexp.MustCompile(`^SET IDENTITY_INSERT .*\nINSERT INTO`), "SetIdentityInsertStatement InsertStatement SetIdentityInsertStatement"},
	{regexp.MustCompile(`(?s)^DECLARE @name sysname = .*;\nALTER TABLE `), "DeclareVariableStatement IfStatement DeclareVariableStatement ExecuteStatement AlterTableDropTableElementStatement"},
	{regexp.MustCompile(`^DECLARE @name sysname = `), "DeclareVariableStatement IfStatement DeclareVariableStatement ExecuteStatement"},
	{regexp.MustCompile(`(?s)^IF EXISTS \(SELECT .*\n  THROW 50000, N'.*', 1$`), "IfStatement"},
	{regexp.MustCompile(`^DECLARE @last `), "DeclareVariableStatement IfStatement IfStatement"},
	{regexp.MustCompile(`^DROP (VIEW|FUNCTION|PROCEDURE|TRIGGER|SEQUENCE|SYNONYM|TYPE|SCHEMA|XML SCHEMA COLLECTION) `), ""},
}

// readable puts what the parser does not read yet, though SQL Server does,
// into words that it reads.
var readable = strings.NewReplacer("CHECK NOT FOR REPLICATION", "CHECK",
	"ADD FOREIGN KEY", "ADD CONSTRAINT [x] FOREIGN KEY", "NULL SPARSE", "NULL", "ADD PRIMARY KEY", "ADD CONSTRAINT [x] PRIMARY KEY",
	"ADD DEFAULT (", "ADD CONSTRAINT [x] DEFAULT (")

// understood checks that a parser takes every statement of a plan, and what
// takes it back, for the new state.
func understood(t *testing.T, p designer.Plan) {
	t.Helper()
	for _, s := range p.Steps {
		assert.NotEmpty(t, s.Comment, s.Statement)
		assert.NotContains(t, s.Comment, "\n")
		understoodStatement(t, s.Statement)
		if s.Reverse != "" {
			understoodStatement(t, s.Reverse)
		}
	}
}

func understoodStatement(t *testing.T, text string) {
	t.Helper()
	assert.Len(t, Batches(text), 1, "a statement is one batch:\n%s", text)
	assert.Zero(t, depth(text), "parentheses:\n%s", text)
	script, err := parser.Parse(context.Background(), strings.NewReader(readable.Replace(text)))
	if !assert.NoError(t, err, text) {
		return
	}
	require.Len(t, script.Batches, 1, text)
	var got []string
	for _, s := range script.Batches[0].Statements {
		got = append(got, strings.TrimPrefix(fmt.Sprintf("%T", s), "*ast."))
	}
	for _, k := range kinds {
		switch {
		case !k.begins.MatchString(text):
			continue
		case k.want == "":
			assert.Len(t, got, 1, text)
		default:
			assert.Equal(t, k.want, strings.Join(got, " "), text)
		}
		return
	}
	assert.Fail(t, "a statement of a kind that is not known", "%s\n%v", text, got)
}

// depth counts the parentheses that stay open.
func depth(text string) int {
	n := 0
	for _, t := range scan(text) {
		switch {
		case t.Kind == sqltext.Operator && t.Text == "(":
			n++
		case t.Kind == sqltext.Operator && t.Text == ")":
			n--
		}
	}
	return n
}
