package schema

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// writeFile writes a file below the project's root, whole or not at all, and
// returns its name there. A file that is there already is replaced only if
// overwrite is set.
func (t *Tool) writeFile(name, text string, overwrite bool) (string, *failure) {
	root, name, refused := t.below(name)
	if refused != nil {
		return "", refused
	}
	defer func() { _ = root.Close() }() // it holds a directory only
	switch info, err := root.Lstat(name); {
	case err == nil && info.IsDir():
		return "", invalid("%s is a folder; give a file in it as payload.path", quote(name))
	case err == nil && !overwrite:
		return "", invalid("the file %s is there already; give another payload.path, or options.overwrite", quote(name))
	}
	err := root.MkdirAll(path.Dir(name), 0o755)
	if err == nil {
		err = writeWhole(root, name, text, overwrite)
	}
	if errors.Is(err, fs.ErrExist) {
		return "", invalid("the file %s is there already; give another payload.path, or options.overwrite", quote(name))
	}
	if err != nil {
		return "", invalid("the file %s cannot be written: %v", quote(name), cause(err))
	}
	return name, nil
}

// writeWhole writes beside the file first: nobody sees half of it.
func writeWhole(root *os.Root, name, text string, overwrite bool) (err error) {
	beside := path.Join(path.Dir(name), ".berth-"+rand.Text())
	f, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if gone := root.Remove(beside); err == nil && !errors.Is(gone, fs.ErrNotExist) {
			err = gone
		}
	}()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if !overwrite { // takes the name, unless somebody has
		taken, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			err = taken.Close()
		}
		if err != nil {
			return err
		}
	}
	return root.Rename(beside, name)
}

// cause leaves the path out, which the message names.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// below opens the project's root and cleans a name that stays in it. A way
// through a symbolic link is refused: it may lead to where tools do not write.
func (t *Tool) below(name string) (*os.Root, string, *failure) {
	given := name
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, ":\x00") {
		return nil, "", invalid("payload.path must be relative to the project and below it, not %s", quote(given))
	}
	if protected(name) {
		return nil, "", invalid("payload.path %s lies where tools neither read nor write; choose another folder of the project", quote(name))
	}
	if t.opts.Root == "" {
		return nil, "", invalid("this instance has no project folder for files")
	}
	root, err := os.OpenRoot(t.opts.Root)
	if err != nil {
		return nil, "", invalid("the project's folder cannot be opened: %v", cause(err))
	}
	if link := linkOnTheWay(root, name); link != "" {
		_ = root.Close() // it holds a directory only
		return nil, "", invalid("%s is a symbolic link, which payload.path must not lead through; name the file itself", quote(link))
	}
	return root, name, nil
}

// linkOnTheWay returns the first part of a path that is a symbolic link; "":
// none.
func linkOnTheWay(root *os.Root, name string) string {
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		info, err := root.Lstat(name[:end])
		if err != nil {
			return "" // what is not there, or not to be looked at, fails where it is used
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return name[:end]
		}
	}
	return ""
}

// protected reports names that tools neither read nor write, as every file
// system may spell them: case, and on Windows trailing dots and spaces and
// short names.
func protected(name string) bool {
	parts := strings.Split(strings.ToLower(name), "/")
	for i, part := range parts {
		part = strings.TrimRight(part, ". ")
		exports := i == 0 && len(parts) > 2 && parts[1] == "exports"
		if part == ".git" || strings.HasPrefix(part, "git~") || strings.HasPrefix(part, "berth~") || part == ".berth" && !exports {
			return true
		}
	}
	return false
}

// maxImport bounds the bytes of a file that is imported.
const maxImport = 16 << 20

// withoutRows says how a dump becomes small.
const withoutRows = "dump the schema without its rows (mysqldump --no-data, pg_dump --schema-only, sqlite3 .schema)"

// importable are the endings of files that an import reads. Others may hold
// secrets, and a server that does not understand them repeats them.
const importable = ".sql .ddl .dbml .prisma .json"

// readFile reads a file below the project's root.
func (t *Tool) readFile(name string) (string, *failure) {
	root, name, refused := t.below(name)
	if refused != nil {
		return "", refused
	}
	defer func() { _ = root.Close() }() // it holds a directory only
	if ending := strings.ToLower(path.Ext(name)); ending == "" || !strings.Contains(importable+" ", ending+" ") {
		return "", invalid("%s is no file to import: its name must end in .sql, .ddl, .dbml, .prisma or .json", quote(name))
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", invalid("the file %s does not exist; payload.path is relative to the project's root", quote(name))
	case err != nil:
		return "", invalid("the file %s cannot be read: %v", quote(name), cause(err))
	case !info.Mode().IsRegular():
		return "", invalid("%s is not a file", quote(name))
	}
	f, err := root.Open(name)
	if err != nil {
		return "", invalid("the file %s cannot be read: %v", quote(name), cause(err))
	}
	defer func() { _ = f.Close() }() // only read from
	raw, err := io.ReadAll(io.LimitReader(f, maxImport+1))
	switch {
	case err != nil:
		return "", invalid("the file %s cannot be read: %v", quote(name), cause(err))
	case len(raw) > maxImport:
		return "", invalid("the file %s is larger than %d MiB, the limit here: "+withoutRows, quote(name), maxImport>>20)
	}
	return utf8Text(raw), nil
}
