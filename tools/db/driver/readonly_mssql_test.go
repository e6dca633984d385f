package driver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools/db/rowset"
)

func mssqlGuarded(t *testing.T) (s served, fingerprint func(testing.TB) string) {
	t.Helper()
	s = mssqlServed(t, script(t, "mssql.sql"))
	return s, func(t testing.TB) string {
		const query = `SELECT CONCAT((SELECT STRING_AGG(CAST(a AS VARCHAR(9)) + b, '|') WITHIN GROUP (ORDER BY a) FROM t), ' ',
			(SELECT COUNT(*) FROM audit), ' ', IDENT_CURRENT('audit'), ' ', (SELECT MAX(CAST(current_value AS BIGINT)) FROM sys.sequences), ' ',
			(SELECT COUNT(*) FROM sys.tables), ' ', (SELECT COUNT(*) FROM sys.sql_modules), ' ', (SELECT COUNT(*) FROM sys.databases WHERE name LIKE 'berth_pwn%'), ' ',
			(SELECT COUNT(*) FROM sys.server_principals WHERE name LIKE 'berth_pwn%'))`
		var text string
		require.NoError(t, s.Owner.QueryRowContext(t.Context(), query).Scan(&text))
		return text
	}
}

func TestNothingGetsThroughToSQLServer(t *testing.T) {
	require.NotEmpty(t, corpus(t, "mssql.txt", "app"))
	needs.SQLServer(t) // TestNothingGetsPastTheGuardOfSQLServer needs no server
	s, fingerprint := mssqlGuarded(t)
	attempts := corpus(t, "mssql.txt", s.Address.Database)
	const all = "each is refused before the server has it"
	t.Run("as an ordinary user", func(t *testing.T) {
		assert.Empty(t, nothingGetsThrough(t, s, attempts, fingerprint, s.Ordinary(t)), all)
	})
	t.Run("as the owner and sysadmin", func(t *testing.T) {
		assert.Empty(t, nothingGetsThrough(t, s, attempts, fingerprint), all)
	})
	t.Run("past the guard to the cursor", func(t *testing.T) {
		d, err := OpenMSSQL(s.Address)
		require.NoError(t, err)
		defer d.Close()
		before := fingerprint(t)
		for _, query := range attempts {
			if strings.Contains(query, "pg_") || strings.Contains(query, "set_config") || strings.Contains(strings.ToUpper(query), "SEQUENCE") ||
				strings.Contains(strings.ToUpper(query), "NEXT") || strings.Contains(query, "EXEC") || strings.Contains(query, "p1") {
				continue // a cursor takes one procedure too, and no rollback undoes a sequence
			}
			_ = d.(*mssqlDatabase).guarded(t.Context(), func(ms *mssqlSession) error { return ms.cursor(t.Context(), query, nil, rowset.NewReply(10, 1<<16)) })
			require.Equal(t, before, fingerprint(t), query)
		}
	})
	before := fingerprint(t)
	s.Exec(t, "UPDATE t SET b = 'seen' WHERE a = 1")
	assert.NotEqual(t, before, fingerprint(t), "a change would have been seen")
}

func TestHarmlessQueriesAreAdmittedOnSQLServer(t *testing.T) {
	require.NotEmpty(t, corpus(t, "mssql_harmless.txt", "app"))
	needs.SQLServer(t) // TestNothingGetsPastTheGuardOfSQLServer needs no server
	s, fingerprint := mssqlGuarded(t)
	queries := corpus(t, "mssql_harmless.txt", s.Address.Database)
	c, before, lacking := s.connect(t), fingerprint(t), []string{}
	for _, query := range queries {
		r := ask(t, c, query)
		assert.NotContains(t, r.Content[0], "refused (", query)
		if r.IsError {
			lacking = append(lacking, query+": "+r.Content[0])
		}
	}
	assert.Equal(t, before, fingerprint(t))
	t.Logf("%d of %d queries are beyond this server: %q", len(lacking), len(queries), lacking)
	assert.Less(t, len(lacking), len(queries)/10)
}
