package dirwatch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const longest = 10 * time.Second

// testHub is a hub of its own that counts the system's watchers it has started.
func testHub() (h *hub, started *int) {
	started = new(int)
	return &hub{start: func() (system, error) {
		*started++
		return newSystem()
	}}, started
}

func open(t *testing.T, h *hub, dirs ...string) *Watcher {
	t.Helper()
	w, err := h.open()
	require.NoError(t, err)
	t.Cleanup(w.Close)
	for _, dir := range dirs {
		require.NoError(t, w.Add(dir))
	}
	return w
}

func write(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
}

// expect waits for a report of a name.
func expect(t *testing.T, w *Watcher, name string) {
	t.Helper()
	for deadline := time.After(longest); ; {
		select {
		case event := <-w.Events:
			if event.Name == name {
				return
			}
		case <-deadline:
			require.FailNow(t, "no report", name)
		}
	}
}

// silent asserts that a Watcher has no report of a name, once another one has
// shown that the system's reports of it were passed.
func silent(t *testing.T, w *Watcher, name string) {
	t.Helper()
	for {
		select {
		case event := <-w.Events:
			assert.NotEqual(t, name, event.Name)
		default:
			return
		}
	}
}

func TestManyWatchersAreOneSubscription(t *testing.T) {
	h, started := testHub()
	shared, own := t.TempDir(), t.TempDir()
	a, b := open(t, h, shared, own), open(t, h, shared)
	write(t, filepath.Join(shared, "f"))
	expect(t, a, filepath.Join(shared, "f"))
	expect(t, b, filepath.Join(shared, "f"))
	write(t, filepath.Join(own, "g"))
	expect(t, a, filepath.Join(own, "g"))
	silent(t, b, filepath.Join(own, "g"))
	assert.Equal(t, 1, *started)
}

// The part that no longer wants a directory must not take it from the others.
func TestWhatOneLeavesTheOthersKeep(t *testing.T) {
	h, _ := testHub()
	dir := t.TempDir()
	a, b, c := open(t, h, dir), open(t, h, dir), open(t, h, dir)
	a.Close()
	a.Close()
	b.Remove(dir)
	write(t, filepath.Join(dir, "f"))
	expect(t, c, filepath.Join(dir, "f"))
	silent(t, b, filepath.Join(dir, "f"))
	assert.Empty(t, b.Watched())
	assert.ErrorIs(t, a.Add(dir), fsnotify.ErrClosed)
	_, more := <-a.Events
	assert.False(t, more)
	c.Remove(dir)
	assert.Empty(t, h.system.WatchList())
}

func TestTheSubscriptionEndsWithTheLastAndBeginsAgain(t *testing.T) {
	h, started := testHub()
	dir := t.TempDir()
	open(t, h, dir).Close()
	assert.Nil(t, h.system)
	w := open(t, h, dir)
	write(t, filepath.Join(dir, "f"))
	expect(t, w, filepath.Join(dir, "f"))
	assert.Equal(t, 2, *started)
}

// Two parts may know one directory by two names, of which one is a link; the
// system watches it once and knows one name.
func TestEachHearsTheNameThatItGave(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link needs a privilege there")
	}
	h, _ := testHub()
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	a, b := open(t, h, dir), open(t, h, link)
	both := open(t, h, dir, link)
	write(t, filepath.Join(dir, "f"))
	expect(t, a, filepath.Join(dir, "f"))
	expect(t, b, filepath.Join(link, "f"))
	for _, name := range []string{dir, link} {
		write(t, filepath.Join(dir, "g"))
		expect(t, both, filepath.Join(name, "g"))
	}

	// The link now leads elsewhere: adding it again follows it.
	other := t.TempDir()
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink(other, link))
	require.NoError(t, b.Add(link))
	write(t, filepath.Join(other, "h"))
	expect(t, b, filepath.Join(link, "h"))
	write(t, filepath.Join(dir, "i"))
	expect(t, a, filepath.Join(dir, "i"))
	silent(t, b, filepath.Join(link, "i"))
}

func TestADirectoryThatWasReplacedIsFollowedWhenAddedAgain(t *testing.T) {
	h, _ := testHub()
	dir := filepath.Join(t.TempDir(), "d")
	require.NoError(t, os.Mkdir(dir, 0o700))
	a, b := open(t, h, dir), open(t, h, dir)
	require.NoError(t, os.Remove(dir))
	expect(t, a, dir)
	require.Eventually(t, func() bool { return len(a.Watched()) == 0 }, longest, time.Millisecond)
	require.Error(t, a.Add(dir), "it is not there")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, a.Add(dir))
	assert.Equal(t, []string{dir}, a.Watched())
	write(t, filepath.Join(dir, "f"))
	expect(t, a, filepath.Join(dir, "f"))
	expect(t, b, filepath.Join(dir, "f"))
}

// A part that does not receive must not stop the others, and learns that it
// missed something.
func TestAReceiverThatSleepsStopsNobody(t *testing.T) {
	h, _ := testHub()
	dir := t.TempDir()
	asleep, awake := open(t, h, dir), open(t, h, dir)
	for range buffered {
		h.report(fsnotify.Event{Name: filepath.Join(dir, "f"), Op: fsnotify.Write})
		<-awake.Events
	}
	assert.Empty(t, asleep.Errors)
	for range 2 {
		h.report(fsnotify.Event{Name: filepath.Join(dir, "f"), Op: fsnotify.Write})
		<-awake.Events
	}
	assert.ErrorIs(t, <-asleep.Errors, fsnotify.ErrEventOverflow)
	assert.Empty(t, awake.Errors)
	h.fail(errors.New("the kernel dropped some"))
	assert.EqualError(t, <-awake.Errors, "the kernel dropped some")
}

func TestASystemWithoutWatchesIsAnError(t *testing.T) {
	none := errors.New("too many open files")
	h := &hub{start: func() (system, error) { return nil, none }}
	_, err := h.open()
	assert.ErrorIs(t, err, none)
}

// Add, Remove and Close of many at once, while files change: for the race detector,
// and none may wait for ever.
func TestManyAtOnce(t *testing.T) {
	h, _ := testHub()
	dirs := []string{t.TempDir(), t.TempDir()}
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for range 30 {
				w, err := h.open()
				if !assert.NoError(t, err) {
					return
				}
				for _, dir := range dirs {
					assert.NoError(t, w.Add(dir))
				}
				assert.NoError(t, os.WriteFile(filepath.Join(dirs[i%2], "f"), []byte("x"), 0o600))
				w.Remove(dirs[0])
				w.Close()
			}
		})
	}
	running.Wait()
	assert.Nil(t, h.system)
	assert.Empty(t, h.watchers)
}
