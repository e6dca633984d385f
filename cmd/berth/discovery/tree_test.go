package discovery

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAWalkThatWasCutSaysSo(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, name), 0o700))
	}
	dir, err := os.OpenRoot(root)
	require.NoError(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	s := newSearch(dir)
	s.walk(t.Context())
	assert.Empty(t, s.notes)
	s.entries = 3
	s.walk(t.Context())
	assert.Equal(t, []string{"The search for files that name databases stopped after 3 files and folders, so there may be more: name a database that is missing in .berth/config.yaml"}, s.notes)
}
