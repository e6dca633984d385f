package clip

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestNamesInMessagesAreShortAndPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"Orders":                 "Orders",
		"a\nb\x7f\x00":           "a\uFFFDb\uFFFD\uFFFD",
		strings.Repeat("x", 64):  strings.Repeat("x", 64),
		strings.Repeat("ü", 65):  strings.Repeat("ü", 64) + "…",
		"bad \xff\xfe" + " utf8": "bad \uFFFD\uFFFD utf8",
	} {
		assert.Equal(t, want, Name(in))
		assert.Equal(t, "'"+want+"'", Quote(in))
		assert.True(t, utf8.ValidString(Name(in)))
	}
}
