package rows

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/tree"
)

// headBytes is how much of a file larger than disk.MaxFile is read.
const headBytes = 8 << 10

// origin is what a Store keeps of a file that it read.
type origin struct {
	store   *Store
	spelled string // its path in the row
}

// Read implements [store.Store].
func (s *Store) Read(ctx context.Context, path string) (f *store.File, err error) {
	err = s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		f, err = s.file(ctx, db, sh, path, "")
		return err
	})
	return f, err
}

// file reads the row of a path. Lock is added to the query.
func (s *Store) file(ctx context.Context, db querier, sh *shape, path, lock string) (*store.File, error) {
	where, args := sh.rowsOf(path)
	content := sh.content()
	head := content
	if sh.dialect == dialectPostgres && sh.isText() { // a part of a text counts in characters
		head = "convert_to(" + content + ", 'UTF8')"
	}
	query := fmt.Sprintf("SELECT %s, %s, %s, CASE WHEN %[3]s <= %[4]d THEN %[5]s END, CASE WHEN %[3]s > %[4]d THEN substr(%[6]s, 1, %[7]d) END FROM %[8]s WHERE %[9]s%[10]s",
		sh.column(sh.opts.Columns.Path), sh.updatedAt(), sh.size(), disk.MaxFile, content, head, headBytes, sh.table, where, lock)
	var found []*store.File
	err := each(ctx, db, query, args, func(scan func(...any) error) error {
		f := &store.File{Path: path}
		var at any
		var spelled string
		var whole, head []byte
		if err := scan(&spelled, &at, &f.Size, &whole, &head); err != nil {
			return err
		}
		if strings.TrimPrefix(spelled, "/") != path { // a collation that ignores case
			return nil
		}
		f.Whole = f.Size <= disk.MaxFile
		if f.Content = whole; !f.Whole {
			f.Content = head
		}
		f.ModTime, f.Origin = timeOf(at), origin{s, spelled}
		found = append(found, f)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, refuse(disk.NotFound, "%s is no row of %s", clip.Text(path, 300), s.place())
	case len(found) > 1:
		return nil, refuse(disk.NotFile, "%s is two rows of %s, with a leading slash and without; a person has to remove one", clip.Text(path, 300), s.place())
	}
	return found[0], nil
}

// timeOf returns a time as columns have it: as a time, as text, or as a number
// of seconds or milliseconds. The zero value: it is not known.
func timeOf(v any) time.Time {
	const milliseconds = 1e11 // and more, as times of this century
	switch v := v.(type) {
	case time.Time:
		return v
	case int64:
		if v > milliseconds {
			return time.UnixMilli(v)
		}
		return time.Unix(v, 0)
	case []byte:
		return timeOf(string(v))
	case string:
		for _, layout := range []string{time.RFC3339Nano, time.DateTime, "2006-01-02 15:04:05.999999999Z07:00", time.DateOnly} {
			if t, err := time.Parse(layout, v); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}

// Writable implements [store.Store].
func (s *Store) Writable(f *store.File) error {
	s.mu.Lock()
	sh := s.shape
	s.mu.Unlock()
	switch {
	case !f.Whole:
		return refuse(disk.TooLarge, "%s has %d bytes; files over %d are not edited", f.Path, f.Size, disk.MaxFile)
	case sh != nil && sh.unchangeable != "":
		return refuse(disk.ReadOnly, "%s is not written: %s", f.Path, sh.unchangeable)
	}
	return nil
}

// addIgnoreFiles adds the ignore files that exist among these paths.
func (sh *shape) addIgnoreFiles(ctx context.Context, db querier, ignore *tree.Ignore, paths []string) error {
	const atOnce = 200 // arguments are limited
	for len(paths) > 0 {
		part := paths[:min(len(paths), atOnce)]
		paths = paths[len(part):]
		where, args := sh.rowsOf(part...)
		query := "SELECT " + sh.column(sh.opts.Columns.Path) + ", " + sh.content() + " FROM " + sh.table + " WHERE " + where
		err := each(ctx, db, query, args, func(scan func(...any) error) error {
			var spelled string
			var content []byte
			err := scan(&spelled, &content)
			ignore.Add(strings.TrimPrefix(spelled, "/"), content)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// List implements [store.Store].
func (s *Store) List(ctx context.Context, prefix string, l tree.Listing) (list []tree.ListItem, total int, counts tree.Counts, err error) {
	err = s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		files, unreadable, err := sh.list(ctx, db, prefix)
		if err != nil {
			return err
		}
		ignore := tree.NewIgnore()
		if err := sh.addIgnoreFiles(ctx, db, ignore, ignoreFilesOf(prefix, files)); err != nil {
			return err
		}
		flat := tree.NewFlat(prefix, ignore, l)
		for _, f := range files {
			flat.File(f.path, tree.Stat{ModTime: f.at})
		}
		list, total, counts = flat.List()
		counts.Unreadable += unreadable
		return nil
	})
	return list, total, counts, err
}

// listed is a row of a listing.
type listed struct {
	path string
	at   time.Time
}

// list reads the rows below a prefix. Unreadable counts those whose path no
// tool could name.
func (sh *shape) list(ctx context.Context, db *sql.DB, prefix string) (files []listed, unreadable int, err error) {
	where, args := sh.rowsBelow(prefix)
	query := "SELECT " + sh.column(sh.opts.Columns.Path) + ", " + sh.updatedAt() + " FROM " + sh.table + " WHERE " + where
	var check pathCheck
	err = each(ctx, db, query, args, func(scan func(...any) error) error {
		var spelled string
		var at any
		if err := scan(&spelled, &at); err != nil {
			return err
		}
		path, ok := check.inside(spelled)
		if !ok {
			unreadable++
			return nil
		}
		files = append(files, listed{path, timeOf(at)})
		return nil
	})
	return files, unreadable, err
}

// ignoreFilesOf returns the ignore files among the rows, and those that decide
// about the prefix.
func ignoreFilesOf(prefix string, files []listed) []string {
	var list []string
	for _, f := range files {
		if tree.IsIgnoreFile(f.path) {
			list = append(list, f.path)
		}
	}
	return append(list, tree.IgnoreFiles(prefix)...)
}
