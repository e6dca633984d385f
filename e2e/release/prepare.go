package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// marked are the packages that say beside the program what installed it.
var marked = []string{"archive", "deb", "rpm", "apk", "npm", "mcpb", "vsix", "container"}

// prepare writes what packages hold beside the programs. The manual comes from
// the very commit: the program that writes it is built here.
func prepare(dir string) error {
	for _, name := range marked {
		if err := write(filepath.Join(dir, name, "installed-by"), []byte(name+"\n"), 0o644); err != nil {
			return err
		}
	}
	if err := dated(".ci/package/after-remove.sh", filepath.Join(dir, "after-remove.sh")); err != nil {
		return err
	}
	program := filepath.Join(dir, "berth")
	if _, err := output("go", "build", "-trimpath", "-buildvcs=true", "-o", program, "./cmd/berth"); err != nil {
		return err
	}
	defer os.Remove(program)
	if _, err := output(program, "man", filepath.Join(dir, "man")); err != nil {
		return err
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script, err := output(program, "completion", shell)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "completions", "berth."+shell), script, 0o644); err != nil {
			return err
		}
	}
	return compressAll(filepath.Join(dir, "man"), filepath.Join(dir, "man.gz"))
}

// dated copies a script of packages, as old as the commit: GoReleaser writes the
// file's own time into an .apk.
func dated(from, to string) error {
	if err := copyFile(from, to, 0o755); err != nil {
		return err
	}
	text, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return err
	}
	at := time.Unix(seconds, 0)
	return os.Chtimes(to, at, at)
}

// compressAll writes each file of a folder into another one, as packages of
// Linux hold manual pages.
func compressAll(from, to string) error {
	pages, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		f, err := os.Create(filepath.Join(to, filepath.Base(page)+".gz"))
		if err != nil {
			return err
		}
		z, _ := gzip.NewWriterLevel(f, gzip.BestCompression) // no name and no time: the same bytes each time
		_, err = z.Write(text)
		if err := errors.Join(err, z.Close(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask says
}

func copyFile(from, to string, mode os.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return write(to, data, mode)
}

// output runs a program and returns what it printed; its errors are shown.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", name, args, err)
	}
	return out, nil
}
