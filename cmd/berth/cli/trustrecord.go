package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// trustRecord is what the user trusts of one project's own files.
type trustRecord struct {
	ProjectRoot string            `json:"projectRoot"`
	Trusted     map[string]string `json:"trusted"` // the words of each ask, by its digest
}

// maxTrustBytes bounds a record.
const maxTrustBytes = 4 << 20

// trustedAsks returns what reports whether the user trusts an ask of the
// project, as the record is now. One that cannot be read trusts nothing.
func trustedAsks(home portmap.Home, root string) func(digest string) bool {
	record, _ := readTrust(home, root) // berth trust says what is wrong with it
	return func(digest string) bool { _, ok := record.Trusted[digest]; return ok }
}

// readTrust reads the record of a project; one that is not there is empty.
func readTrust(home portmap.Home, root string) (trustRecord, error) {
	record := trustRecord{ProjectRoot: root}
	path := home.TrustFile(root)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return record, nil
	case err != nil:
		return record, fmt.Errorf("read what is trusted: %w", err)
	case !info.Mode().IsRegular():
		return record, fmt.Errorf("read what is trusted: %s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return record, fmt.Errorf("read what is trusted: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxTrustBytes+1))
	if err != nil {
		return record, fmt.Errorf("read what is trusted: %w", err)
	}
	var read trustRecord
	if err := wire.Decode(data, wire.MaxDepth, maxTrustBytes, &read); err != nil {
		return record, fmt.Errorf("read what is trusted in %s: %w", path, err)
	}
	if read.ProjectRoot != root {
		return record, fmt.Errorf("read what is trusted: %s is about %s", path, quote(read.ProjectRoot))
	}
	return read, nil
}

// recordTrust keeps that asks are trusted, beside those that were already and
// are still there. What a project's files ask no longer is forgotten.
func recordTrust(home portmap.Home, root string, present, trusted []settings.Ask) error {
	old, _ := readTrust(home, root)
	record := trustRecord{ProjectRoot: root, Trusted: map[string]string{}}
	for _, ask := range present {
		if _, ok := old.Trusted[ask.Digest]; ok {
			record.Trusted[ask.Digest] = ask.Words
		}
	}
	for _, ask := range trusted {
		record.Trusted[ask.Digest] = ask.Words
	}
	if err := writeTrust(home, record); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}

// writeTrust replaces a record at once.
func writeTrust(home portmap.Home, record trustRecord) error {
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home.TrustDir(), 0o700); err != nil {
		return err
	}
	path := home.TrustFile(record.ProjectRoot)
	temporary, err := os.CreateTemp(home.TrustDir(), filepath.Base(path)+"-") // mode 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(append(data, '\n'))
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// revokeTrust forgets the record of a project; false: there was none.
func revokeTrust(home portmap.Home, root string) (bool, error) {
	err := os.Remove(home.TrustFile(root))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("revoke trust: %w", err)
	}
	return true, nil
}
