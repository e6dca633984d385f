package designer

import (
	"encoding/json"
	"testing"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The expressions of edits end up in the statements of a publish. What one
// server takes for a string or a comment is code to another, so text is
// refused wherever servers disagree on where it ends.
func TestAnExpressionCannotReachBeyondItself(t *testing.T) {
	backslash := serverDialect()
	backslash.SQL = sqltext.MySQL()
	for _, tt := range []struct {
		rule    string
		dialect *Dialect
		text    string
		message string
	}{
		{"it holds one statement", serverDialect(), `1; DROP TABLE Orders`,
			"expression of the check holds a semicolon: give one expression"},
		{"it closes only what it opened", serverDialect(), `1) OR (1`,
			"expression of the check has unbalanced parentheses"},
		{"a line comment would swallow what follows", serverDialect(), "Total > 0 -- always\n",
			"expression of the check holds a comment: leave it out"},
		{"comments nest on some servers", serverDialect(), `Total > 0 /* /* */ ' */ ); DROP TABLE Orders --'`,
			"expression of the check holds a comment: leave it out"},
		{"a comment is run on some servers", backslash, "Total > 0 /*! ); DROP TABLE Orders */",
			"expression of the check holds a comment: leave it out"},
		{"a number sign starts a comment where the dialect says so", backslash, "Total > 0 # '\n ); DROP TABLE Orders # '",
			"expression of the check holds a comment: leave it out"},
		{"a number sign after a name does too", backslash, "Total#'\n ); DROP TABLE Orders # '",
			"expression of the check holds a comment: leave it out"},
		{"dollars quote a string on some servers", openDialect(), `Note <> $$' $$); DROP TABLE Orders --'`,
			"expression of the check holds a string in dollars: put it in single quotes"},
		{"dollars with a tag do too", openDialect(), `Note <> $a_1$' $a_1$); DROP TABLE Orders --'`,
			"expression of the check holds a string in dollars: put it in single quotes"},
		{"dollars quote nothing on others", serverDialect(), `Note <> $$); DROP TABLE Orders $$`,
			"expression of the check holds a string in dollars: put it in single quotes"},
		{"a prefix brings backslash escapes on some servers", openDialect(), `Note <> E'a\'' ); DROP TABLE Orders --'`,
			"expression of the check holds a string with backslash escapes: write it without"},
		{"backslashes escape where the dialect says so", backslash, `Note <> 'a\'' ); DROP TABLE Orders --'`,
			"expression of the check has unbalanced parentheses"},
		{"a string must end", serverDialect(), `Note <> 'a`,
			"expression of the check has a string, name or comment that does not end: close it"},
		{"it must be text", serverDialect(), "Total > 0\x00",
			"expression of the check holds bytes that are no text"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := shop(t, tt.dialect)
			_, err := s.Apply(Edit{Op: AddCheck, Table: TableRef{Name: "Orders"}, Check: CheckSpec{Expression: &tt.text}})
			require.NotNil(t, err, "the expression was accepted")
			assert.Equal(t, tt.message, err.Message)
			assert.Equal(t, ValidationError, err.Reason)
		})
	}
}

func TestAnOrdinaryExpressionIsAccepted(t *testing.T) {
	for _, text := range []string{
		`Total >= 0`, `Note <> N'it''s; -- fine /* here */ $$'`, `[Total] > $5`, `(Total + 1) * 2 > (SELECT 1)`,
		`Note LIKE 'C:\'`, `"Note" = '#'`, `Total#1 > 0`, `Total - -1 > 0`,
	} {
		t.Run(text, func(t *testing.T) {
			raw, err := json.Marshal(text)
			require.NoError(t, err)
			apply(t, shop(t, serverDialect()), `[{"op":"add_check","table":{"name":"Orders"},"check":{"expression":`+string(raw)+`}}]`)
		})
	}
}
