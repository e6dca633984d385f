package hardlink_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/hardlink"
)

func TestNamesOfAFileAreCounted(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	assert.EqualValues(t, 1, count(t, name))
	require.NoError(t, os.Link(name, filepath.Join(dir, "b")))
	assert.EqualValues(t, 2, count(t, name))
	require.NoError(t, os.Remove(name))
	assert.EqualValues(t, 1, count(t, filepath.Join(dir, "b")))
}

func count(t *testing.T, name string) uint64 {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	return hardlink.Count(f, info)
}
