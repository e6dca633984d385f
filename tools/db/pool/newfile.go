package pool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CreateFile makes an empty SQLite file at a path below the project's root,
// which it returns cleaned, with forward slashes. What is there stays, folders
// are not made, and links do not lead out of the project. Errors are for people.
func (c *Connections) CreateFile(name string) (string, error) {
	rel := path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	local := filepath.FromSlash(rel)
	switch {
	case strings.TrimSpace(name) == "" || strings.HasSuffix(name, "/") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "", errors.New("name a file, as in data/app.db")
	case !filepath.IsLocal(local) || rel == ".":
		return "", fmt.Errorf("%q leads out of the project: name a file in it, as in data/app.db", name)
	case slices.ContainsFunc(strings.Split(rel, "/"), func(part string) bool { return strings.EqualFold(part, ".git") || strings.EqualFold(part, ".berth") }):
		return "", fmt.Errorf("%q is among the files of git or berth: name a file beside them, as in data/app.db", name)
	}
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return "", fmt.Errorf("the project's folder cannot be opened: %w", err)
	}
	defer root.Close()
	f, err := root.OpenFile(local, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case err == nil:
		return rel, f.Close()
	case errors.Is(err, fs.ErrExist):
		return "", fmt.Errorf("%s is there already, and is left as it is: name another file, or, if it is the database that you mean, run berth connect %s and choose it", rel, rel)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the folder %s is not there: make it, or name a file in a folder that is", path.Dir(rel))
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s cannot be made: permission denied", rel)
	}
	return "", fmt.Errorf("%s cannot be made: it leads out of the project, or its folder is none", rel)
}

// RemoveEmptyFile removes a file of [Connections.CreateFile] that still is as
// that made it.
func (c *Connections) RemoveEmptyFile(name string) error {
	file := filepath.Join(c.root, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 0 {
		return err
	}
	return os.Remove(file)
}

// Named returns the connection of the list that the settings name for a SQLite
// file below the root.
func (c *Connections) Named(list []Config, name string) (Config, bool) {
	file := filepath.Join(c.root, filepath.FromSlash(name))
	i := slices.IndexFunc(list, func(cfg Config) bool {
		if !cfg.IsSQLite() || cfg.Rank == rankFile {
			return false
		}
		real, err := c.resolve(cfg)
		return err == nil && real == file
	})
	if i < 0 {
		return Config{}, false
	}
	return list[i], true
}
