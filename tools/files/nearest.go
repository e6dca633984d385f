package files

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Limits on the names in the failure of a file that is missing.
const (
	nearestTime  = 500 * time.Millisecond // of looking for them
	maxNearest   = 3
	maxNameBytes = 100 // of a name whose spelling is compared
)

// missing adds the nearest names to the error of a file that is not there.
func (t *Tool) missing(ctx context.Context, name string, err error) error {
	var onDisk *disk.Error
	if !errors.As(err, &onDisk) || onDisk.Reason != disk.NotFound {
		return err
	}
	f := t.failureOf(err)
	near := t.nearestFiles(ctx, name)
	if len(near) == 0 {
		f.Hint = "no file has a name like it; fs_list_entries lists what there is"
		return f
	}
	for i, n := range near {
		near[i] = clip.Text(n, 150)
	}
	f.Hint = "the nearest: " + strings.Join(near, ", ")
	return f
}

// nearestFiles returns the files that fs_list_entries would list whose paths
// are most like name, the best first.
func (t *Tool) nearestFiles(ctx context.Context, name string) []string {
	ctx, cancel := context.WithTimeout(ctx, nearestTime)
	defer cancel()
	n := nearestNames{name: name, folder: path.Dir(name), base: strings.ToLower(path.Base(name))}
	// An error ends the search; what was found stands.
	_, _, _, _ = t.files().List(ctx, "", tree.Listing{Match: func(e *tree.Entry) bool {
		if e.Kind == tree.File && !disk.IsTemp(e.Path) {
			n.consider(e.Path)
		}
		return false
	}})
	return n.paths()
}

// nearestNames collects the paths most like a name. Its method consider is safe
// for concurrent use.
type nearestNames struct {
	name, folder, base string // base in lower case

	mu   sync.Mutex
	best []nearName
}

type nearName struct {
	path     string
	distance int
}

func (n *nearestNames) consider(candidate string) {
	d, ok := n.distance(candidate)
	if !ok {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.best = append(n.best, nearName{candidate, d})
	slices.SortFunc(n.best, func(a, b nearName) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.path, b.path))
	})
	n.best = n.best[:min(len(n.best), maxNearest)]
}

// distance ranks a path: the same but for case; of that name in another folder,
// those with more folders in common first; in the same folder with another
// extension; of a name spelled nearly so. False: it is not like it.
func (n *nearestNames) distance(candidate string) (int, bool) {
	if strings.EqualFold(candidate, n.name) {
		return 0, true
	}
	base := strings.ToLower(path.Base(candidate))
	same := strings.EqualFold(path.Dir(candidate), n.folder)
	elsewhere := 0
	if !same {
		elsewhere = 50 - min(49, commonFolders(path.Dir(candidate), n.folder))
	}
	switch {
	case base == n.base:
		return 1 + elsewhere, true
	case same && stem(base) == stem(n.base):
		return 100, true
	}
	limit := min(3, len(n.base)/3)
	d := editDistance(base, n.base, limit)
	return 200 + 100*d + elsewhere, d <= limit
}

// stem returns a name without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// commonFolders counts the folders that two paths have in common, from their
// ends and from their beginnings.
func commonFolders(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n, m := 0, 0
	for n < min(len(x), len(y)) && strings.EqualFold(x[n], y[n]) {
		n++
	}
	for m < min(len(x), len(y)) && strings.EqualFold(x[len(x)-1-m], y[len(y)-1-m]) {
		m++
	}
	return max(n, m)
}

// editDistance counts the bytes to insert, delete or replace, neighbours that
// changed places as one; beyond limit it returns more than limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > maxNameBytes || len(b) > maxNameBytes {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func (n *nearestNames) paths() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]string, len(n.best))
	for i, b := range n.best {
		list[i] = b.path
	}
	return list
}
