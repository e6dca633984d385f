package proxy

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/portmap"
)

// Limits on the work done for a hint.
const (
	maxHints     = 10      // projects named
	maxHintBytes = 2 << 10 // of their paths
	maxProbes    = 200     // projects looked at
)

// runningAbove returns the nearest running project that path is or lies in, ""
// if there is none.
func (c *Client) runningAbove(ctx context.Context, path string) string {
	entries, err := c.opts.Store.Entries()
	if err != nil || path == "" {
		return ""
	}
	var above []string
	for root := range entries {
		if contains(root, path) {
			above = append(above, root)
		}
	}
	slices.SortFunc(above, func(x, y string) int { return len(y) - len(x) })
	ctx, cancel := context.WithTimeout(ctx, c.waits.hint)
	defer cancel()
	for _, root := range above[:min(len(above), maxHints)] {
		if state, _ := c.Probe(ctx, root, entries[root]); state == Live {
			return root
		}
	}
	return ""
}

// ownProject returns the running project that the client's own directories
// point to, if there is exactly one.
func (c *Client) ownProject(ctx context.Context, o CallOptions) string {
	if o.Roots == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, c.waits.roots)
	defer cancel()
	paths := canonicalAll(o.Roots(ctx))
	entries, err := c.opts.Store.Entries()
	if err != nil {
		return ""
	}
	near := slices.DeleteFunc(ranked(entries, ""), func(root string) bool {
		return !slices.ContainsFunc(paths, func(path string) bool { return contains(root, path) || contains(path, root) })
	})
	if own := c.live(ctx, near[:min(len(near), maxHints)], entries); len(own) == 1 {
		return own[0]
	}
	return ""
}

// running returns projects that run, except one, those most like path first,
// and how many more there are.
func (c *Client) running(ctx context.Context, path, except string) (roots []string, more int, err error) {
	entries, err := c.opts.Store.Entries()
	if err != nil {
		return nil, 0, err
	}
	delete(entries, except)
	ctx, cancel := context.WithTimeout(ctx, c.waits.hint)
	defer cancel()
	all := ranked(entries, realPath(path))
	all = c.live(ctx, all[:min(len(all), maxProbes)], entries)
	size := 0
	for i, root := range all {
		if size += len(root); i == maxHints || i > 0 && size > maxHintBytes {
			return all[:i], len(all) - i, nil
		}
	}
	return all, 0, nil
}

// live returns those of roots whose instance proves its identity before ctx
// ends, in their order.
func (c *Client) live(ctx context.Context, roots []string, entries map[string]int) []string {
	live := make([]bool, len(roots))
	each(len(roots), func(i int) {
		state, _ := c.Probe(ctx, roots[i], entries[roots[i]])
		live[i] = state == Live
	})
	var found []string
	for i, root := range roots {
		if live[i] {
			found = append(found, root)
		}
	}
	return found
}

// ranked returns the roots in entries, those most like path first: below it, of
// its name, with the longest beginning in common.
func ranked(entries map[string]int, path string) []string {
	type place struct {
		root   string
		below  bool
		named  bool
		common int
	}
	places := make([]place, 0, len(entries))
	for root := range entries {
		p := place{root: root}
		if path != "" {
			p.below, p.common = contains(path, root), commonBytes(path, root)
			p.named = strings.EqualFold(filepath.Base(path), filepath.Base(root))
		}
		places = append(places, p)
	}
	slices.SortFunc(places, func(x, y place) int {
		return cmp.Or(first(x.below, y.below), first(x.named, y.named), cmp.Compare(y.common, x.common), strings.Compare(x.root, y.root))
	})
	roots := make([]string, len(places))
	for i, p := range places {
		roots[i] = p.root
	}
	return roots
}

// first compares by which of two is set.
func first(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

func commonBytes(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// contains reports whether path is dir or lies in it.
func contains(dir, path string) bool {
	if ignoresCase {
		dir, path = strings.ToLower(dir), strings.ToLower(path)
	}
	return dir == path || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// realPath returns a path with the links of its existing part resolved, so that
// one that does not exist compares with those of the port map.
func realPath(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	path = filepath.Clean(path)
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if root, err := portmap.Canonical(dir); err == nil {
			return filepath.Join(root, rest)
		}
		if filepath.Dir(dir) == dir {
			return path
		}
	}
}

func canonicalAll(paths []string) []string {
	var found []string
	for _, path := range paths {
		if root, err := portmap.Canonical(path); err == nil {
			found = append(found, root)
		}
	}
	return found
}
