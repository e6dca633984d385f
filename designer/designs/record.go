package designs

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-dev/berth/portmap/homefile"
)

// record stores, for each file, which content is berth's own. It is kept beside
// the session's state, on this machine only, and is written before the file: if
// the process dies in between, the record matches the file either way. Without
// it every file counts as changed by others, which at worst imports again what
// the design already has.
type record struct {
	path  string
	Files map[string]fileRecord `json:"files"`
}

// fileRecord is the record of one file.
type fileRecord struct {
	ConnectionID string   `json:"connectionId"` // whose design was written there
	Hashes       []string `json:"hashes"`       // of the content before and that written last
}

// maxRecordBytes is enough for some hundred thousand files.
const maxRecordBytes = 64 << 20

func loadRecord(dir string) *record {
	r := &record{path: filepath.Join(dir, "designs.json")}
	text, err := homefile.Read(r.path, maxRecordBytes)
	if err != nil || json.Unmarshal(text, r) != nil || r.Files == nil {
		r.Files = map[string]fileRecord{}
	}
	return r
}

// has reports whether content is what berth wrote of the connection's design.
func (r *record) has(file, connectionID, hash string) bool {
	f, ok := r.Files[file]
	return ok && f.ConnectionID == connectionID && slices.Contains(f.Hashes, hash)
}

// put records that a file has one of these contents, and stores the record.
func (r *record) put(file, connectionID string, hashes ...string) error {
	f := fileRecord{ConnectionID: connectionID, Hashes: hashes}
	if was, ok := r.Files[file]; ok && was.ConnectionID == connectionID && slices.Equal(was.Hashes, hashes) {
		return nil
	}
	r.Files[file] = f
	return r.store()
}

// forget records that a file is gone.
func (r *record) forget(file string) error {
	if _, ok := r.Files[file]; !ok {
		return nil
	}
	delete(r.Files, file)
	return r.store()
}

func (r *record) store() error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	temp := r.path + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, r.path)
}
