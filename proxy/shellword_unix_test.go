//go:build unix

package proxy_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy"
)

func TestAShellReadsAWordBack(t *testing.T) {
	for _, path := range []string{"/home/ann/app", "/my app", "/it's", `/a"b`, `/a\b`, "/$HOME/`x`", "/~*?[a]{b,c}", "/ä ☃;&|<>()#!"} {
		out, err := exec.Command("sh", "-c", "printf %s "+proxy.ShellWord(path)).Output()
		require.NoError(t, err, path)
		assert.Equal(t, path, string(out))
	}
	assert.Equal(t, "/home/ann/app", proxy.ShellWord("/home/ann/app"), "a plain path needs no quotes")
}
