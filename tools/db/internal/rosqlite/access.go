package rosqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A database in WAL mode needs its -wal and -shm files beside it to be read,
// and SQLite makes them even for a reader that may not write, and leaves them
// there. Where no -wal is there, no other program has the database open and
// all of it is in the one file: then the file is opened as immutable, which
// makes nothing. Should a writer come meanwhile, the file's stamp tells, the
// result is void ([ErrChanged]) and the next connection is an ordinary one.

// ErrChanged says that the file changed under a reader that had relied on its
// standing still. What was read is void; reading again will do.
var ErrChanged = errors.New("the database changed while it was read")

// stamp tells one state of a file from another.
type stamp struct {
	size int64
	time time.Time
	wal  bool // a -wal file is beside it
}

// state is a file's stamp and its identity.
type state struct {
	stamp stamp
	info  os.FileInfo
}

// access is how one connection opens the file.
type access struct {
	path      string
	immutable bool
	opened    state
}

func stateOf(path string) (state, error) {
	info, err := os.Stat(path)
	if err != nil {
		return state{}, &Error{Code: codeCantOpen, Message: statMessage(err)}
	}
	if !info.Mode().IsRegular() {
		return state{}, &Error{Code: codeCantOpen, Message: "not a regular file"}
	}
	_, err = os.Lstat(path + "-wal")
	return state{stamp{size: info.Size(), time: info.ModTime(), wal: err == nil}, info}, nil
}

func statMessage(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the file does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	return "the file cannot be read"
}

// access decides how to open the file. The header is read again only after
// the file changed: where locks belong to the process (POSIX), closing any
// handle of a file drops those that other connections hold on it.
func (c *Connector) access() (access, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := stateOf(c.path)
	if err != nil {
		return access{}, err
	}
	if now.stamp != c.seen {
		if c.wal, err = isWAL(c.path); err != nil {
			return access{}, err
		}
		c.seen = now.stamp
	}
	return access{path: c.path, immutable: c.wal && !now.stamp.wal, opened: now}, nil
}

// isWAL reads the header's format versions: 2 is WAL.
func isWAL(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, &Error{Code: codeCantOpen, Message: statMessage(err)}
	}
	defer func() { _ = f.Close() }() // only read from
	var header [20]byte
	_, err = io.ReadFull(f, header[:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil // an empty file is an empty database; SQLite judges the rest
	}
	if err != nil {
		return false, fmt.Errorf("read the database's header: %w", err)
	}
	return header[18] == 2 && header[19] == 2, nil
}

// changed reports whether the file is another than when the connection was
// opened, where that matters.
func (a access) changed() bool {
	if !a.immutable {
		return false
	}
	now, err := stateOf(a.path)
	return err != nil || now.stamp != a.opened.stamp || !os.SameFile(now.info, a.opened.info)
}

// outdated reports whether the connection is not to be used again: the file
// changed, or another one has its place, as after a database was re-created.
func (a access) outdated() bool {
	now, err := os.Stat(a.path)
	return err != nil || !os.SameFile(now, a.opened.info) || a.changed()
}

// uri names the file to SQLite.
func (a access) uri() string {
	path := filepath.ToSlash(a.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	uri := "file://" + (&url.URL{Path: path}).EscapedPath() + "?mode=ro"
	if a.immutable {
		uri += "&immutable=1"
	}
	return uri
}
