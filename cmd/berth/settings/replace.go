package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Of a settings file that is to be written.
var (
	ErrNoFile  = errors.New("it is no regular file, and is not written to")
	ErrChanged = errors.New("it was changed meanwhile: nothing was written")
)

// ProjectFile is the settings file of a project itself, in its folder.
func ProjectFile(root string) string { return filepath.Join(root, ".berth", "config.yaml") }

// ReadFile reads a settings file that is to be written; nil if there is none.
// The error may be [ErrNoFile].
func ReadFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, ErrNoFile
	}
	return os.ReadFile(path)
}

// ReplaceFile writes a settings file in the place of what was read of it. The
// error is [ErrChanged] if that is no longer what stands there.
func ReplaceFile(path string, was, now []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temporary, err := os.CreateTemp(dir, ".config-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(now)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if there, readErr := os.ReadFile(path); err == nil && !bytes.Equal(there, was) {
		err = errors.Join(ErrChanged, unlessMissing(readErr))
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SameBut reports whether settings are what others are, but for one connection.
func (s *Settings) SameBut(other *Settings, connection string) bool {
	list := func(s *Settings) (out []string) {
		for _, v := range s.Values() {
			if !strings.HasPrefix(v.Key, keyConnections+"."+connection+".") && v.Key != keyConnections+"."+connection {
				out = append(out, fmt.Sprint(v.Key, "=", v.Value, " ", v.File))
			}
		}
		return out
	}
	return slices.Equal(list(s), list(other))
}

// NameFor is a name for the connection to what an address or a path ends in.
func NameFor(address string) string {
	address, _, _ = strings.Cut(address, "?")
	base := filepath.Base(filepath.ToSlash(address))
	base = strings.TrimSuffix(base, filepath.Ext(base))
	base = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, base)
	if base = strings.Trim(base[:min(len(base), 40)], "-_"); base == "" {
		return "database"
	}
	return base
}
