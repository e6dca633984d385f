package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAFileInUTF16IsReadByItsMark(t *testing.T) {
	for raw, want := range map[string]string{
		"CREATE é":                              "CREATE é",
		"\ufeffCREATE":                          "CREATE",
		"\xff\xfeC\x00\xe9\x00\x3d\xd8\x00\xde": "Cé😀",
		"\xfe\xff\x00C\x00\xe9":                 "Cé",
		"\xff\xfeC":                             "",
		"":                                      "",
	} {
		assert.Equal(t, want, utf8Text([]byte(raw)), "%q", raw)
	}
}
