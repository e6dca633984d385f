package main

import (
	"archive/zip"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// extensionSources goes into a folder with the project's own sources, and what a
// build would leave.
func extensionSources(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"LICENSE", "cmd/vscode/package.json", "cmd/vscode/README.md", "cmd/vscode/media/icon.png"} {
		require.NoError(t, copyFile(filepath.Join("../..", name), filepath.Join(dir, name), 0o644))
	}
	t.Chdir(dir)
	for _, name := range []string{"cmd/vscode/out/extension.cjs", "cmd/vscode/out/main.cjs", "cmd/vscode/out/page/index.html", "programs/berth", "programs/berth-full"} {
		require.NoError(t, write(name, []byte(name), 0o755))
	}
}

func TestTheExtensionOfThisMachineIsMadeOfItsPrograms(t *testing.T) {
	extensionSources(t)
	here := slices.IndexFunc(targets, func(x target) bool { return x.goos == runtime.GOOS && x.goarch == runtime.GOARCH })
	if here < 0 {
		assert.ErrorContains(t, run([]string{"vsix", "made", "bin"}), "no release is made for "+runtime.GOOS)
		return
	}
	for _, name := range targets[here].programs() {
		require.NoError(t, write(filepath.Join("bin", name), []byte("of this machine"), 0o755))
	}
	require.NoError(t, run([]string{"vsix", "made", "bin"}))
	made, err := filepath.Glob("made/*.vsix")
	require.NoError(t, err)
	require.Len(t, made, 1)
	files := unzip(t, made[0])
	assert.Equal(t, "of this machine", text(t, files["extension/bin/"+targets[here].programs()[0]]))
	assert.Contains(t, text(t, files["extension.vsixmanifest"]), `TargetPlatform="`+targets[here].targetPlatform()+`"`)
}

func TestAnExtensionHoldsItsProgramsAndWhatItsListsName(t *testing.T) {
	extensionSources(t)
	require.NoError(t, vsix("one", "programs", "1.2.3", targets[1]))
	require.NoError(t, vsix("two", "programs", "1.2.3", targets[1]))
	one, err := os.ReadFile("one/berth_1.2.3_linux_arm64.vsix")
	require.NoError(t, err)
	two, err := os.ReadFile("two/berth_1.2.3_linux_arm64.vsix")
	require.NoError(t, err)
	assert.Equal(t, one, two, "the same bytes each time")

	files := unzip(t, "one/berth_1.2.3_linux_arm64.vsix")
	for _, name := range []string{"bin/berth", "bin/berth-full", "bin/installed-by", "media/icon.png", "out/extension.cjs", "out/main.cjs", "out/page/index.html"} {
		assert.Contains(t, files, "extension/"+name)
	}
	assert.Equal(t, os.FileMode(0o755), files["extension/bin/berth"].Mode().Perm())
	assert.Equal(t, "vsix\n", text(t, files["extension/bin/installed-by"]))
	var manifest struct {
		Version         string
		Main            string
		DevDependencies map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(text(t, files["extension/package.json"])), &manifest))
	assert.Equal(t, "1.2.3", manifest.Version)
	assert.Empty(t, manifest.DevDependencies)
	assert.Contains(t, files, "extension/"+strings.TrimPrefix(manifest.Main, "./"))
	var list struct {
		Identity struct {
			ID             string `xml:"Id,attr"`
			Version        string `xml:",attr"`
			Publisher      string `xml:",attr"`
			TargetPlatform string `xml:",attr"`
		} `xml:"Metadata>Identity"`
		Icon   string `xml:"Metadata>Icon"`
		Assets []struct {
			Path string `xml:",attr"`
		} `xml:"Assets>Asset"`
	}
	require.NoError(t, xml.Unmarshal([]byte(text(t, files["extension.vsixmanifest"])), &list))
	assert.Equal(t, "berth-dev.berth 1.2.3 linux-arm64", list.Identity.Publisher+"."+list.Identity.ID+" "+list.Identity.Version+" "+list.Identity.TargetPlatform)
	assert.Contains(t, files, list.Icon)
	assert.Len(t, list.Assets, 4)
	for _, a := range list.Assets {
		assert.Contains(t, files, a.Path)
	}
	types := text(t, files["[Content_Types].xml"])
	for name := range files {
		if kind := filepath.Ext(name); kind != "" && name != "[Content_Types].xml" {
			assert.Contains(t, types, `Extension="`+kind+`"`, name)
		}
	}
}

func unzip(t *testing.T, path string) map[string]*zip.File {
	t.Helper()
	r, err := zip.OpenReader(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() }) // it was only read
	files := map[string]*zip.File{}
	for _, f := range r.File {
		files[f.Name] = f
	}
	return files
}

func text(t *testing.T, f *zip.File) string {
	t.Helper()
	require.NotNil(t, f)
	r, err := f.Open()
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}
