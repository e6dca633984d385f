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
	blob    bool   // its content is bytes in the row, not text
}

// Read implements [store.Store].
func (s *Store) Read(ctx context.Context, path string) (f *store.File, err error) {
	err = s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		var from querier = db
		if sh.dialect == dialectSQLite {
			from = s.reads.of(db)
		}
		f, err = s.file(ctx, from, sh, path, "")
		return err
	})
	return f, err
}

// file reads the row of a path. Lock is added to the query.
func (s *Store) file(ctx context.Context, db querier, sh *shape, path, lock string) (*store.File, error) {
	where, args := sh.rowsOf(path)
	size := sh.size()
	query := fmt.Sprintf("SELECT %s, %s, %s, CASE WHEN %[3]s > %d THEN NULL ELSE %s END FROM %s WHERE %s%s",
		sh.column(sh.opts.Columns.Path), sh.updatedAt(), size, disk.MaxFile, sh.column(sh.opts.Columns.Content), sh.table, where, lock)
	var found []*store.File
	err := each(ctx, db, query, args, func(scan func(...any) error) error {
		f := &store.File{Path: path}
		var at any
		var spelled string
		var content content
		if err := scan(&spelled, &at, &f.Size, &content); err != nil {
			return err
		}
		if strings.TrimPrefix(spelled, "/") != path { // a collation that ignores case
			return nil
		}
		if f.Whole = f.Size <= disk.MaxFile; f.Whole {
			f.Content, f.Size = content.bytes, int64(len(content.bytes)) // databases count in their own encoding
		}
		f.ModTime, f.Origin = timeOf(at), origin{s, spelled, content.blob}
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
	case !found[0].Whole:
		found[0].Content, err = sh.head(ctx, db, path)
	}
	return found[0], err
}

// head reads the first bytes of a file that is too large to be read.
func (sh *shape) head(ctx context.Context, db querier, path string) ([]byte, error) {
	where, args := sh.rowsOf(path)
	query := fmt.Sprintf("SELECT substr(%s, 1, %d) FROM %s WHERE %s", sh.column(sh.opts.Columns.Content), headBytes, sh.table, where)
	var head content // a part of a text counts in characters
	err := db.QueryRowContext(ctx, query, args...).Scan(&head)
	return head.bytes[:min(len(head.bytes), headBytes)], err
}

// content is that of a row, as a database has it.
type content struct {
	bytes []byte // never nil
	blob  bool   // it is bytes there, not text
}

// Scan implements [sql.Scanner].
func (c *content) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*c = content{bytes: []byte{}}
	case []byte:
		*c = content{bytes: append([]byte{}, v...), blob: true}
	case string:
		*c = content{bytes: []byte(v)}
	default: // a number, which SQLite keeps in a column without a type
		*c = content{bytes: fmt.Append(nil, v)}
	}
	return nil
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
	if len(paths) == 0 {
		return nil
	}
	where, args := sh.rowsOf(paths...)
	query := "SELECT " + sh.column(sh.opts.Columns.Path) + ", " + sh.column(sh.opts.Columns.Content) + " FROM " + sh.table + " WHERE " + where
	return each(ctx, db, query, args, func(scan func(...any) error) error {
		var spelled string
		var rules content
		err := scan(&spelled, &rules)
		ignore.Add(strings.TrimPrefix(spelled, "/"), rules.bytes)
		return err
	})
}

// List implements [store.Store]. Times are looked up for what is shown alone:
// to read those of all rows takes as long as to read all paths.
func (s *Store) List(ctx context.Context, prefix string, l tree.Listing) (list []tree.ListItem, total int, counts tree.Counts, err error) {
	err = s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		rows, err := sh.list(ctx, db, prefix)
		if err != nil {
			return err
		}
		ignore := tree.NewIgnore()
		if err := sh.addIgnoreFiles(ctx, db, ignore, ignoreFilesOf(prefix, rows.paths)); err != nil {
			return err
		}
		flat := tree.NewFlat(prefix, ignore, l)
		for _, path := range rows.paths {
			flat.File(path)
		}
		list, total, counts = flat.List()
		counts.Unreadable += rows.unreadable
		return sh.addTimes(ctx, db, list, rows)
	})
	return list, total, counts, err
}

// listed are the rows below a prefix.
type listed struct {
	paths      []string
	bare       int // of them without a leading slash in the row
	unreadable int // rows that no tool could name
}

// spelled returns some of the paths as the rows may have them.
func (l *listed) spelled(paths []string) []string {
	switch l.bare {
	case 0:
		return slashed(paths)
	case len(l.paths):
		return paths
	}
	return append(slashed(paths), paths...)
}

func slashed(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		list[i] = "/" + path
	}
	return list
}

// list reads the paths below a prefix.
func (sh *shape) list(ctx context.Context, db *sql.DB, prefix string) (l *listed, err error) {
	where, args := sh.rowsBelow(prefix)
	query := "SELECT " + sh.column(sh.opts.Columns.Path) + " FROM " + sh.table + " WHERE " + where
	var check pathCheck
	l = &listed{}
	var spelled string
	err = each(ctx, db, query, args, func(scan func(...any) error) error {
		if err := scan(&spelled); err != nil {
			return err
		}
		path, ok := check.inside(spelled)
		if !ok {
			l.unreadable++
			return nil
		}
		if len(path) == len(spelled) {
			l.bare++
		}
		l.paths = append(l.paths, path)
		return nil
	})
	return l, err
}

// addTimes looks up the times of items. A folder has that of one of its files.
func (sh *shape) addTimes(ctx context.Context, db *sql.DB, list []tree.ListItem, rows *listed) error {
	if sh.opts.Columns.UpdatedAt == "" || len(list) == 0 {
		return nil
	}
	paths := make([]string, len(list))
	for i := range list {
		paths[i] = list[i].File
	}
	where, args := sh.rowsSpelled(rows.spelled(paths))
	query := "SELECT " + sh.column(sh.opts.Columns.Path) + ", " + sh.updatedAt() + " FROM " + sh.table + " WHERE " + where
	times := make(map[string]time.Time, len(list))
	err := each(ctx, db, query, args, func(scan func(...any) error) error {
		var spelled string
		var at any
		err := scan(&spelled, &at)
		times[strings.TrimPrefix(spelled, "/")] = timeOf(at)
		return err
	})
	for i := range list {
		list[i].Stat.ModTime = times[list[i].File]
	}
	return err
}

// ignoreFilesOf returns the ignore files among the rows, and those that decide
// about the prefix.
func ignoreFilesOf(prefix string, paths []string) []string {
	var list []string
	for _, path := range paths {
		if tree.IsIgnoreFile(path) {
			list = append(list, path)
		}
	}
	return append(list, tree.IgnoreFiles(prefix)...)
}
