package enginetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestANameWithAQuoteIsFoundWhereItIsQuoted(t *testing.T) {
	for name, text := range map[string]string{
		`quo"te9`:   `SELECT 1 FROM public."quo""te9"`,
		"back`tick": "SELECT 1 FROM `back``tick`",
		"a]b":       "SELECT 1 FROM [a]]b]",
		`""`:        `SELECT 1 FROM """"""`,
		"plain":     "SELECT 1 FROM plain",
	} {
		assert.True(t, mentionsAny(text, []string{name}), text)
	}
	assert.False(t, mentionsAny("SELECT 1 FROM plains", []string{"plain"}))
}
