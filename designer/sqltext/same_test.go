package sqltext

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestExpressionsThatDifferInSpellingOnly(t *testing.T) {
	postgres, mysql, sqlite := PostgreSQL(), MySQL(), SQLite()
	reserved := func(name string) bool { return name == "current_date" }
	for _, tt := range []struct {
		rules Rules
		a, b  string
		want  bool
	}{
		{postgres, `visits + 1`, `"visits" + 1`, true},
		{postgres, `visits + 1`, `((VISITS+1)) -- one`, true},
		{postgres, `visits + 1`, `"Visits" + 1`, false},
		{postgres, `(a + b) * (c)`, `a + b * c`, false},
		{postgres, `(a) + (b)`, `a) + (b`, false},
		{postgres, `a || 'x'`, `a || 'X'`, false},
		{postgres, `a || 'x'`, `a || x`, false},
		{postgres, `a + 1`, `a + 1 + 1`, false},
		{mysql, "visits + 1", "`visits` + 1", true},
		{mysql, "visits + 1", `"visits" + 1`, false},
		{postgres, ``, ``, true},
		{postgres, `current_date`, `"current_date"`, false},
		{postgres, `current_date`, `CURRENT_DATE`, true},
		{sqlite, `'x'`, `x`, false},
		{sqlite, `'x'`, `'X'`, false},
	} {
		assert.Equal(t, tt.want, tt.rules.Same(tt.a, tt.b, reserved), "%s | %s", tt.a, tt.b)
		assert.Equal(t, tt.want, tt.rules.Same(tt.b, tt.a, reserved), "%s | %s", tt.b, tt.a)
	}
}

func TestAnExpressionInNewNames(t *testing.T) {
	reserved := func(name string) bool { return name == "current_date" }
	newName := func(tokens []Token, i int) string {
		if tokens[i].Name == "day" {
			return "date"
		}
		return ""
	}
	for b, want := range map[string]bool{
		`"date" > current_date`: true, `(DATE > CURRENT_DATE)`: true,
		`day > current_date`: false, `date > "current_date"`: false, `'date' > current_date`: false,
	} {
		assert.Equal(t, want, PostgreSQL().SameRenamed(`day > current_date`, b, reserved, newName), b)
	}
}

func TestAnExpressionAsAServerStoresIt(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		a, b  string
		want  bool
	}{
		{PostgreSQL(), `a>0 AND b>0 -- both`, `((a > 0) AND (b > 0))`, true},
		{PostgreSQL(), `U&"\0061" > 0`, `U&"\0062" > 0`, false},
		{TSQL(), `a = N'x'`, `([a]=N'x')`, true},
		{TSQL(), `a = N'x'`, `([a]=N'X')`, false},
		{MySQL(), "`a` > 0", `a > 1`, false},
		{SQLite(), `(a)`, `a a`, false},
	} {
		assert.Equal(t, tt.want, tt.rules.SameButParens(tt.a, tt.b), "%s | %s", tt.a, tt.b)
		assert.Equal(t, tt.want, tt.rules.SameButParens(tt.b, tt.a), "%s | %s", tt.b, tt.a)
	}
}
