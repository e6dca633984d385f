package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// TrustAll is the value of the setting trust that means every project.
const TrustAll = "all"

// trustField takes the word all, or a list of folders: absolute, or below the
// user's home with a ~.
func trustField() field[Settings] {
	return field[Settings]{
		name: "trust",
		get:  func(s *Settings) any { return strings.Join(s.Trust, " ") },
		set: func(s *Settings, v scalar) error {
			if v.kind == kindText && v.text == TrustAll {
				s.Trust = []string{TrustAll}
				return nil
			}
			if v.kind != kindList || v.list == nil {
				return wrongType("the word all, or a list of folders", v)
			}
			s.Trust = nil
			for _, entry := range v.list {
				dir, err := trustedFolder(entry)
				if err != nil {
					return err
				}
				s.Trust = append(s.Trust, dir)
			}
			return nil
		},
	}
}

func trustedFolder(entry string) (string, error) {
	if rest, ok := strings.CutPrefix(entry, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errors.New("has a ~, and this system names no home")
		}
		entry = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(entry) {
		return "", fmt.Errorf("must be the word all, or a list of absolute folders, not %s", shown(entry))
	}
	return filepath.Clean(entry), nil
}

// trusts reports whether a project is in, or is, one of the folders.
func trusts(folders []string, root string) bool {
	for _, dir := range folders {
		if dir == TrustAll || inside(dir, root) {
			return true
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil && inside(real, root) {
			return true
		}
	}
	return false
}

// inside reports whether path is dir, or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
