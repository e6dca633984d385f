package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/portmap/homefile"
)

// MaxInstanceBytes bounds an instance file.
const MaxInstanceBytes = 64 << 10

// ErrNotPrivate is wrapped by the error for a file with a secret that other
// users may read or write.
var ErrNotPrivate = errors.New("lets other users in")

// Instance is the content of instances/<port>.json: where an instance listens
// and the token that gives access to it. Only the user may read the file.
type Instance struct {
	ProjectRoot string    `json:"projectRoot"` // canonical
	Port        int       `json:"port"`
	PID         int       `json:"pid"`
	Version     string    `json:"version"`
	StartedAt   time.Time `json:"startedAt"`
	Token       Token     `json:"token"`
}

// URL is where the instance on a port is reached, without a credential.
func URL(port int) string { return "http://127.0.0.1:" + strconv.Itoa(port) }

// WriteInstance writes i to path so that a reader sees the old file, the new
// one or none: temporary file, fsync, rename. The directory is not synced:
// after a power cut there is no instance for the file to name, and readers
// would meanwhile see a file whose instance is still waiting for the disk.
// The file gets mode 0600, a directory that is missing 0700.
func WriteInstance(path string, i Instance) error {
	if err := i.check(); err != nil {
		return fmt.Errorf("write instance file %s: %w", path, err)
	}
	text, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return fmt.Errorf("write instance file %s: %w", path, err)
	}
	if err := writeFile(path, append(text, '\n')); err != nil {
		return fmt.Errorf("write instance file %s: %w", path, err)
	}
	return nil
}

// ReadInstance reads the file at path. It returns an error for a file that is
// not a regular one, that others may read or write (where the system has such
// modes), that is too long, not strict JSON, or incomplete. The error wraps
// fs.ErrNotExist if there is no file.
func ReadInstance(path string) (Instance, error) {
	raw, err := readPrivate(path)
	if err != nil {
		return Instance{}, fmt.Errorf("read instance file %s: %w", path, err)
	}
	var i Instance
	if err := Decode(raw, MaxDepth, MaxInstanceBytes, &i); err != nil {
		return Instance{}, fmt.Errorf("read instance file %s: %w", path, err)
	}
	if err := i.check(); err != nil {
		return Instance{}, fmt.Errorf("read instance file %s: %w", path, err)
	}
	return i, nil
}

// InstanceFiles reads instance files as [ReadInstance] does, each again only if
// it has changed. The zero value is ready to use.
type InstanceFiles struct{ files homefile.Cache[Instance] }

// Read returns the content of the file at path.
func (f *InstanceFiles) Read(path string) (Instance, error) {
	return f.files.Read(path, ReadInstance)
}

// RemoveInstance removes the file at path if it still describes the run i: the
// same pid and token. It reports whether it removed the file; a file that is
// gone or belongs to another run is not an error.
func RemoveInstance(path string, i Instance) (bool, error) {
	found, err := ReadInstance(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if found.PID != i.PID || !found.Token.Equal(i.Token) {
		return false, nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("remove instance file: %w", err)
	}
	return true, nil
}

func (i Instance) check() error {
	switch {
	case i.ProjectRoot == "" || !filepath.IsAbs(i.ProjectRoot):
		return errors.New("projectRoot is not an absolute path")
	case i.Port < 1 || i.Port > 65535:
		return fmt.Errorf("port %d is out of range", i.Port)
	case i.Token.IsZero():
		return errors.New("token is missing")
	}
	return nil
}

// readPrivate reads a file that only the user may access.
func readPrivate(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if !info.Mode().IsRegular() { // a symbolic link could lead to a file that others can write
		return nil, errors.New("not a regular file")
	}
	f, err := homefile.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := checkPrivate(info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, MaxInstanceBytes+1))
}

func writeFile(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	removeLeftovers(path)
	f, err := os.CreateTemp(dir, tempPrefix(path)+"*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	_, err = io.Copy(f, bytes.NewReader(text))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return homefile.WhileInUse(func() error { return os.Rename(f.Name(), path) })
}

func tempPrefix(path string) string { return "." + filepath.Base(path) + "-" }

// removeLeftovers removes the temporary files of a writer that was killed. No
// other process writes them now: the caller holds the port.
func removeLeftovers(path string) {
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), tempPrefix(path)) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), file.Name()))
		}
	}
}
