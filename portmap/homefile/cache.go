package homefile

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// settled is how long ago a file must have changed for its content to be kept.
// File systems count time in steps, some of two seconds: another change within
// the same step could leave a file that looks like the one that was read.
const settled = 3 * time.Second

// A Cache keeps what was read from files until they change, which one look at
// the file's identity, time, size and mode shows. Errors are not kept. The zero
// Cache is empty; it is safe for concurrent use.
type Cache[T any] struct {
	mu    sync.Mutex
	files map[string]cached[T] // by path
}

type cached[T any] struct {
	info  fs.FileInfo
	value T
}

// Read returns what read returned for the file at path, or calls it. The value
// is shared between callers, who must not change it.
func (c *Cache[T]) Read(path string, read func(path string) (T, error)) (T, error) {
	// Before reading: a change in between is then seen next time.
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return read(path)
	}
	if known, ok := c.get(path); ok && unchanged(known.info, info) {
		return known.value, nil
	}
	value, err := read(path)
	if err == nil && time.Since(info.ModTime()) >= settled {
		c.put(path, cached[T]{info, value})
	}
	return value, err
}

func (c *Cache[T]) get(path string) (cached[T], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.files[path]
	return known, ok
}

func (c *Cache[T]) put(path string, known cached[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]cached[T]{}
	}
	c.files[path] = known
}

func unchanged(before, now fs.FileInfo) bool {
	return os.SameFile(before, now) && before.ModTime().Equal(now.ModTime()) &&
		before.Size() == now.Size() && before.Mode() == now.Mode()
}
