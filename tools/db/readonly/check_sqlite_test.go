package readonly

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRefusalsSayWhatToDo(t *testing.T) {
	assert.EqualError(t, CheckSQLite("DROP TABLE t", false), "refused (reads only): run-query reads only, and DROP changes the schema; execute-sql does that")
	assert.EqualError(t, CheckSQLite("DROP TABLE t", true), "refused (reads only): run-query reads only, and DROP changes the schema; "+
		"use the apply_edits operation of mssql_schema_designer, which changes the design, or execute-sql")
	assert.EqualError(t, CheckSQLite("SELECT 1; DELETE FROM t", false),
		"refused (one statement): the query has more than one statement: another begins behind the semicolon at byte 8")
	assert.NotContains(t, CheckSQLite("DELETE FROM t", true).Message, "apply_edits")
}
