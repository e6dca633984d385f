package db

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/e2e/needs"
)

// scriptCatalog answers for the database that mssql.sql would make, without a
// server.
type scriptCatalog map[string]mssqlObject

var createdMSSQL = regexp.MustCompile(`^CREATE (VIEW|FUNCTION) (?:dbo\.)?(\w+)`)

func newScriptCatalog(t testing.TB) scriptCatalog {
	c := scriptCatalog{}
	for _, batch := range strings.Split(script(t, "mssql.sql"), ";;\n") {
		m := createdMSSQL.FindStringSubmatch(batch)
		if m == nil {
			continue
		}
		kind := "V"
		if m[1] == "FUNCTION" {
			kind = "FN"
		}
		c[m[2]] = mssqlObject{m[2], kind, batch}
	}
	require.Len(t, c, 7)
	return c
}

func (c scriptCatalog) objects(_ context.Context, names []string) ([]mssqlObject, error) {
	var found []mssqlObject
	for _, n := range names {
		if o, ok := c[n]; ok {
			found = append(found, o)
		}
	}
	return found, nil
}

func (c scriptCatalog) otherDatabases(_ context.Context, names []string) ([]string, error) {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != "other" && n != "master" }), nil
}

// judgeMSSQL is everything that happens to a query before a server runs it.
func judgeMSSQL(t testing.TB, c mssqlCatalog, query string) error {
	m, r := parseMSSQL(query, newMSSQLWords(), false)
	if r != nil {
		return r
	}
	return (&reachMSSQL{ctx: t.Context(), catalog: c, words: newMSSQLWords()}).query(m.tokens)
}

func TestNothingGetsPastTheGuardOfSQLServer(t *testing.T) {
	c := newScriptCatalog(t)
	attempts := corpus(t, "mssql.txt", "app")
	require.GreaterOrEqual(t, len(attempts), 100)
	for _, query := range attempts {
		var refusal *Refusal
		assert.ErrorAs(t, judgeMSSQL(t, c, query), &refusal, query)
	}
	for _, query := range corpus(t, "mssql_harmless.txt", "app") {
		assert.NoError(t, judgeMSSQL(t, c, query), query)
	}
}

func TestRefusalsOfSQLServerSayWhy(t *testing.T) {
	c := newScriptCatalog(t)
	for query, want := range map[string]string{
		"DELETE FROM t":              "refused (reads only): run-query reads only, and DELETE changes data; execute-sql does that",
		"SELECT 1 DELETE FROM t":     `refused (one statement): "DELETE" at byte 9 does not belong in a SELECT; it may begin another statement`,
		"SELECT 1 SELECT 2":          `refused (one statement): "SELECT" at byte 9 does not stand where a SELECT has it; it may begin another statement`,
		"SELECT * FROM v_on_view":    "refused (function): EXEC is not run, and the function shells, the view v_shells, the view v_on_view would run it: what it does cannot be checked",
		"SELECT * FROM srv.d.dbo.t":  "refused (function): srv is not run: a name of four parts leads to another server",
		"SELECT * FROM other..t":     `refused (other database): "other" is another database, where what is read cannot be checked; ask through a connection to it`,
		"SELECT a FROM t FOR UPDATE": `refused (one statement): "FOR" at byte 16 does not stand where a SELECT has it; it may begin another statement`,
	} {
		assert.EqualError(t, judgeMSSQL(t, c, query), want)
	}
	m, r := parseMSSQL("WITH c AS (SELECT 1 AS a) SELECT a FROM c FOR JSON PATH -- x", newMSSQLWords(), false)
	require.Nil(t, r)
	assert.Equal(t, "WITH c AS (SELECT 1 AS a) SELECT (\nSELECT a FROM c FOR JSON PATH\n) AS [result]", m.value)
}

func TestWhatOnlySQLServerHasIsJudged(t *testing.T) {
	for what, o := range map[string]mssqlObject{
		"a CLR function":     {"t", "FS", ""},
		"an encrypted one":   {"t", "FN", ""},
		"a linked synonym":   {"t", "SN", "[srv].[d].[dbo].[t]"},
		"another database's": {"t", "SN", "[other].[dbo].[t]"},
		"a computed column":  {"t", mssqlComputed, "([dbo].[no_such]([a]))"},
		"a security policy":  {"t", mssqlPredicate, "([dbo].[no_such]([a]))"},
		"an external table":  {"t", mssqlExternal, ""},
		"a remote view":      {"t", "V", "CREATE VIEW t AS SELECT * FROM OPENQUERY(srv, 'x')"},
	} {
		assert.Error(t, judgeMSSQL(t, scriptCatalog{"t": o}, "SELECT a FROM t"), what)
	}
}

func mssqlGuarded(t *testing.T) (s served, fingerprint func(testing.TB) string) {
	t.Helper()
	s = mssqlServed(t, script(t, "mssql.sql"))
	return s, func(t testing.TB) string {
		const query = `SELECT CONCAT((SELECT STRING_AGG(CAST(a AS VARCHAR(9)) + b, '|') WITHIN GROUP (ORDER BY a) FROM t), ' ',
			(SELECT COUNT(*) FROM audit), ' ', IDENT_CURRENT('audit'), ' ', (SELECT MAX(CAST(current_value AS BIGINT)) FROM sys.sequences), ' ',
			(SELECT COUNT(*) FROM sys.tables), ' ', (SELECT COUNT(*) FROM sys.sql_modules), ' ', (SELECT COUNT(*) FROM sys.databases WHERE name LIKE 'berth_pwn%'), ' ',
			(SELECT COUNT(*) FROM sys.server_principals WHERE name LIKE 'berth_pwn%'))`
		var text string
		require.NoError(t, s.owner.QueryRowContext(t.Context(), query).Scan(&text))
		return text
	}
}

func TestNothingGetsThroughToSQLServer(t *testing.T) {
	require.NotEmpty(t, corpus(t, "mssql.txt", "app"))
	needs.SQLServer(t) // TestNothingGetsPastTheGuardOfSQLServer needs no server
	s, fingerprint := mssqlGuarded(t)
	attempts := corpus(t, "mssql.txt", s.config.Address.Database)
	t.Run("as an ordinary user", func(t *testing.T) { nothingGetsThrough(t, s, attempts, fingerprint, s.ordinary(t)) })
	t.Run("as the owner and sysadmin", func(t *testing.T) { nothingGetsThrough(t, s, attempts, fingerprint) })
	t.Run("past the guard to the cursor", func(t *testing.T) {
		d, err := openMSSQL(s.config)
		require.NoError(t, err)
		defer d.close()
		before := fingerprint(t)
		for _, query := range attempts {
			if strings.Contains(query, "pg_") || strings.Contains(query, "set_config") || strings.Contains(strings.ToUpper(query), "SEQUENCE") ||
				strings.Contains(strings.ToUpper(query), "NEXT") || strings.Contains(query, "EXEC") || strings.Contains(query, "p1") {
				continue // a cursor takes one procedure too, and no rollback undoes a sequence
			}
			_ = d.(*mssqlDatabase).guarded(t.Context(), func(ms *mssqlSession) error { return ms.cursor(t.Context(), query, newResult(10, 1<<16)) })
			require.Equal(t, before, fingerprint(t), query)
		}
	})
	before := fingerprint(t)
	s.exec(t, "UPDATE t SET b = 'seen' WHERE a = 1")
	assert.NotEqual(t, before, fingerprint(t), "a change would have been seen")
}

func TestHarmlessQueriesAreAdmittedOnSQLServer(t *testing.T) {
	require.NotEmpty(t, corpus(t, "mssql_harmless.txt", "app"))
	needs.SQLServer(t) // TestNothingGetsPastTheGuardOfSQLServer needs no server
	s, fingerprint := mssqlGuarded(t)
	queries := corpus(t, "mssql_harmless.txt", s.config.Address.Database)
	c, before, lacking := s.connect(t, Options{}), fingerprint(t), []string{}
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

// FuzzMSSQLGuard holds that what is admitted is one SELECT, by the tokens,
// and that nothing panics.
func FuzzMSSQLGuard(f *testing.F) {
	for _, name := range []string{"mssql.txt", "mssql_harmless.txt"} {
		for _, query := range corpus(f, name, "app") {
			f.Add(query)
		}
	}
	words, catalog := newMSSQLWords(), newScriptCatalog(f)
	f.Fuzz(func(t *testing.T, query string) {
		m, r := parseMSSQL(query, words, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		require.Contains(t, query, m.text)
		first := sqltext.Token{}
		for _, token := range sqltext.Significant(splitTSQL(m.text)) {
			upper := strings.ToUpper(token.Name)
			require.False(t, token.Is(";") || token.Kind == sqltext.Illegal || token.Kind == sqltext.Word && words.other[upper], "one statement")
			if first.Text == "" && !token.Is("(") {
				first = token
			}
		}
		require.Contains(t, []string{"SELECT", "WITH"}, strings.ToUpper(first.Text))
		_ = (&reachMSSQL{ctx: t.Context(), catalog: catalog, words: words}).query(m.tokens) // never panics
	})
}
