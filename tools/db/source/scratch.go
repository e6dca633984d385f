package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/engine"
)

// scratchBook records the scratch databases that a project's engines make on
// servers: a file for each, of its name, written before it is made and removed
// once it is dropped. What is still recorded when a project's next process
// starts was left by one that was killed. Only one process at a time, the one
// that holds the project's state, makes any or sweeps.
type scratchBook struct {
	dir   string // "": nothing is recorded
	owner string // begins their names, after the prefix

	mu   sync.Mutex
	live map[string]bool // those that this process uses
}

// scratchRecord is the content of such a file.
type scratchRecord struct {
	Connection string `json:"connection"`
	Server     string `json:"server"`
	Name       string `json:"-"`
	made       time.Time
}

// newScratchBook keeps the records in dir, which it makes when it has to. The
// owner is dir on this host: a copy of a home directory elsewhere owns nothing
// of what the original made.
func newScratchBook(dir string) *scratchBook {
	host, _ := os.Hostname() // without one the folder alone decides
	sum := sha256.Sum256([]byte(host + "\x00" + dir))
	return &scratchBook{dir: dir, owner: hex.EncodeToString(sum[:8]), live: map[string]bool{}}
}

// on returns ctx for work that may make scratch databases through a connection.
func (b *scratchBook) on(ctx context.Context, connection, server string) context.Context {
	if b.dir == "" {
		return ctx
	}
	r := scratchRecord{Connection: connection, Server: server}
	return engine.WithScratch(ctx, engine.Scratch{Owner: b.owner, End: b.end,
		Begin: func(name string) error { return b.begin(name, r) }})
}

func (b *scratchBook) begin(name string, r scratchRecord) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.write(name, r); err != nil {
		return fmt.Errorf("record a scratch database: %w", err)
	}
	b.live[name] = true
	return nil
}

func (b *scratchBook) write(name string, r scratchRecord) (err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(b.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// end forgets a database that was dropped. One that may still be there is left
// to the next sweep.
func (b *scratchBook) end(name string, dropped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, name)
	if dropped {
		b.forget(name)
	}
}

// forget removes a record. One that stays is read again by the next sweep.
func (b *scratchBook) forget(name string) { _ = os.Remove(filepath.Join(b.dir, name)) }

// left lists the recorded databases that this process does not use.
func (b *scratchBook) left() ([]scratchRecord, error) {
	if b.dir == "" {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	entries, err := os.ReadDir(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []scratchRecord
	for _, e := range entries {
		if owner, ok := engine.ScratchOwner(e.Name()); !ok || owner != b.owner || b.live[e.Name()] || !e.Type().IsRegular() {
			continue
		}
		if r, ok := b.read(e.Name()); ok {
			all = append(all, r)
		}
	}
	return all, err
}

// read reads a record. One that a crash of the machine cut short was not
// followed by a database.
func (b *scratchBook) read(name string) (r scratchRecord, ok bool) {
	path := filepath.Join(b.dir, name)
	info, err := os.Lstat(path)
	if err != nil || info.Size() > 64<<10 {
		return r, false
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return r, false
	}
	r.Name, r.made = name, info.ModTime()
	return r, true
}
