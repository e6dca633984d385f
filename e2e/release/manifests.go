package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
)

// manifests writes what validators read of a release, for every target and
// without a program: mcpb/GOOS-GOARCH/manifest.json, claude-plugin and
// server.json. The digests in server.json are those of the manifests, as there
// are no bundles; all else is what pack makes.
func manifests(dir, version string) error {
	var bundles []bundle
	for _, t := range targets {
		text, err := mcpbManifest(version, t)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "mcpb", t.goos+"-"+t.goarch, "manifest.json"), text, 0o644); err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		bundles = append(bundles, bundle{name: bundleName(version, t), digest: hex.EncodeToString(sum[:])})
	}
	return errors.Join(plugin(dir, version), serverJSON(dir, version, bundles))
}
