package driver

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOnlyTheDeadsStatementsAreEnded(t *testing.T) {
	own := newStatementTag(os.Getpid())
	for info, want := range map[string]bool{
		own.comment() + "SELECT 1":                            false, // this process lives
		newStatementTag(1).comment() + "SELECT 1":             false, // so does that one
		newStatementTag(1<<30).comment() + "SELECT 1":         true,
		"SELECT '" + newStatementTag(1<<30).comment() + "'":   false,
		"/* berth 000000000000 1073741824 */ SELECT 1":        false, // of another machine
		"/* berth " + own.host + " 99999999999999999999 */ x": false,
		"": false,
	} {
		assert.Equal(t, want, own.orphaned(info), info)
	}
}
