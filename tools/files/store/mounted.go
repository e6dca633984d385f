package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/search"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Mounted returns the files of base with those of inner below the folder at, a
// parsed path. What base has there is not seen. An at of "" puts inner in the
// place of base.
func Mounted(base Store, at string, inner Store) Store {
	if at == "" {
		return inner
	}
	return &mounted{base: base, at: at + "/", inner: inner}
}

// Under reports whether a path is at or below the folder at; "": all are.
func Under(at, path string) bool {
	return at == "" || path == at || strings.HasPrefix(path, at+"/")
}

type mounted struct {
	base, inner Store
	at          string // with a trailing slash
}

// split returns the store of a path, and the path there.
func (m *mounted) split(path string) (s Store, inner string, isInner bool) {
	inner, isInner = strings.CutPrefix(path, m.at)
	if isInner {
		return m.inner, inner, true
	}
	return m.base, path, false
}

// folder refuses the folder itself as a file.
func (m *mounted) folder(path string) error {
	if path+"/" == m.at {
		return &disk.Error{Reason: disk.NotFile, Message: path + " is a folder; fs_list_entries lists what is in it"}
	}
	return nil
}

// prefixes returns which stores have paths that begin with prefix, and how the
// inner one spells it.
func (m *mounted) prefixes(prefix string) (base, inner bool, innerPrefix string) {
	if rest, below := strings.CutPrefix(prefix, m.at); below {
		return false, true, rest
	}
	return true, strings.HasPrefix(m.at, prefix), ""
}

func (m *mounted) List(ctx context.Context, prefix string, l tree.Listing) ([]tree.ListItem, int, tree.Counts, error) {
	var list []tree.ListItem
	var total int
	var counts tree.Counts
	inBase, inInner, innerPrefix := m.prefixes(prefix)
	if inBase {
		visible := l
		visible.Match = func(e *tree.Entry) bool {
			return e.Path+"/" != m.at && !strings.HasPrefix(e.Path, m.at) && (l.Match == nil || l.Match(e))
		}
		var err error
		if list, total, counts, err = m.base.List(ctx, prefix, visible); err != nil {
			return nil, 0, counts, err
		}
	}
	if inInner {
		items, n, more, err := m.inner.List(ctx, innerPrefix, m.listing(l))
		if err != nil {
			return nil, 0, counts, err
		}
		for _, i := range items {
			i.Path = m.at + i.Path
			list = append(list, i)
		}
		total += n
		counts.Add(more)
	}
	at := tree.Stat{} // a folder of rows has no time of its own
	if len(list) > 0 && strings.HasPrefix(list[len(list)-1].Path, m.at) {
		at.ModTime = list[len(list)-1].Stat.ModTime
	}
	folder := &tree.Entry{Path: strings.TrimSuffix(m.at, "/"), Kind: tree.Folder}
	if inBase && strings.HasPrefix(folder.Path, prefix) && (l.Match == nil || l.Match(folder)) {
		total++
		if folder.Path > l.After {
			list = append(list, tree.ListItem{Path: folder.Path, Kind: tree.Folder, Stat: at})
		}
	}
	slices.SortFunc(list, func(a, b tree.ListItem) int { return cmp.Compare(a.Path, b.Path) })
	if l.Most > 0 && len(list) > l.Most {
		list = list[:l.Most]
	}
	return list, total, counts, nil
}

// listing returns what to list of the inner store.
func (m *mounted) listing(l tree.Listing) tree.Listing {
	match := l.Match
	if match != nil {
		l.Match = func(e *tree.Entry) bool {
			outer := *e
			outer.Path = m.at + e.Path
			return match(&outer)
		}
	}
	switch after, below := strings.CutPrefix(l.After, m.at); {
	case below:
		l.After = after
	case l.After > m.at:
		l.After = "\U0010ffff" // behind every path
	default:
		l.After = ""
	}
	return l
}

func (m *mounted) Search(ctx context.Context, q search.Query, opts search.Options) (search.Result, error) {
	inBase, inInner, innerPrefix := m.prefixes(q.Prefix)
	if inBase && inInner && q.Rank {
		return search.Result{}, fmt.Errorf("%w: rank is for files that a database has: give path_prefix %s, or leave out rank", search.ErrQuery, m.at)
	}
	var results [2]search.Result
	var errs [2]error
	var wg sync.WaitGroup
	if inBase {
		visible := opts
		visible.Exclude = m.at
		wg.Go(func() { results[0], errs[0] = m.base.Search(ctx, q, visible) })
	}
	if inInner {
		q, below := q, opts
		q.Prefix = innerPrefix
		if withhold := opts.Withhold; withhold != nil {
			below.Withhold = func(path string) bool { return withhold(m.at + path) }
		}
		wg.Go(func() { results[1], errs[1] = m.inner.Search(ctx, q, below) })
	}
	wg.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return search.Result{}, err
	}
	for i := range results[1].Hits {
		results[1].Hits[i].Path = m.at + results[1].Hits[i].Path
	}
	return search.Merge(q.HitLimit(), results[:]...), nil
}

func (m *mounted) Read(ctx context.Context, path string) (*File, error) {
	s, inner, _ := m.split(path)
	if err := m.folder(path); err != nil {
		return nil, err
	}
	f, err := s.Read(ctx, inner)
	if err != nil {
		return nil, err
	}
	f.Path = path
	return f, nil
}

func (m *mounted) Hidden(ctx context.Context, path string) (tree.Verdict, error) {
	s, inner, isInner := m.split(path)
	v, err := s.Hidden(ctx, inner)
	if isInner && v.Source != "" {
		v.Source = m.at + v.Source
	}
	return v, err
}

func (m *mounted) Where(ctx context.Context, path string) (Where, error) {
	s, inner, _ := m.split(path)
	return s.Where(ctx, inner)
}

func (m *mounted) Writable(f *File) error {
	s, _, _ := m.split(f.Path)
	return s.Writable(f)
}

func (m *mounted) Replace(ctx context.Context, was *File, content []byte) (disk.Method, error) {
	s, inner, _ := m.split(was.Path)
	f := *was
	f.Path = inner
	return s.Replace(ctx, &f, content)
}

func (m *mounted) Free(ctx context.Context, path string) error {
	s, inner, _ := m.split(path)
	if err := m.folder(path); err != nil {
		return err
	}
	return s.Free(ctx, inner)
}

func (m *mounted) Make(ctx context.Context, path string, content []byte) (disk.Method, error) {
	s, inner, _ := m.split(path)
	if err := m.folder(path); err != nil {
		return "", err
	}
	return s.Make(ctx, inner, content)
}
