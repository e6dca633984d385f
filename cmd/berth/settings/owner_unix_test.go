//go:build unix

package settings

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// owned is a file of a user.
type owned struct {
	fs.FileInfo
	sys any
}

func (o owned) Sys() any { return o.sys }

func TestOwnership(t *testing.T) {
	me := uint32(os.Geteuid())
	tests := map[string]struct {
		sys  any
		want bool
	}{
		"this user's":             {&syscall.Stat_t{Uid: me}, true},
		"the administrator's":     {&syscall.Stat_t{Uid: 0}, true},
		"another user's":          {&syscall.Stat_t{Uid: me + 12345}, false},
		"whose is not told is no": {nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, ownedByUs(owned{sys: tt.sys})) })
	}
}
