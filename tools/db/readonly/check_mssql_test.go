package readonly

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scriptCatalog answers for the database that mssql.sql would make, without a
// server.
type scriptCatalog map[string]mssqlObject

var createdMSSQL = regexp.MustCompile(`^CREATE (VIEW|FUNCTION) (?:dbo\.)?(\w+)`)

func newScriptCatalog(t testing.TB) scriptCatalog {
	c := scriptCatalog{}
	for _, batch := range strings.Split(dbtest.Script(t, "testdata/mssql.sql"), ";;\n") {
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

// Ask implements [Catalog].
func (c scriptCatalog) Ask(_ context.Context, questions ...CatalogQuery) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	for i, q := range questions {
		named := func(name string) bool { return slices.Contains(q.Args, strings.ToLower(name)) }
		switch {
		case strings.Contains(q.SQL, "FROM sys.databases"):
			for name, own := range map[string]string{"other": "", "master": "", "app": "own"} { // not "unseen"
				if named(name) {
					answers[i] = append(answers[i], []string{name, own})
				}
			}
		case strings.Contains(q.SQL, "FROM sys.objects"):
			for name, o := range c {
				if named(name) {
					answers[i] = append(answers[i], []string{o.name, o.kind, o.text})
				}
			}
		default:
			answers[i] = [][]string{{"", ""}} // neither security policies nor external tables
		}
	}
	return answers, nil
}

// judgeMSSQL is everything that happens to a query before a server runs it.
func judgeMSSQL(t testing.TB, c Catalog, query string) error {
	m, r := ParseMSSQL(query, NewMSSQLWords(), false)
	if r != nil {
		return r
	}
	return NewMSSQLReach(c, NewMSSQLWords(), nil).Query(t.Context(), m)
}

func TestNothingGetsPastTheGuardOfSQLServer(t *testing.T) {
	c := newScriptCatalog(t)
	attempts := dbtest.Corpus(t, "testdata/mssql.txt", "app")
	require.GreaterOrEqual(t, len(attempts), 100)
	for _, query := range attempts {
		var refusal *Refusal
		assert.ErrorAs(t, judgeMSSQL(t, c, query), &refusal, query)
	}
	for _, query := range dbtest.Corpus(t, "testdata/mssql_harmless.txt", "app") {
		assert.NoError(t, judgeMSSQL(t, c, query), query)
	}
}

// They stand here and not in mssql_harmless.txt because Babelfish, on which that
// runs too, knows no method of xml.
func TestTheMethodOfAColumnWithItsSchemaAndTableIsNoServer(t *testing.T) {
	c := newScriptCatalog(t)
	for _, query := range []string{
		"SELECT dbo.docs.x.value('(/a)[1]', 'int') AS i FROM dbo.docs",
		"SELECT app.dbo.docs.i, [dbo].[Docs].[x].query('/a') AS q FROM app.dbo.docs WHERE dbo.docs.x.exist('/a') = 1 ORDER BY dbo.docs.x.value('(/a)[1]', 'int')",
		"SELECT dbo.places.at.STAsText() FROM t JOIN dbo.places ON dbo.places.i = t.a",
	} {
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
		"SELECT * FROM srv.d.dbo.t":  "refused (other server): srv.d.dbo.t: a name of four parts leads to another server, where what is read cannot be checked",
		"SELECT * FROM other..t":     `refused (other database): "other" is another database, where what is read cannot be checked; ask through a connection to it`,
		"SELECT a FROM t FOR UPDATE": `refused (one statement): "FOR" at byte 16 does not stand where a SELECT has it; it may begin another statement`,
	} {
		assert.EqualError(t, judgeMSSQL(t, c, query), want)
	}
	m, r := ParseMSSQL("WITH c AS (SELECT 1 AS a) SELECT a FROM c FOR JSON PATH -- x", NewMSSQLWords(), false)
	require.Nil(t, r)
	assert.Equal(t, "WITH c AS (SELECT 1 AS a) SELECT (\nSELECT a FROM c FOR JSON PATH\n) AS [result]", m.Value)
}

func TestWhatOnlySQLServerHasIsJudged(t *testing.T) {
	for what, o := range map[string]mssqlObject{
		"an unseen database": {"t", "SN", "[unseen].[dbo].[t]"},
		"a view of one":      {"t", "V", "CREATE VIEW t AS SELECT b.a FROM dbo.b, unseen.dbo.t"},
		"a view's point":     {"t", "V", "CREATE VIEW t AS SELECT a FROM .other.dbo.t"},
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

// quotedNames is a query with n quoted names in one list, each spelled like a
// hint.
func quotedNames(n int) string {
	return "SELECT CONCAT(a" + strings.Repeat(", [XLOCK]", n) + ") FROM t"
}

func TestQuotedHintsAreFoundByTheListTheyStandIn(t *testing.T) {
	for _, query := range []string{"SELECT (1, (2), [XLOCK]) ) , [XLOCK] , ( [XLOCK] )", ") ) ( ( ) [XLOCK] )", "", quotedNames(3)} {
		tokens := sqltext.Significant(TSQLTokens(query))
		for i, opened := range lists(tokens) {
			depth, want := 1, i
			for depth > 0 && want >= 0 {
				if want--; want >= 0 && tokens[want].Is(")") {
					depth++
				} else if want >= 0 && tokens[want].Is("(") {
					depth--
				}
			}
			assert.Equal(t, want, opened, "token %d of %s", i, query)
		}
	}
	_, r := ParseMSSQL(quotedNames(20), NewMSSQLWords(), false)
	assert.Nil(t, r)
}

// BenchmarkMSSQLQuotedNames has to take ten times as long for ten times as many.
func BenchmarkMSSQLQuotedNames(b *testing.B) {
	words := NewMSSQLWords()
	for _, n := range []int{500, 5000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			query := quotedNames(n)
			for b.Loop() {
				_, r := ParseMSSQL(query, words, false)
				require.Nil(b, r)
			}
		})
	}
}

// FuzzMSSQLGuard holds that what is admitted is one SELECT, by the tokens,
// and that nothing panics.
func FuzzMSSQLGuard(f *testing.F) {
	for _, name := range []string{"mssql.txt", "mssql_harmless.txt"} {
		for _, query := range dbtest.Corpus(f, "testdata/"+name, "app") {
			f.Add(query)
		}
	}
	words, catalog := NewMSSQLWords(), newScriptCatalog(f)
	f.Fuzz(func(t *testing.T, query string) {
		m, r := ParseMSSQL(query, words, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		require.Contains(t, query, m.Text)
		first := sqltext.Token{}
		for _, token := range sqltext.Significant(TSQLTokens(m.Text)) {
			upper := strings.ToUpper(token.Name)
			require.False(t, token.Is(";") || token.Kind == sqltext.Illegal || token.Kind == sqltext.Word && words.other[upper], "one statement")
			if first.Text == "" && !token.Is("(") {
				first = token
			}
		}
		require.Contains(t, []string{"SELECT", "WITH"}, strings.ToUpper(first.Text))
		_ = NewMSSQLReach(catalog, words, nil).Query(t.Context(), m) // never panics
	})
}
