package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A bundle is an .mcpb file as server.json names it.
type bundle struct{ name, digest string }

func bundleName(version string, t target) string {
	return "berth_" + version + "_" + t.goos + "_" + t.goarch + ".mcpb"
}

// mcpb makes the bundle of one target for Claude Desktop. It chooses by the
// system and not by the processor, so there is one for each.
func mcpb(dist, programs, version string, t target) (bundle, error) {
	text, err := mcpbManifest(version, t)
	if err != nil {
		return bundle{}, err
	}
	z := newZip()
	z.add("manifest.json", text, 0o644)
	for _, program := range t.programs() {
		z.addFile("server/"+program, filepath.Join(programs, program), 0o755)
	}
	z.add("server/installed-by", []byte("mcpb\n"), 0o644)
	z.addFile("LICENSE", "LICENSE", 0o644)
	b := bundle{name: bundleName(version, t)}
	data, err := z.bytes()
	if err != nil {
		return bundle{}, err
	}
	sum := sha256.Sum256(data)
	b.digest = hex.EncodeToString(sum[:])
	return b, write(filepath.Join(dist, b.name), data, 0o644)
}

// mcpbManifest is the manifest.json of a target's bundle.
func mcpbManifest(version string, t target) ([]byte, error) {
	entry := "server/" + t.programs()[0]
	manifest, err := template(".ci/package/mcpb.json", map[string]any{
		"version": version, "compatibility": map[string]any{"platforms": []string{t.npmOS}},
		"server": map[string]any{"type": "binary", "entry_point": entry,
			"mcp_config": map[string]any{"command": "${__dirname}/" + entry, "args": []string{"mcp", "--autostart"}}},
	})
	if err != nil {
		return nil, err
	}
	return encodeJSON(manifest)
}

// serverJSON makes the entry of the MCP registry.
func serverJSON(dist, version string, bundles []bundle) error {
	stdio := map[string]any{"type": "stdio"}
	packages := []any{map[string]any{"registryType": "npm", "identifier": scope + "berth", "version": version, "transport": stdio,
		"packageArguments": []any{map[string]any{"type": "positional", "value": "mcp"}, map[string]any{"type": "named", "name": "--autostart"}}}}
	for _, b := range bundles {
		packages = append(packages, map[string]any{"registryType": "mcpb", "fileSha256": b.digest, "transport": stdio,
			"identifier": repository + "/releases/download/v" + version + "/" + b.name})
	}
	fields, err := template(".ci/package/server.json", map[string]any{"version": version, "packages": packages})
	if err != nil {
		return err
	}
	return writeJSON(filepath.Join(dist, "server.json"), fields)
}

// plugin makes the contents of the repository that Claude Code's marketplace is
// read from: cmd/claude with the version set.
func plugin(dist, version string) error {
	from, to := "cmd/claude", filepath.Join(dist, "claude-plugin")
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return write(filepath.Join(to, rest), []byte(strings.ReplaceAll(string(text), "0.0.0", version)), 0o644)
	})
}

// zipFile writes a zip file with the same bytes each time.
type zipFile struct {
	buf bytes.Buffer
	w   *zip.Writer
	err error
}

func newZip() *zipFile {
	z := new(zipFile)
	z.w = zip.NewWriter(&z.buf)
	return z
}

func (z *zipFile) add(name string, data []byte, mode os.FileMode) {
	if z.err != nil {
		return
	}
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	header.SetMode(mode)
	w, err := z.w.CreateHeader(header)
	if err == nil {
		_, err = w.Write(data)
	}
	z.err = err
}

func (z *zipFile) addFile(name, path string, mode os.FileMode) {
	data, err := os.ReadFile(path)
	if err != nil && z.err == nil {
		z.err = err
	}
	z.add(name, data, mode)
}

func (z *zipFile) bytes() ([]byte, error) {
	if err := z.w.Close(); z.err == nil {
		z.err = err
	}
	return z.buf.Bytes(), z.err
}
