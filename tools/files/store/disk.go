package store

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/search"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Disk returns the files of a project's folder.
func Disk(project *disk.Project) Store { return onDisk{project} }

type onDisk struct{ project *disk.Project }

func (d onDisk) List(ctx context.Context, prefix string, l tree.Listing) ([]tree.ListItem, int, tree.Counts, error) {
	return tree.List(ctx, d.project.Root(), prefix, l)
}

func (d onDisk) Read(_ context.Context, path string) (*File, error) {
	s, err := d.project.Read(path)
	if err != nil {
		return nil, err
	}
	return &File{Path: s.Path, Content: s.Content, Whole: s.Whole, Size: s.Size, ModTime: s.ModTime, Origin: s}, nil
}

func (d onDisk) Search(ctx context.Context, q search.Query, opts search.Options) (search.Result, error) {
	return search.Search(ctx, d.project.Root(), q, opts)
}

func (d onDisk) Hidden(_ context.Context, path string) (tree.Verdict, error) {
	return tree.Check(d.project.Root(), path, false)
}

func (d onDisk) Where(context.Context, string) (Where, error) { return Where{}, nil }

func (d onDisk) Writable(f *File) error {
	s, err := snapshot(f)
	if err != nil {
		return err
	}
	return s.Writable()
}

func (d onDisk) Replace(_ context.Context, was *File, content []byte) (disk.Method, error) {
	s, err := snapshot(was)
	if err != nil {
		return "", err
	}
	return d.project.Replace(s, content)
}

func (d onDisk) Free(_ context.Context, path string) error { return d.project.Free(path) }

func (d onDisk) Make(_ context.Context, path string, content []byte) (disk.Method, error) {
	return d.project.Make(path, content)
}

// snapshot returns a file as it was read from disk. One of another store, as
// after a change of the settings between two steps of a call, is stale.
func snapshot(f *File) (*disk.Snapshot, error) {
	s, ok := f.Origin.(*disk.Snapshot)
	if !ok {
		return nil, &disk.Error{Reason: disk.Stale, Message: fmt.Sprintf("%s was read from another place; read it again", f.Path)}
	}
	return s, nil
}
