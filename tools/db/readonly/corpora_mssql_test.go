package readonly_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// writtenCatalogue answers for the database that mssql.sql would make, and
// for what only SQL Server has, without a server. It holds that what it is
// asked is a fixed text, and keeps those.
type writtenCatalogue struct {
	objects map[string][]string // name, type, definition by name in lower case
	asked   map[string]bool
	rounds  int
}

var createsMSSQL = regexp.MustCompile(`^CREATE (VIEW|FUNCTION) (?:dbo\.)?(\w+)`)

func newWrittenCatalogue(t testing.TB) *writtenCatalogue {
	t.Helper()
	c := &writtenCatalogue{asked: map[string]bool{}, objects: map[string][]string{
		"clr":        {"clr", "FS", ""},
		"hidden":     {"hidden", "FN", ""},
		"syn_linked": {"syn_linked", "SN", "[srv].[d].[dbo].[t]"},
		"syn":        {"syn", "SN", "[dbo].[t]"},
		"computed":   {"computed", "computed", "([dbo].[shells]())"},
		"filtered":   {"filtered", "predicate", "([dbo].[shells]())"},
		"elsewhere":  {"elsewhere", "external", ""},
	}}
	for _, batch := range strings.Split(readFile(t, "mssql.sql"), ";;\n") {
		if m := createsMSSQL.FindStringSubmatch(batch); m != nil {
			c.objects[m[2]] = []string{m[2], map[string]string{"VIEW": "V", "FUNCTION": "FN"}[m[1]], batch}
		}
	}
	return c
}

// Ask implements [readonly.Catalog].
func (c *writtenCatalogue) Ask(_ context.Context, questions ...readonly.CatalogQuery) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	c.rounds++
	for i, q := range questions {
		c.asked[q.SQL] = true
		switch {
		case strings.Contains(q.SQL, "FROM sys.databases"):
			for name, own := range map[string]string{"other": "", "master": "", "app": "own"} { // not "unseen"
				if slices.Contains(q.Args, name) {
					answers[i] = append(answers[i], []string{name, own})
				}
			}
		case strings.Contains(q.SQL, "FROM sys.objects"):
			for name, o := range c.objects {
				if slices.Contains(q.Args, name) {
					answers[i] = append(answers[i], o)
				}
			}
		case len(q.Args) == 0:
			answers[i] = [][]string{{"1", "1"}} // it has what came with later versions
		default:
			return nil, errors.New("nobody knows what this asks: " + q.SQL)
		}
	}
	return answers, nil
}

// TestTheCorpusOfSQLServer judges as everything does that happens to a query
// before a server runs it.
func TestTheCorpusOfSQLServer(t *testing.T) {
	c, words, memory := newWrittenCatalogue(t), readonly.NewMSSQLWords(), &readonly.MSSQLCache{}
	judge := func(query string) error {
		m, r := readonly.ParseMSSQL(query, words, false)
		if r != nil {
			return r
		}
		return readonly.NewMSSQLReach(c, words, memory).Query(t.Context(), m)
	}
	ask := func(statement string) tools.Reply {
		if err := judge(statement); err != nil {
			return tools.Reply{Content: []string{err.Error()}, IsError: true}
		}
		return tools.Reply{Content: []string{"admitted"}}
	}
	nothing := server{state: func(testing.TB) map[string]string { return map[string]string{} }}
	nothingIsWrong(t, nothing, asker{login: "user", ask: ask}, readCorpus(t, "mssql.txt", "{db}", "app"))
	assert.LessOrEqual(t, len(c.asked), 16, "the questions are a few fixed texts")

	before := c.rounds
	require.NoError(t, judge("SELECT * FROM v JOIN t ON t.a = v.a WHERE v.a IN (SELECT a FROM dbo.rows_of(1)) AND other.a = 1"))
	assert.LessOrEqual(t, c.rounds-before, 3, "a round for each level, and none more")
}

// TestTheCorpusOfSQLServerLive runs the corpus on a server. What a server's
// version does not have, or the database, is its own to say.
func TestTheCorpusOfSQLServerLive(t *testing.T) {
	statements := readCorpus(t, "mssql.txt", "{db}", "app")
	needs.SQLServer(t) // TestTheCorpusOfSQLServer needs no server
	served := dbtest.MSSQL(t, readFile(t, "mssql.sql"))
	const state = `SELECT CONCAT((SELECT STRING_AGG(CAST(a AS VARCHAR(9)) + b, '|') WITHIN GROUP (ORDER BY a) FROM t), ' ',
(SELECT COUNT(*) FROM audit), ' ', IDENT_CURRENT('audit'), ' ', (SELECT MAX(CAST(current_value AS BIGINT)) FROM sys.sequences), ' ',
(SELECT COUNT(*) FROM sys.objects), ' ', (SELECT COUNT(*) FROM sys.databases WHERE name LIKE 'berth_pwn%'), ' ',
(SELECT COUNT(*) FROM sys.server_principals WHERE name LIKE 'berth_pwn%'))`
	s := server{state: func(t testing.TB) map[string]string {
		var text string
		require.NoError(t, served.Owner.QueryRowContext(t.Context(), state).Scan(&text))
		return map[string]string{"database": text}
	}}
	ask := through(t, t.TempDir(), pool.Config{Name: "app", Dialect: "mssql", Address: served.Address})
	for _, problem := range run(t, s, asker{login: "user", ask: ask}, statements) {
		if strings.Contains(problem, " changed ") || strings.Contains(problem, "is not answered: refused (") {
			t.Error(problem)
		}
	}
}
