package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// published are the files of a dist folder that people get, by their patterns.
// The lists of parts (*.sbom.json) name the time at which they were made, and
// signatures are made once.
var published = []string{"*.tar.gz", "*.zip", "*.deb", "*.rpm", "*.apk", "*.mcpb", "*.vsix", "npm/*.tgz", "checksums.txt", "server.json", "latest.json",
	"homebrew/Casks/*.rb", "scoop/*.json", "winget/manifests/*/*/*/*/*.yaml"}

// files are the published files of a dist folder, relative to it.
func files(dist string) (names []string, err error) {
	for _, pattern := range published {
		found, err := filepath.Glob(filepath.Join(dist, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			name, err := filepath.Rel(dist, path)
			if err != nil {
				return nil, err
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds nothing that is published", dist)
	}
	return names, nil
}

// compare fails unless two folders hold the same files with the same bytes.
func compare(one, two string) error {
	names, err := files(one)
	if err != nil {
		return err
	}
	others, err := files(two)
	if err != nil {
		return err
	}
	if !slices.Equal(names, others) {
		return fmt.Errorf("the one has %q, the other %q", names, others)
	}
	var differ []error
	for _, name := range names {
		a, err := os.ReadFile(filepath.Join(one, name))
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(two, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(compared(name, a), compared(name, b)) {
			differ = append(differ, fmt.Errorf("%s differs%s", name, inside(filepath.Join(one, name), filepath.Join(two, name))))
		}
	}
	if len(differ) > 0 {
		return errors.Join(differ...)
	}
	fmt.Printf("%d files, built in two folders, have the same bytes\n", len(names))
	return nil
}

// inside names what differs in two tar files: entries, their times and bytes, or
// else their order.
func inside(a, b string) string {
	if !strings.HasSuffix(a, "gz") {
		return ""
	}
	entries := func(path string) (m map[string]string, order []string) {
		m = map[string]string{}
		eachTar(path, func(h *tar.Header, r io.Reader) {
			sum := sha256.New()
			n, _ := io.Copy(sum, r)
			order = append(order, h.Name)
			m[h.Name] = fmt.Sprintf("%d bytes %x of %v, mode %o", n, sum.Sum(nil)[:8], h.ModTime.UTC(), h.Mode)
		})
		return m, order
	}
	var lines []string
	ours, order := entries(a)
	theirs, other := entries(b)
	for name, is := range ours {
		if is != theirs[name] {
			lines = append(lines, fmt.Sprintf("\n\t%s: %s, and %s", name, is, theirs[name]))
		}
	}
	if len(lines) == 0 && !slices.Equal(order, other) {
		return fmt.Sprintf("\n\tthe order is %q, and %q", order, other)
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func digest(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}

// list writes contents.txt and prints it: each published file with its size,
// and what the packages among them hold.
func list(dist string) error {
	names, err := files(dist)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, name := range names {
		path := filepath.Join(dist, name)
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", name, megabytes(info.Size()))
		for _, entry := range contents(path) {
			fmt.Fprintf(&text, "    %s\n", entry)
		}
	}
	if err := write(filepath.Join(dist, "contents.txt"), text.Bytes(), 0o644); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if !strings.HasPrefix(line, " ") {
			fmt.Print(line)
		}
	}
	fmt.Println("contents.txt has every file of every package")
	return nil
}

// contents are the files of an archive with their sizes; none if it is of
// another kind. The manual's pages are one line.
func contents(path string) (lines []string) {
	pages, size := 0, int64(0)
	add := func(name string, n int64) {
		if strings.Contains(name, "man/") {
			pages, size = pages+1, size+n
			return
		}
		lines = append(lines, fmt.Sprintf("%s  %s", name, megabytes(n)))
	}
	switch {
	case strings.HasSuffix(path, ".tar.gz"), strings.HasSuffix(path, ".tgz"):
		eachTar(path, func(h *tar.Header, _ io.Reader) { add(h.Name, h.Size) })
	case strings.HasSuffix(path, ".zip"), strings.HasSuffix(path, ".mcpb"), strings.HasSuffix(path, ".vsix"):
		eachZip(path, add)
	case strings.HasSuffix(path, ".deb"):
		for _, line := range strings.Split(run1("dpkg-deb", "--contents", path), "\n") {
			if fields := strings.Fields(line); len(fields) > 5 && !strings.HasSuffix(fields[5], "/") {
				var n int64
				fmt.Sscan(fields[2], &n)
				add(strings.TrimPrefix(strings.Join(fields[5:], " "), "./"), n)
			}
		}
	}
	if pages > 0 {
		lines = append(lines, fmt.Sprintf("%d manual pages  %s", pages, megabytes(size)))
	}
	return lines
}

func run1(name string, args ...string) string {
	out, err := output(name, args...)
	if err != nil {
		return "" // dpkg-deb is on Debian only
	}
	return string(out)
}

func eachTar(path string, add func(h *tar.Header, r io.Reader)) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			return
		}
		add(h, r)
	}
}

func eachZip(path string, add func(string, int64)) {
	r, err := zip.OpenReader(path)
	if err != nil {
		return
	}
	defer r.Close()
	for _, f := range r.File {
		add(f.Name, int64(f.UncompressedSize64))
	}
}

func megabytes(n int64) string {
	if n < 1e5 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
