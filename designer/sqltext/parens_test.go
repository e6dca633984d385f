package sqltext

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Which parentheses say nothing: those around a whole operand of AND, OR and
// NOT whose content binds closer, around a whole expression, and twice the
// same. All others stay, right or wrong.
func TestParenthesesThatSayNothing(t *testing.T) {
	postgres, mysql, tsql, sqlite := PostgreSQL(), MySQL(), TSQL(), SQLite()
	for _, tt := range []struct {
		rules Rules
		a, b  string
		want  bool
	}{
		{postgres, `((a > 0) AND (b > 0))`, `(a > 0 AND b > 0)`, true},
		{postgres, `a > 0 AND b > 0`, `(a > 0) AND b > 0`, true},
		{postgres, `a OR (b AND c)`, `a OR b AND c`, true},
		{postgres, `(a AND b) OR (c AND d)`, `a AND b OR c AND d`, true},
		{postgres, `NOT (a = b)`, `NOT a = b`, true},
		{postgres, `(NOT a) AND b`, `NOT a AND b`, true},
		{postgres, `a OR (NOT (b IS NULL))`, `a OR NOT b IS NULL`, true},
		{postgres, `(a BETWEEN 1 AND 9) AND (b > 0)`, `a BETWEEN 1 AND 9 AND b > 0`, true},
		{postgres, `((a = 1)) OR b`, `a = 1 OR b`, true},
		{postgres, `((a OR b)) AND c`, `(a OR b) AND c`, true},
		{postgres, `f(a AND (b = 1))`, `f(a AND b = 1)`, true},
		{postgres, `(a OR (b = 1)) IS TRUE`, `(a OR b = 1) IS TRUE`, true},
		{postgres, `(a + 1) > 0 AND (f(b, c))`, `(a + 1) > 0 AND f(b, c)`, true},
		{postgres, `(a IN (1, 2)) OR (b)`, `a IN (1, 2) OR b`, true},
		{postgres, `x AND (CASE WHEN a OR b THEN c END)`, `x AND CASE WHEN a OR b THEN c END`, true},
		{postgres, `x AND (a IS NOT NULL)`, `x AND a IS NOT NULL`, true},
		{postgres, `(t.a = 1) and (b ~ '^x')`, `t.a = 1 AND b ~ '^x'`, true},
		{mysql, "(`a` > 0) AND (b > 0)", "a > 0 AND `b` > 0", true},
		{mysql, `a OR (NOT b = c)`, `a OR NOT b = c`, true},
		{postgres, `x OR (a IS DISTINCT FROM b)`, `(x OR a IS DISTINCT FROM b)`, true},
		{mysql, `(a || b)`, `a || b`, true},
		{mysql, `(a = 1 AND b) OR c`, `a = 1 AND b OR c`, true},
		{tsql, `([a]>(0) AND [b]>(0))`, `([a]>(0)) AND ([b]>(0))`, true},
		{tsql, `(NOT ([a]=[b]))`, `NOT [a]=[b]`, true},
		{sqlite, `(a == 1) OR (b || c)`, `a == 1 OR b || c`, true},
		{sqlite, `NOT (a NOTNULL) AND b`, `NOT a NOTNULL AND b`, true},

		{postgres, `a AND (b OR c)`, `a AND b OR c`, false},
		{postgres, `(a OR b) AND c`, `a OR b AND c`, false},
		{postgres, `NOT (a AND b)`, `NOT a AND b`, false},
		{postgres, `NOT (a BETWEEN 1 AND 2)`, `NOT a BETWEEN 1 AND 2`, false},
		{postgres, `a AND (b AND c)`, `a AND b AND c`, false},
		{postgres, `(a OR b) OR c`, `a OR b OR c`, false},
		{postgres, `a - (b - c)`, `a - b - c`, false},
		{postgres, `(a = b) = c`, `a = b = c`, false},
		{postgres, `a = (b = c)`, `a = b = c`, false},
		{postgres, `x BETWEEN 1 AND (y = z)`, `x BETWEEN 1 AND y = z`, false},
		{postgres, `(NOT a) = b`, `NOT a = b`, false},
		{postgres, `(NOT a) IS NULL`, `NOT a IS NULL`, false},
		{postgres, `(a OR b) IS TRUE`, `a OR b IS TRUE`, false},
		{postgres, `(a AND b)::text`, `a AND b::text`, false},
		{postgres, `x AND (a)::boolean`, `x AND a::boolean`, false},
		{postgres, `x AND (a).b`, `x AND a.b`, false},
		{postgres, `x AND (a)[1]`, `x AND a[1]`, false},
		{postgres, `f((a, b))`, `f(a, b)`, false},
		{postgres, `f((a))`, `f(a)`, false},
		{postgres, `x AND (a, b)`, `x AND a, b`, false},
		{postgres, `(a, b)`, `a, b`, false},
		{postgres, `a IN ((1))`, `a IN (1)`, false},
		{postgres, `a = ANY ((SELECT b))`, `a = ANY (SELECT b)`, false},
		{postgres, `x AND (SELECT b)`, `x AND SELECT b`, false},
		{postgres, `x AND ((SELECT b))`, `x AND (SELECT b)`, false},
		{postgres, `x AND ((SELECT a) UNION (SELECT b))`, `x AND (SELECT a) UNION (SELECT b)`, false},
		{postgres, `(SELECT a)`, `SELECT a`, false},
		{postgres, `ARRAY[(a), b]`, `ARRAY[a, b]`, false},
		{postgres, `CAST((a) AS text)`, `CAST(a AS text)`, false},
		{postgres, `CASE WHEN (a) THEN b END`, `CASE WHEN a THEN b END`, false},
		{postgres, `NOT (CASE WHEN a THEN b)`, `NOT CASE WHEN a THEN b`, false},
		{postgres, `x AND (a`, `x AND a`, false},
		{postgres, `s.and(a)`, `s.and a`, false},
		{mysql, `NOT (a = b)`, `NOT a = b`, false}, // HIGH_NOT_PRECEDENCE
		{mysql, `a AND (b XOR c)`, `a AND b XOR c`, false},
		{mysql, `a AND (b || c)`, `a AND b || c`, false},
		{mysql, `a OR (@b := 1)`, `a OR @b := 1`, false},
		{mysql, `a AND (b && c)`, `a AND b && c`, false},
		{mysql, `a AND /*!1 b OR */ (c = 1)`, `a AND /*!1 b OR */ c = 1`, false},
		{sqlite, `x IS NOT (a = b)`, `x IS NOT a = b`, false},
		{sqlite, `(a AND b) COLLATE nocase`, `a AND b COLLATE nocase`, false},
	} {
		reserved := func(string) bool { return false }
		assert.Equal(t, tt.want, tt.rules.Same(tt.a, tt.b, reserved), "%s | %s", tt.a, tt.b)
		assert.Equal(t, tt.want, tt.rules.Same(tt.b, tt.a, reserved), "%s | %s", tt.b, tt.a)
	}
}

// Whatever the text is, it is the same as itself, and in parentheses unless a
// query, a list or broken.
func FuzzWithoutSpare(f *testing.F) {
	for _, seed := range []string{"", "((a > 0) AND (b > 0))", "NOT ((a))", "f((a), [b])", "a) OR (b", "CASE WHEN (a) THEN b END", "x BETWEEN (1) AND ((2))"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		none := func(string) bool { return false }
		for _, r := range []Rules{PostgreSQL(), MySQL(), TSQL(), SQLite()} {
			tokens := r.Significant(text)
			kept := r.withoutSpare(tokens)
			depth, less := 0, 0
			for i, at := range kept {
				assert.True(t, i == 0 || at > kept[i-1])
				if tokens[at].Is("(") {
					depth++
				}
			}
			for _, token := range tokens {
				if token.Is("(") {
					less++
				}
			}
			assert.Equal(t, len(tokens)-len(kept), 2*(less-depth), "pairs are left out, and nothing else")
			assert.True(t, r.Same(text, text, none))
		}
	})
}
