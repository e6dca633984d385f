package designs

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// disk is the folder of the files. Every access goes through an [os.Root], so
// that symbolic links cannot lead out of the project.
type disk struct {
	root *os.Root
	// late is called just before a file is put in another's place; nil but in
	// tests, where another program writes in that moment.
	late func()
}

// tempEnding marks a file that is being written; a leftover is from a process
// that died.
const tempEnding = ".berth-tmp"

// hash names a file's content.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// stamp identifies a state of a file; "" if there is none.
func (d disk) stamp(name string) string {
	info, err := d.root.Stat(path.Join(folder, name))
	if err != nil {
		return ""
	}
	return stampOf(info)
}

func stampOf(info fs.FileInfo) string {
	return fmt.Sprintf("%s %d %d", info.Mode()&fs.ModeType, info.Size(), info.ModTime().UnixNano())
}

// read returns a file's content; nil where there is no such file.
func (d disk) read(name string) ([]byte, error) {
	full := path.Join(folder, name)
	info, err := d.root.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", full, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read %s: it is no ordinary file", full)
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("read %s: it has %d bytes, more than %d", full, info.Size(), maxBytes)
	}
	f, err := d.root.Open(full)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", full, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = fmt.Errorf("more than %d bytes", maxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", full, err)
	}
	if text == nil {
		text = []byte{}
	}
	return text, nil
}

// write puts content in a file's place, whole or not at all, and returns the
// stamp of just that content.
func (d disk) write(name string, text []byte) (stamp string, err error) {
	return d.put(name, text, d.rename)
}

// replace is write for a file that must still be in the state that was
// identifies. Its error is errAgain where it is not; what another program
// wrote there meanwhile stays or comes back.
func (d disk) replace(name string, text []byte, was string) (stamp string, err error) {
	return d.put(name, text, func(temp, name string) error {
		if d.stamp(name) != was {
			return errAgain
		}
		if d.late != nil {
			d.late()
		}
		if was == "" {
			return d.rename(temp, name)
		}
		return d.exchange(temp, name, was)
	})
}

func (d disk) rename(temp, name string) error {
	return d.root.Rename(path.Join(folder, temp), path.Join(folder, name))
}

// exchange puts temp in the file's place and looks at what comes out: another
// program may have written between the look before and the moment itself,
// into the file or over it. Where the system cannot, it renames.
func (d disk) exchange(temp, name, was string) error {
	dir, err := d.root.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	switch err := swap(dir, temp, name); {
	case errors.Is(err, errors.ErrUnsupported):
		return d.rename(temp, name)
	case errors.Is(err, fs.ErrNotExist): // it was removed
		return errAgain
	case err != nil:
		return err
	}
	if d.stamp(temp) == was {
		return d.root.Remove(path.Join(folder, temp))
	}
	if err := swap(dir, temp, name); err != nil {
		return err
	}
	return errAgain
}

// put writes content to a temporary file, which place puts where it belongs.
func (d disk) put(name string, text []byte, place func(temp, name string) error) (stamp string, err error) {
	full := path.Join(folder, name)
	if err := d.root.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("write %s: %w", full, bare(err))
	}
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	temp := "." + name + "." + hex.EncodeToString(random) + tempEnding
	if stamp, err = d.fill(path.Join(folder, temp), text); err == nil {
		err = place(temp, name)
	}
	if err != nil {
		_ = d.root.Remove(path.Join(folder, temp))
		return "", fmt.Errorf("write %s: %w", full, bare(err))
	}
	if dir, err := d.root.Open(folder); err == nil {
		_ = dir.Sync() // not every system can; the file is in place
		_ = dir.Close()
	}
	return stamp, nil
}

// bare returns an error without the name of a temporary file, so that the same
// problem has the same message.
func bare(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

func (d disk) fill(name string, text []byte) (stamp string, err error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	info, unknown := f.Stat()
	if err = errors.Join(err, unknown, f.Close()); err != nil {
		return "", err
	}
	return stampOf(info), nil
}

// tidy removes the temporary files of a process that died.
func (d disk) tidy() {
	dir, err := d.root.Open(folder)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, ".") && strings.HasSuffix(name, tempEnding) {
			_ = d.root.Remove(path.Join(folder, name))
		}
	}
}
