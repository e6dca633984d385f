package mssql

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/needs"
)

// The mark asks only for what every login that sees the schema may see, and
// reads each catalogue once.
func TestTheMarkReadsCataloguesAlone(t *testing.T) {
	read := regexp.MustCompile(`(?:FROM|JOIN) (\S+?)\b[ )]`).FindAllStringSubmatch(markQuery, -1)
	var names []string
	for _, r := range read {
		names = append(names, r[1])
	}
	slices.Sort(names)
	assert.Equal(t, []string{"sys.columns", "sys.extended_properties", "sys.indexes", "sys.objects", "sys.schemas", "sys.tables", "sys.tables", "sys.types"}, names)
	assert.Equal(t, strings.Count(markQuery, "("), strings.Count(markQuery, ")"))
}

func TestTheMarkIsAnotherOneOnceTheSchemaHasChanged(t *testing.T) {
	needs.SQLServer(t)
	db := enginetest.MSSQLDB(t)
	run(t, db, "CREATE TABLE a (id int NOT NULL PRIMARY KEY, name nvarchar(20))")
	mark := func() string {
		t.Helper()
		m, err := Mark(t.Context(), db)
		require.NoError(t, err)
		return m
	}
	before := mark()
	run(t, db, "INSERT INTO a VALUES (1, N'x')", "UPDATE a SET name = N'y'", "DELETE FROM a")
	require.Equal(t, before, mark(), "rows are no schema")
	for _, change := range []string{
		"ALTER TABLE a ADD mail nvarchar(20)", "EXEC sp_rename 'a.mail', 'post', 'COLUMN'", "ALTER TABLE a ALTER COLUMN post nvarchar(30)",
		"CREATE INDEX ix ON a (post)", "DROP INDEX ix ON a; CREATE UNIQUE INDEX ix ON a (post)", "ALTER TABLE a ADD CONSTRAINT ck CHECK (id > 0)", "EXEC('CREATE VIEW v AS SELECT 1 AS one')",
		"DROP VIEW v", "DROP INDEX ix ON a", "EXEC sp_rename 'a', 'b', 'OBJECT'", "DROP TABLE b",
	} {
		run(t, db, change)
		assert.NotEqual(t, before, mark(), change)
		before = mark()
	}
}
