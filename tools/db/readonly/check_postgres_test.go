package readonly

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/stretchr/testify/require"
)

// FuzzPostgresGuard holds that what is admitted is one statement of a kind
// that reads, by the tokens, and that nothing panics.
func FuzzPostgresGuard(f *testing.F) {
	for _, name := range []string{"postgres.txt", "postgres_harmless.txt"} {
		for _, query := range dbtest.Corpus(f, "testdata/"+name, "app") {
			f.Add(query)
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		p, r := ParsePostgres(query, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		require.Contains(t, query, p.Text)
		require.Contains(t, p.Text, p.Inner)
		first := sqltext.Token{}
		for _, token := range sqltext.Significant(PostgresTokens(p.Text)) {
			require.False(t, token.Is(";") || token.Kind == sqltext.Illegal, "one statement")
			if first.Text == "" && !token.Is("(") {
				first = token
			}
		}
		require.Contains(t, []string{"SELECT", "VALUES", "TABLE", "WITH", "EXPLAIN", "SHOW"}, strings.ToUpper(first.Text))
	})
}
