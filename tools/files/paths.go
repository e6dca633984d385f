package files

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/tree"
)

// pathOf parses the path of a file as an agent gives it. Agents give absolute
// paths by habit, so one that begins with the project's folder lies below it;
// any other leading slash is the project's folder itself, as in the document.
// A path for which there are files by both readings is refused. What is
// returned is checked as any other path.
func (t *Tool) pathOf(ctx context.Context, given, root string) (string, error) {
	below, ok := t.below(given, root)
	if !ok {
		return disk.ParsePath(trimDots(given))
	}
	if below == "" {
		return "", &failure{Reason: string(disk.BadPath), Message: "the path is the project's folder, not a file"}
	}
	path, err := disk.ParsePath(below)
	if err != nil {
		return "", err
	}
	if other, err := disk.ParsePath(given); err == nil && t.isFile(ctx, path) && t.isFile(ctx, other) {
		return "", bothReadings(path, other)
	}
	return path, nil
}

// prefixOf is pathOf for a prefix of paths.
func (t *Tool) prefixOf(ctx context.Context, given, root string) (string, error) {
	below, ok := t.below(given, root)
	if !ok {
		return disk.ParsePrefix(trimDots(given))
	}
	prefix, err := disk.ParsePrefix(below)
	if err != nil {
		return "", err
	}
	if other, err := disk.ParsePrefix(given); err == nil && t.hasPrefix(ctx, other) && (prefix == "" || t.hasPrefix(ctx, prefix)) {
		return "", bothReadings(prefix, other)
	}
	return prefix, nil
}

// below returns the part of a path behind the project's folder, as the call
// names it or by its real path; false: the path does not begin with it.
func (t *Tool) below(given, root string) (string, bool) {
	path := slashed(given)
	for _, folder := range []string{root, t.opts.Root} {
		folder = strings.TrimRight(slashed(folder), "/")
		if folder == "" || len(path) < len(folder) || !samePath(path[:len(folder)], folder) {
			continue
		}
		rest := path[len(folder):]
		if rest == "" || rest[0] == '/' {
			return strings.TrimPrefix(rest, "/"), true
		}
	}
	return "", false
}

// slashed returns a path of this system with forward slashes.
func slashed(path string) string {
	if runtime.GOOS == "windows" && filepath.IsAbs(path) {
		return filepath.ToSlash(path)
	}
	return path
}

func samePath(a, b string) bool {
	return a == b || (runtime.GOOS == "windows" || runtime.GOOS == "darwin") && strings.EqualFold(a, b)
}

// trimDots removes what begins a path with the folder that it is in anyway.
func trimDots(path string) string {
	for {
		rest, ok := strings.CutPrefix(path, "./")
		if !ok || rest == "" || rest[0] == '/' {
			return path
		}
		path = rest
	}
}

func bothReadings(below, other string) *failure {
	if below == "" {
		below = "./"
	}
	return &failure{Reason: string(disk.BadPath),
		Message: "the path has two meanings here: it begins with the project's folder, and the project has a folder of that name too. Give " +
			clip.Text(below, 500) + " or " + clip.Text(other, 500)}
}

// isFile reports whether something is at a path.
func (t *Tool) isFile(ctx context.Context, path string) bool {
	return t.files().Free(ctx, path) != nil
}

// hasPrefix reports whether a path begins with prefix.
func (t *Tool) hasPrefix(ctx context.Context, prefix string) bool {
	_, total, _, err := t.files().List(ctx, prefix, tree.Listing{Options: tree.Options{IncludeIgnored: true}, Most: 1})
	return err == nil && total > 0
}
