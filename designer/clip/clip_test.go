package clip_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer/clip"
)

func TestTextIsCutBetweenCharactersAndMarked(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"äöü", 6, "äöü"},
		{"äöü", 5, "äö…"},
		{"äöü", 1, "…"},
		{"🚢x", 3, "…"},
		{"abc", -1, "…"},
		{"a\xff\xfe\xfd", 2, "a\xff…"},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80…"}, // no character starts anywhere: keep what fits
	} {
		assert.Equal(t, tt.want, clip.Text(tt.text, tt.limit), "%q at %d", tt.text, tt.limit)
	}
}

func FuzzPrefixIsAPrefixThatEndsWithACharacter(f *testing.F) {
	f.Add("äö🚢", 3)
	f.Add("\x80\x80", 1)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := clip.Prefix(s, limit)
		assert.LessOrEqual(t, len(got), max(limit, 0))
		assert.Equal(t, s[:len(got)], got)
		if utf8.ValidString(s) {
			assert.True(t, utf8.ValidString(got))
			if limit < len(s) && limit >= 0 {
				assert.Less(t, limit-len(got), utf8.UTFMax, "no more is cut than the character at the limit")
			}
		}
	})
}
