package designer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

func TestAnErrorInAScriptShowsItsLineAndAnExactCaret(t *testing.T) {
	cause := errors.New("expected a name")
	for _, tt := range []struct {
		name, text    string
		pos           int
		says, excerpt string
	}{
		{"the first line", "CREATE TABLE (", 13, "line 1, column 14: expected a name", "CREATE TABLE (\n             ^"},
		{"a later one, which ends in CR LF", "a\r\n  bé c\r\nd", 3 + 6, "line 2, column 6: expected a name", "  bé c\n     ^"},
		{"tabs are one column wide", "\t\tx y", 4, "line 1, column 5: expected a name", "  x y\n    ^"},
		{"the end", "a\nbc", 4, "line 2, column 3: expected a name", "bc\n  ^"},
		{"an offset beyond the end", "ab", 9, "line 1, column 3: expected a name", "ab\n  ^"},
		{"a blank line has no excerpt", "a\n\nb", 2, "line 2, column 1: expected a name", ""},
		{"what hides is not shown", "a\x1b[31m b", 7, "line 1, column 8: expected a name", "a�[31m b\n       ^"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := designer.ErrorAt(tt.text, tt.pos, cause)
			assert.Equal(t, tt.says, err.Error())
			assert.Equal(t, tt.excerpt, err.Excerpt())
			assert.ErrorIs(t, err, cause)
		})
	}
	long := strings.Repeat("x", 300) + "!" + strings.Repeat("y", 300)
	line, caret, _ := strings.Cut(designer.ErrorAt(long, 300, cause).Excerpt(), "\n")
	assert.Len(t, []rune(line), 101, "a long line is cut at both ends")
	assert.Equal(t, '!', []rune(line)[len(caret)-1])
	assert.Equal(t, "line 2: expected a name", designer.ErrorOnLine("a\nb", 2, cause).Error())
	assert.Equal(t, "b", designer.ErrorOnLine("a\nb", 2, cause).Excerpt())
	assert.Equal(t, "expected a name", (&designer.ScriptError{Err: cause}).Error())
}
