// Package store is what the file tools need of the place where files are. The
// tools decide what may be read and written, find edits and word replies; a
// [Store] lists, reads, searches and replaces. [Disk] is the project's folder;
// [Mounted] has the files of another store below a folder of it.
//
//	tools/files ─▶ Store ─┬─▶ Disk ─▶ tools/files/disk, tree, search
//	                      └─▶ Mounted ─▶ Disk, tools/files/rows
//
// Start with [Store]. Paths are relative to the store's root, with forward
// slashes, and were parsed by [disk.ParsePath]; errors for the caller are
// [*disk.Error]. Invariant: what was changed since it was read is not replaced.
package store

import (
	"context"
	"time"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/search"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Store is a place where files are. It is safe for concurrent use.
type Store interface {
	// List returns entries as [tree.List] does.
	List(ctx context.Context, prefix string, l tree.Listing) ([]tree.ListItem, int, tree.Counts, error)
	// Read returns a file, or the head of one that is larger than
	// [disk.MaxFile].
	Read(ctx context.Context, path string) (*File, error)
	// Search searches as [search.Search] does.
	Search(ctx context.Context, q search.Query, opts search.Options) (search.Result, error)
	// Hidden evaluates the ignore files for the path of a file.
	Hidden(ctx context.Context, path string) (tree.Verdict, error)
	// Where describes the place of a path.
	Where(ctx context.Context, path string) (Where, error)

	// Writable returns an error for a file that Replace refuses, without
	// revealing its content.
	Writable(f *File) error
	// Replace replaces the content of a file, unless it is no longer as it was
	// read: then the reason is [disk.Stale].
	Replace(ctx context.Context, was *File, content []byte) (disk.Method, error)
	// Free returns an error if there is a file of the path.
	Free(ctx context.Context, path string) error
	// Make creates a file. The reason is [disk.Exists] if there is one.
	Make(ctx context.Context, path string, content []byte) (disk.Method, error)
}

// File is a file as it was read.
type File struct {
	Path    string
	Content []byte // whole, or the head
	Whole   bool
	Size    int64 // bytes
	ModTime time.Time
	// Origin is the store's own: of a file on disk a [*disk.Snapshot].
	Origin any
}

// Where is the place of a file.
type Where struct {
	// Place identifies a place that is not the project's folder, for people:
	// "table files of connection main". An approval is valid for one place.
	Place string
	// MustAsk reports whether a person approves edits also in fast mode.
	MustAsk bool
}
