package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// released builds berth as the release command does: it knows where releases
// are listed.
func released(t *testing.T, releases string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "berth")
	build := exec.Command("go", "build", "-ldflags", "-X github.com/berth-dev/berth/cmd/berth/build.releases="+releases,
		"-o", program, "github.com/berth-dev/berth/cmd/berth")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

func TestUpgradeSaysWhatIsNewerAndDownloadsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var text atomic.Value
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		assert.Equal(t, "/latest.json", r.URL.String(), "nothing is said of who asks")
		assert.Equal(t, "berth", r.UserAgent())
		_, _ = rw.Write([]byte(text.Load().(string)))
	}))
	t.Cleanup(server.Close)
	program := released(t, server.URL+"/latest.json")
	text.Store(`{"version": "v99.0.0", "page": "https://example.org/v99.0.0", "date": "2026-11-26"}`)

	// Every other command asks nobody.
	root := w.project("app", twoTables)
	for _, args := range [][]string{{"version"}, {"doctor", root}, {"ls"}, {"uninstall"}, {"--help"}} {
		w.run(program, "", args...)
	}
	assert.Zero(t, asked.Load(), "it asks only when it is told to")

	before, err := os.ReadDir(filepath.Dir(program))
	require.NoError(t, err)
	got := w.run(program, "", "upgrade")
	require.Zero(t, got.code, got.stderr)
	assert.Contains(t, got.stdout, "installed by something that left no mark")
	assert.Contains(t, got.stdout, "v99.0.0")
	assert.Contains(t, got.stdout, "https://example.org/v99.0.0")
	assert.EqualValues(t, 1, asked.Load())
	after, err := os.ReadDir(filepath.Dir(program))
	require.NoError(t, err)
	assert.Equal(t, before, after)

	// What a package's mark says decides how it is upgraded.
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(program), "installed-by"), []byte("npm\n"), 0o644))
	w.serve(root)
	got = w.run(program, "", "upgrade", "--json")
	require.Zero(t, got.code, got.stderr)
	var report struct {
		Installed struct{ By, Upgrade string }
		Newest    struct{ Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report))
	assert.Equal(t, "npm", report.Installed.By)
	assert.Contains(t, report.Installed.Upgrade, "npm install -g @berth-dev/berth@latest")
	assert.Equal(t, "v99.0.0", report.Newest.Version)

	text.Store(`<html>the network's sign-in page</html>`)
	got = w.run(program, "", "upgrade")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "describes no release")
	server.Close()
	got = w.run(program, "", "upgrade")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.stderr, "hint: this copy was installed by npm")
}

func TestUpgradeOfABuildFromSourceSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.berth("upgrade")
	require.Zero(t, got.code, got.stderr)
	assert.Contains(t, got.stdout, "built from source and knows no place where releases are listed")
	assert.Contains(t, got.stdout, "to upgrade: ")
}
