package pool

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/berth-dev/berth/portmap/realpath"
	"github.com/berth-dev/berth/tools/db/dial"
)

// resolve returns the file a connection means, symbolic links resolved, and
// refuses one outside of the project unless the connection may lead there.
func (c *Connections) resolve(cfg Config) (string, error) {
	path := filepath.FromSlash(cfg.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.root, path)
	}
	real, err := realpath.Resolve(path)
	if err != nil {
		return "", pathError(cfg.Name, err)
	}
	if _, inside := c.below(real); !inside && !cfg.Outside {
		return "", &dial.ConnectError{Connection: cfg.Name,
			Cause: "the file is outside of the project, where its connection may not lead",
			Fix:   "name the file itself, without a link or a variable, and trust that; or name it in your own config.yaml"}
	}
	return real, nil
}

func pathError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &dial.ConnectError{Connection: name, Cause: "the file does not exist", Fix: "check its address, or whether the file is there"}
	case errors.Is(err, fs.ErrPermission):
		return &dial.ConnectError{Connection: name, Cause: "permission denied", Fix: "check whether you may read the file and its folders"}
	}
	return &dial.ConnectError{Connection: name, Cause: "the path cannot be resolved"}
}

// below returns path relative to the root, with forward slashes.
func (c *Connections) below(path string) (rel string, inside bool) {
	rel, err := filepath.Rel(c.root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(path), false
	}
	return filepath.ToSlash(rel), true
}

// shownPath is a connection's file as people and replies see it.
func (c *Connections) shownPath(cfg Config) string {
	path := filepath.FromSlash(cfg.Path)
	if !filepath.IsAbs(path) {
		return filepath.ToSlash(filepath.Clean(path))
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	rel, _ := c.below(path)
	return rel
}
