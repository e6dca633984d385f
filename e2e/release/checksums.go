package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
)

// listed are the files of a release that checksums.txt has a line for: those
// that are fetched by themselves. A registry keeps the digests of the rest.
var listed = []string{"*.tar.gz", "*.zip", "*.deb", "*.rpm", "*.apk", "*.mcpb", "*.vsix", "*.sbom.json"}

// checksums writes checksums.txt, in the form that sha256sum --check reads.
func checksums(dist string) error {
	var names []string
	for _, pattern := range listed {
		found, err := filepath.Glob(filepath.Join(dist, pattern))
		if err != nil {
			return err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var text bytes.Buffer
	for _, name := range names {
		sum, err := digest(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sum, filepath.Base(name))
	}
	return write(filepath.Join(dist, "checksums.txt"), text.Bytes(), 0o644)
}

// compared is what of a file two builds must have in common: all of it, but for
// the lists of parts in checksums.txt, which have the time in them.
func compared(name string, text []byte) []byte {
	if name != "checksums.txt" {
		return text
	}
	return parts.ReplaceAll(text, nil)
}

var parts = regexp.MustCompile(`(?m)^.*\.sbom\.json\n`)
