//go:build unix

package settings_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyRegularFilesAreRead(t *testing.T) {
	tests := map[string]func(file string) error{
		"a pipe":      func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a directory": func(file string) error { return os.Mkdir(file, 0o755) },
		"a device":    func(file string) error { return os.Symlink("/dev/zero", file) },
	}
	for name, create := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, nil)
			file := filepath.Join(p.root, ".berth", "config.yaml")
			require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
			require.NoError(t, create(file))
			_, err := p.load()
			require.ErrorContains(t, err, file+": is not a regular file")
		})
	}
}

func TestAFileInPlaceOfTheSettingsDirectoryIsNoError(t *testing.T) {
	p := newPlace(t, map[string]string{"up/root/.berth": "not a directory"})
	_, err := p.load()
	require.NoError(t, err)
}

// Only root can give a file away, so for anyone else TestOwnership has to do.
func TestFilesAboveTheProjectOfAnotherUserAreLeftOut(t *testing.T) {
	p := newPlace(t, map[string]string{
		workspace:                   "enableMcpServer: false\n",
		"up/foreign.code-workspace": `{"settings": {"Devdb.enableMcpServer": false}}`,
		own:                         "idleTimeout: 1m\n",
	})
	for _, name := range []string{workspace, "up/foreign.code-workspace", own} {
		if err := os.Chown(filepath.Join(p.dir, name), 12345, 12345); os.Geteuid() != 0 {
			require.Error(t, err)
			return
		}
	}
	s, err := p.load()
	require.NoError(t, err)
	assert.True(t, s.EnableMCPServer)
	assert.Len(t, s.Notes, 2)
	assert.NotZero(t, s.IdleTimeout, "the project's own file is read whoever owns it")
}
