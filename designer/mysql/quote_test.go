package mysql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func FuzzAStringIsReadAsItWasWritten(f *testing.F) {
	for _, seed := range []string{"", "it's", `a\b`, "\x00", `\`, "'", "é\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		quoted := quoteString(value)
		tokens := scan(quoted)
		require.Len(t, tokens, 1)
		got, ok := unquote(tokens[0].Text)
		require.True(t, ok)
		assert.Equal(t, value, got)
		name := quoteName(value)
		if tokens := scan(name); value != "" && !strings.Contains(value, "\x00") && assert.Len(t, tokens, 1) {
			assert.Equal(t, value, tokens[0].Name)
		}
	})
}
