package readonly

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Values beside a query open nothing: what is refused without them is refused
// with them, and the placeholders are as many as there are values.
func TestABoundQueryIsJudgedAsAnyOther(t *testing.T) {
	for _, d := range []struct {
		name, one, two string // placeholders
		check          func(query string, values int) *Refusal
		writes         []string
	}{
		{"sqlite", "?", "?", CheckBoundSQLite, []string{"DELETE FROM t WHERE a = ?", "PRAGMA user_version = ?", "SELECT load_extension(?)"}},
		{"postgres", "$1", "$2", func(q string, n int) *Refusal { _, r := ParseBoundPostgres(q, n); return r },
			[]string{"DELETE FROM t WHERE a = $1", "SELECT a INTO u FROM t WHERE a = $1", "SELECT a FROM t WHERE a = $1 FOR UPDATE", "EXPLAIN ANALYZE SELECT $1"}},
		{"mysql", "?", "?", func(q string, n int) *Refusal { _, r := ParseBoundMySQL(q, n); return r },
			[]string{"DELETE FROM t WHERE a = ?", "SELECT a FROM t WHERE a = ? INTO @x", "SELECT a FROM t WHERE a = ? FOR UPDATE", "SELECT @x := ?"}},
		{"mssql", "@p1", "@p2", func(q string, n int) *Refusal { _, r := ParseBoundMSSQL(q, NewMSSQLWords(), n); return r },
			[]string{"DELETE FROM t WHERE a = @p1", "SELECT a INTO u FROM t WHERE a = @p1", "SELECT a FROM t WITH (UPDLOCK) WHERE a = @p1", "SELECT @p1 += a FROM t"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			one, two := "SELECT a FROM t WHERE a = "+d.one, "SELECT a FROM t WHERE a = "+d.one+" AND b < "+d.two
			assert.Nil(t, d.check(one, 1))
			assert.Nil(t, d.check(two, 2))
			for n, query := range map[int]string{0: one, 1: two, 2: one, 3: two} {
				assert.NotNil(t, d.check(query, n), "%d values for %s", n, query)
			}
			for _, other := range []string{"$9", ":a", "@a", "$2"} {
				assert.NotNil(t, d.check("SELECT a FROM t WHERE a = "+other, 1), other)
			}
			assert.NotNil(t, d.check(one+"; "+one, 2), "two statements")
			for _, query := range d.writes {
				assert.NotNil(t, d.check(query, 1), query)
			}
		})
	}
}
