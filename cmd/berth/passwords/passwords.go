// Package passwords keeps the passwords that a user typed for the connections
// of a project, outside of the project: one file for each project, in berth's
// own folder, that the user alone can read. A project's settings have the
// command that prints one ("berth password NAME") and never a password.
//
// Start with [Put] and [Read]. It is no vault: what runs as the user can read
// the file, as it can read ~/.pgpass. A program that keeps passwords better is
// named as passwordCommand instead. Invariants: the file has mode 0600 in a
// folder of mode 0700; it is replaced as a whole or stays.
package passwords

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/portmap/homefile"
	"github.com/berth-dev/berth/proxy/wire"
)

// record is a project's file.
type record struct {
	ProjectRoot string            `json:"projectRoot"`
	Passwords   map[string]string `json:"passwords"` // by the name of the connection
}

// maxBytes bounds a file.
const maxBytes = 1 << 20

// Read returns the password of a connection; false: none is kept.
func Read(home portmap.Home, root, connection string) (password string, ok bool, err error) {
	r, err := read(home, root)
	password, ok = r.Passwords[connection]
	return password, ok, err
}

// Put keeps the password of a connection, in place of one that is kept.
func Put(home portmap.Home, root, connection, password string) error {
	r, err := read(home, root)
	if err != nil {
		return err
	}
	r.Passwords[connection] = password
	return write(home, r)
}

// Remove forgets the password of a connection and reports whether one was kept.
func Remove(home portmap.Home, root, connection string) (bool, error) {
	r, err := read(home, root)
	if err != nil {
		return false, err
	}
	if _, ok := r.Passwords[connection]; !ok {
		return false, nil
	}
	delete(r.Passwords, connection)
	return true, write(home, r)
}

// read reads a project's file; one that is not there is empty.
func read(home portmap.Home, root string) (record, error) {
	r := record{ProjectRoot: root, Passwords: map[string]string{}}
	path := home.PasswordsFile(root)
	data, err := homefile.Read(path, maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return r, fmt.Errorf("read the passwords of %s: %w", root, err)
	}
	var on record
	if err := wire.Decode(data, wire.MaxDepth, maxBytes, &on); err != nil {
		return r, fmt.Errorf("read the passwords of %s: %s is not what berth wrote; remove it, and connect again", root, path)
	}
	if on.ProjectRoot != root {
		return r, fmt.Errorf("read the passwords of %s: %s is about another project", root, path)
	}
	if on.Passwords == nil {
		on.Passwords = r.Passwords
	}
	return on, nil
}

// write replaces a project's file.
func write(home portmap.Home, r record) error {
	path := home.PasswordsFile(r.ProjectRoot)
	fail := func(err error) error { return fmt.Errorf("keep the password: %w", err) }
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fail(err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-") // mode 0600
	if err != nil {
		return fail(err)
	}
	_, err = temporary.Write(append(data, '\n'))
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fail(errors.Join(err, os.Remove(temporary.Name())))
	}
	return nil
}
