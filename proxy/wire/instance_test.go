package wire_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newInstance(t *testing.T) (string, wire.Instance) {
	t.Helper()
	dir := t.TempDir()
	return filepath.Join(dir, "instances", "50001.json"), wire.Instance{ProjectRoot: dir, Port: 50001, PID: os.Getpid(),
		Version: "1.2.3", StartedAt: time.Now().UTC().Round(0), Token: wire.NewToken()}
}

func TestInstanceFileRoundTrip(t *testing.T) {
	path, want := newInstance(t)
	require.NoError(t, wire.WriteInstance(path, want))
	got, err := wire.ReadInstance(path)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file is left")
	if runtime.GOOS != "windows" {
		file, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), file.Mode().Perm())
		dir, err := os.Stat(filepath.Dir(path))
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o700), dir.Mode().Perm())
	}
}

func TestReadInstanceFailsClosed(t *testing.T) {
	path, good := newInstance(t)
	require.NoError(t, wire.WriteInstance(path, good))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	replace := func(old, new string) string { return strings.Replace(string(text), old, new, 1) }
	tests := []struct {
		name, text string
		mode       fs.FileMode
		want       string
	}{
		{"an empty file", "", 0o600, "ends too early"},
		{"half a file", string(text[:len(text)/2]), 0o600, "ends too early"},
		{"a name twice", replace("{", `{"port": 1,`), 0o600, "same name twice"},
		{"a relative root", replace(strings.ReplaceAll(good.ProjectRoot, `\`, `\\`), "app"), 0o600, "not an absolute path"},
		{"no port", replace("50001", "0"), 0o600, "out of range"},
		{"no token", replace(`"token"`, `"tokens"`), 0o600, "token is missing"},
		{"a short token", replace(`"token": "`, `"token": "A`), 0o600, "wrong type of value"},
		{"a file over the limit", string(text) + strings.Repeat(" ", wire.MaxInstanceBytes), 0o600, "too large"},
		{"a file the group may read", string(text), 0o640, "lets other users in"},
		{"a file the world may write", string(text), 0o602, "lets other users in"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.mode != 0o600 {
				return // no such modes there
			}
			path := filepath.Join(t.TempDir(), "50001.json")
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			require.NoError(t, os.Chmod(path, tt.mode))
			_, err := wire.ReadInstance(path)
			require.ErrorContains(t, err, tt.want)
			assert.Contains(t, err.Error(), path)
		})
	}
	_, err = wire.ReadInstance(filepath.Join(t.TempDir(), "none.json"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = wire.ReadInstance(t.TempDir())
	assert.ErrorContains(t, err, "not a regular file")
}

func TestWriteInstanceRefusesAnIncompleteOne(t *testing.T) {
	path, i := newInstance(t)
	i.Token = wire.Token{}
	require.ErrorContains(t, wire.WriteInstance(path, i), "token is missing")
	assert.NoFileExists(t, path)
}

func TestRemoveInstanceLeavesTheFileOfAnotherRun(t *testing.T) {
	path, mine := newInstance(t)
	removed, err := wire.RemoveInstance(path, mine)
	require.NoError(t, err)
	assert.False(t, removed, "there is none")

	other := mine
	other.Token = wire.NewToken()
	require.NoError(t, wire.WriteInstance(path, other))
	removed, err = wire.RemoveInstance(path, mine)
	require.NoError(t, err)
	assert.False(t, removed)
	assert.FileExists(t, path)

	removed, err = wire.RemoveInstance(path, other)
	require.NoError(t, err)
	assert.True(t, removed)
	assert.NoFileExists(t, path)
}

func TestInstanceFileIsNeverSeenHalf(t *testing.T) {
	path, i := newInstance(t)
	require.NoError(t, wire.WriteInstance(path, i))
	done := make(chan error)
	go func() {
		var err error
		for n := 0; n < 50 && err == nil; n++ {
			i.Version = strings.Repeat("v", 1+n*100)
			err = wire.WriteInstance(path, i)
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			require.NoError(t, err)
			return
		default:
			_, err := wire.ReadInstance(path)
			require.NoError(t, err)
		}
	}
}

// FuzzReadInstance: no content panics, and what is accepted is complete.
func FuzzReadInstance(f *testing.F) {
	f.Add([]byte(`{"projectRoot":"/a","port":50001,"pid":1,"version":"1","startedAt":"2026-01-02T03:04:05Z","token":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"}`))
	f.Add([]byte(`{"port":1e99}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "1.json")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		i, err := wire.ReadInstance(path)
		if err == nil && (i.Token.IsZero() || i.ProjectRoot == "" || i.Port == 0) {
			t.Fatalf("accepted an incomplete instance: %+v", i)
		}
	})
}

func TestWriteInstanceRemovesWhatAKilledWriterLeft(t *testing.T) {
	path, i := newInstance(t)
	require.NoError(t, wire.WriteInstance(path, i))
	dir := filepath.Dir(path)
	mine := filepath.Join(dir, "."+filepath.Base(path)+"-123")
	others := filepath.Join(dir, ".1.json-123") // somebody may be writing it now
	for _, left := range []string{mine, others} {
		require.NoError(t, os.WriteFile(left, []byte("half of a tok"), 0o600))
	}
	require.NoError(t, wire.WriteInstance(path, i))
	assert.NoFileExists(t, mine)
	assert.FileExists(t, others)
}
