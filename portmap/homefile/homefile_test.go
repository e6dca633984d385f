package homefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap/homefile"
)

func TestAFileIsReadWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	text, err := homefile.Read(path, 5)
	require.NoError(t, err)
	assert.Equal(t, "12345", string(text))
	_, err = homefile.Read(path, 4)
	require.ErrorIs(t, err, homefile.ErrTooLarge)
	assert.ErrorContains(t, err, path)
}

func TestAFileThatIsMissingIsNoFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	_, err := homefile.Read(path, 1)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, homefile.Check(path))
	note, err := homefile.Secure(path)
	require.NoError(t, err)
	assert.Empty(t, note)
	note, err = homefile.SecureFile(path)
	require.NoError(t, err)
	assert.Empty(t, note)
}

func TestADirectoryIsNoFileAndAFileNoDirectory(t *testing.T) {
	dir := t.TempDir()
	_, err := homefile.Read(dir, 1)
	require.ErrorIs(t, err, homefile.ErrNotRegular)
	require.ErrorContains(t, err, dir+" is a directory and not a regular file: move it away")
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = homefile.Secure(file)
	require.ErrorContains(t, err, "is a file and not a directory")
}

func TestALinkThatLeadsNowhereIsNamed(t *testing.T) {
	link := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink("/not/there", link); err != nil {
		t.Logf("no links here: %v", err) // Windows, without the right to make one
		return
	}
	_, err := homefile.Secure(link)
	require.ErrorContains(t, err, link+" is a link to /not/there, which does not exist")
	require.False(t, errors.Is(err, fs.ErrNotExist))
}
