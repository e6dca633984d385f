package installed

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/build"
)

var release = build.Info{Version: "v1.2.3", Source: build.FromRelease}

// place makes a program below a folder, with a mark beside it if there is one.
func place(t *testing.T, folder, mark string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.FromSlash(folder))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	program := filepath.Join(dir, "berth")
	require.NoError(t, os.WriteFile(program, nil, 0o755))
	if mark != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, MarkFile), []byte(mark+"\n"), 0o644))
	}
	return program
}

func TestEveryWayIsTold(t *testing.T) {
	for _, c := range []struct {
		by, folder, mark string
		source           build.Source
	}{
		{"deb", "usr/lib/berth", "deb", build.FromRelease},
		{"rpm", "usr/lib/berth", "rpm", build.FromRelease},
		{"apk", "usr/lib/berth", "apk", build.FromRelease},
		{"npm", "lib/node_modules/@berth-dev/linux-x64/bin", "npm", build.FromRelease},
		{"npx", ".npm/_npx/0123abcd/node_modules/@berth-dev/linux-x64/bin", "npm", build.FromRelease},
		{"container", "opt/berth", "container", build.FromRelease},
		{"mcpb", "Claude Extensions/local.mcpb.berth/server", "mcpb", build.FromRelease},
		{"vsix", ".vscode/extensions/berth-dev.berth-1.2.3/bin", "vsix", build.FromRelease},
		{"cask", "opt/homebrew/Caskroom/berth/1.2.3", "archive", build.FromRelease},
		{"scoop", "scoop/apps/berth/1.2.3", "archive", build.FromRelease},
		{"winget", "AppData/Local/Microsoft/WinGet/Packages/berth-dev.berth_Microsoft.Winget", "archive", build.FromRelease},
		{"archive", "berth_1.2.3_linux_amd64", "archive", build.FromRelease},
		{"go run", "go-build123/b001/exe", "", build.FromClone},
		{"go install", "go/bin", "", build.FromModule},
		{"clone", "go/bin", "", build.FromClone},
		{"files", "bin", "", build.FromFiles},
		{Unknown, "bin", "", build.FromRelease},
		{Unknown, "bin", "something of another program's", build.FromRelease},
	} {
		program := place(t, c.folder, c.mark)
		got := Find(program, build.Info{Source: c.source})
		assert.Equal(t, c.by, got.By, c.folder)
		assert.Contains(t, Ways(), got.By)
		assert.NotEmpty(t, got.Words, c.folder)
		assert.Equal(t, c.by == Unknown, got.Upgrade == "", c.folder)
		assert.Equal(t, c.by == Unknown, got.Remove == "", c.folder)
	}
}

func TestALinkLeadsToThePackage(t *testing.T) {
	program := place(t, "usr/lib/berth", "deb")
	link := filepath.Join(t.TempDir(), "berth")
	if err := os.Symlink(program, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	got := Find(link, release)
	assert.Equal(t, "deb", got.By)
	real, err := filepath.EvalSymlinks(program)
	require.NoError(t, err)
	assert.Equal(t, real, got.Program)
}

func TestACommandNamesThePathAsAShellTakesIt(t *testing.T) {
	program := place(t, "my files", "archive")
	assert.Contains(t, Find(program, release).Remove, "my files', which the archive filled")
}

// What npm cache clean empties is another folder of the cache.
func TestWhatNpxKeepsIsRemovedWithItsFolder(t *testing.T) {
	program := place(t, "home/.npm/_npx/0123abcd/node_modules/@berth-dev/linux-x64/bin", "npm")
	assert.Contains(t, Find(program, release).Remove, "the folder _npx of npm's cache")
}
