// Package trust records what the user trusts of a project's own files, outside
// of the project. It decides nothing: what needs trust is an ask of
// cmd/berth/settings, and a person answers it at a terminal or on the page.
//
//	settings' asks ──a person's answer──▶ Add ──▶ record of the project
//	      ▲                                              │
//	      └──────────────── Trusted ◀────────────────────┘
//
// Start with [Trusted] to read and [Add] to write. Invariants: an ask is
// trusted as it is spelled, by its digest; a record that cannot be read trusts
// nothing; a record is replaced as a whole or stays.
package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// Sources are the inputs of a project's settings that do not lie in it, with
// what the user trusts. A nil lookupEnv is [os.LookupEnv].
func Sources(home portmap.Home, root string, lookupEnv func(string) (string, bool)) settings.Sources {
	return settings.Sources{
		GlobalFile:     home.ConfigFile(),
		VSCodeUserFile: vscodeUserFile(),
		LookupEnv:      lookupEnv,
		Trusted:        Trusted(home, root),
	}
}

// vscodeUserFile is where VS Code keeps a user's settings, "" where this
// system does not say.
func vscodeUserFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "Code", "User", "settings.json")
}

// Record is what the user trusts of one project's own files.
type Record struct {
	ProjectRoot string            `json:"projectRoot"`
	Trusted     map[string]string `json:"trusted"` // the words of each ask, by its digest
}

// maxBytes bounds a record.
const maxBytes = 4 << 20

// Trusted returns a function that reports whether the user trusts the ask with
// a digest, as the project's record is now. A record that cannot be read trusts
// nothing.
func Trusted(home portmap.Home, root string) func(digest string) bool {
	record, _ := Read(home, root) // berth trust says what is wrong with it
	return func(digest string) bool { _, ok := record.Trusted[digest]; return ok }
}

// Read reads the record of a project; one that is not there is empty.
func Read(home portmap.Home, root string) (Record, error) {
	record := Record{ProjectRoot: root}
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
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return record, fmt.Errorf("read what is trusted: %w", err)
	}
	var read Record
	if err := wire.Decode(data, wire.MaxDepth, maxBytes, &read); err != nil {
		return record, fmt.Errorf("read what is trusted in %s: %w", path, err)
	}
	if read.ProjectRoot != root {
		return record, fmt.Errorf("read what is trusted: %s is about %q", path, clip.Text(read.ProjectRoot, 60))
	}
	return read, nil
}

// Add records that asks are trusted, beside those of present that were trusted
// before. What a project's files no longer ask is dropped.
func Add(home portmap.Home, root string, present, trusted []settings.Ask) error {
	old, _ := Read(home, root)
	record := Record{ProjectRoot: root, Trusted: map[string]string{}}
	for _, ask := range present {
		if _, ok := old.Trusted[ask.Digest]; ok {
			record.Trusted[ask.Digest] = ask.Words
		}
	}
	for _, ask := range trusted {
		record.Trusted[ask.Digest] = ask.Words
	}
	if err := write(home, record); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}

// write replaces a record.
func write(home portmap.Home, record Record) error {
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

// Revoke removes the record of a project and reports whether there was one.
func Revoke(home portmap.Home, root string) (bool, error) {
	err := os.Remove(home.TrustFile(root))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("revoke trust: %w", err)
	}
	return true, nil
}

// Report is what berth trust --json prints and GET /trust answers.
type Report struct {
	ProjectRoot string `json:"projectRoot"`
	Command     string `json:"command"` // by which a person trusts the rest
	Asks        []Ask  `json:"asks"`
}

// Ask is an ask with what a person should know of it.
type Ask struct {
	settings.Ask
	Detail string `json:"detail,omitempty"`
}

// NewReport reports the asks of a project.
func NewReport(root string, asks []settings.Ask) Report {
	report := Report{ProjectRoot: root, Command: settings.TrustCommand(root), Asks: []Ask{}}
	for _, ask := range asks {
		report.Asks = append(report.Asks, Ask{ask, ask.Detail()})
	}
	return report
}
