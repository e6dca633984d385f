package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// settleWinget puts winget's manifest in order, so that two builds of a commit have
// the same bytes, whenever they are made.
func settleWinget(dist, day string) error {
	paths, err := filepath.Glob(filepath.Join(dist, "winget/manifests/*/*/*/*/*.installer.yaml"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		settled, err := settledWinget(text, day)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := write(path, settled, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var (
	released  = regexp.MustCompile(`(?m)^ReleaseDate: .*$`)
	installer = regexp.MustCompile(`(?m)^  - Architecture: .*\n(    .*\n)+`)
)

// settledWinget gives a manifest the day of the commit, where GoReleaser writes
// the day of the build, and sorts its installers, which GoReleaser lists in the
// order of a map.
func settledWinget(text []byte, day string) ([]byte, error) {
	items := installer.FindAll(text, -1)
	if len(items) == 0 || !released.Match(text) {
		return nil, fmt.Errorf("it has no installers or no ReleaseDate, as GoReleaser 2.15 writes them")
	}
	slices.SortFunc(items, bytes.Compare)
	text = installer.ReplaceAllFunc(bytes.Clone(text), func([]byte) []byte {
		first := items[0]
		items = items[1:]
		return first
	})
	return released.ReplaceAll(text, []byte(`ReleaseDate: "`+day+`"`)), nil
}
