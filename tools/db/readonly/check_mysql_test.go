package readonly

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/stretchr/testify/require"
)

// FuzzMySQLGuard holds that what is admitted is one statement of a kind that
// reads, by the tokens, and that nothing panics.
func FuzzMySQLGuard(f *testing.F) {
	for _, name := range []string{"mysql.txt", "mysql_harmless.txt"} {
		for _, query := range dbtest.Corpus(f, "testdata/"+name, "app") {
			f.Add(query)
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		m, r := ParseMySQL(query, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		require.Contains(t, query, m.Text)
		first := sqltext.Token{}
		for _, token := range sqltext.Significant(MySQLTokens(m.Text)) {
			require.False(t, token.Is(";") || token.Kind == sqltext.Illegal || token.Kind == sqltext.Program, "one statement")
			if first.Text == "" && !token.Is("(") {
				first = token
			}
		}
		require.Contains(t, []string{"SELECT", "VALUES", "TABLE", "WITH", "EXPLAIN", "DESCRIBE", "DESC", "SHOW"}, strings.ToUpper(first.Text))
	})
}
