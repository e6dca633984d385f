package clients

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-dev/berth/portmap/homefile"
)

// A Record remembers what was put into which file, so that taking it out gives
// the bytes back that were there before. It is the user's alone: what was taken
// out of a file may be private.
type Record struct {
	path  string
	files map[string][]splice // by real path, the oldest first
}

// splice is one change of a file.
type splice struct {
	Before  string   `json:"before,omitempty"` // digest; empty: there was no file
	After   string   `json:"after"`
	At      int      `json:"at"`
	Out     []byte   `json:"out,omitempty"`
	In      []byte   `json:"in,omitempty"`
	Folders []string `json:"folders,omitempty"` // made for it, absolute
}

// maxRecordBytes bounds the record.
const maxRecordBytes = 4 << 20

// OpenRecord reads the record at path. One that cannot be read is empty: an
// entry can be taken out without it, if not always to the byte.
func OpenRecord(path string) *Record {
	r := &Record{path: path, files: map[string][]splice{}}
	if data, err := homefile.Read(path, maxRecordBytes); err == nil {
		_ = json.Unmarshal(data, &r.files)
	}
	return r
}

func digest(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// undo returns the text before all changes that led to this one; ok is false if
// the file has changed since, or was never changed.
func (r *Record) undo(path string, text []byte) (before []byte, ok bool) {
	list := r.files[path]
	for i := len(list) - 1; i >= 0 && text != nil; i-- {
		s := list[i]
		if s.After != digest(text) || s.At < 0 || s.At+len(s.In) > len(text) {
			break
		}
		back := bytes.Join([][]byte{text[:s.At], s.Out, text[s.At+len(s.In):]}, nil)
		if s.Before == "" {
			back = nil
		} else if back == nil {
			back = []byte{}
		}
		if digest(back) != s.Before {
			break
		}
		text, ok = back, true
	}
	return text, ok
}

// note enters a change, before it is made: an entry whose change was never made
// fits no text.
func (r *Record) note(s *staged) {
	path := s.path()
	list := r.files[path]
	if s.undo || s.After == nil {
		delete(r.files, path)
		for _, old := range list {
			if s.After == nil {
				s.emptied = append(s.emptied, old.Folders...)
			}
		}
		return
	}
	if n := len(list); n > 0 && list[n-1].After != digest(s.Before) {
		list = nil
	}
	made := splice{Before: digest(s.Before), After: digest(s.After), Folders: s.made}
	shorter := min(len(s.Before), len(s.After))
	for made.At < shorter && s.Before[made.At] == s.After[made.At] {
		made.At++
	}
	tail := 0
	for tail < shorter-made.At && s.Before[len(s.Before)-1-tail] == s.After[len(s.After)-1-tail] {
		tail++
	}
	made.Out = s.Before[made.At : len(s.Before)-tail]
	made.In = s.After[made.At : len(s.After)-tail]
	r.files[path] = append(list, made)
}

// save replaces the record.
func (r *Record) save() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("note what changes, so that it can be taken back: %w", err)
		}
	}()
	if len(r.files) == 0 {
		if err := os.Remove(r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(r.files)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(r.path), filepath.Base(r.path)+"-") // mode 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(data)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), r.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// Files returns the paths that berth was put into and not taken out of, as far
// as they are still there.
func (r *Record) Files() []string {
	var there []string
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		if isFile(path) {
			there = append(there, path)
		}
	}
	return there
}
