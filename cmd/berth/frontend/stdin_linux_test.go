package frontend

import (
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// blocking reports whether a read of f waits in the kernel.
func blocking(t *testing.T, f *os.File) bool {
	t.Helper()
	conn, err := f.SyscallConn()
	require.NoError(t, err)
	var flags int
	require.NoError(t, conn.Control(func(fd uintptr) { flags, err = unix.FcntlInt(fd, unix.F_GETFL, 0) }))
	require.NoError(t, err)
	return flags&unix.O_NONBLOCK == 0
}

// pipe is one whose reading end blocks, as a process is handed it.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	var ends [2]int
	require.NoError(t, unix.Pipe2(ends[:], unix.O_CLOEXEC))
	return ended(t, ends[0]), ended(t, ends[1])
}

func ended(t *testing.T, fd int) *os.File {
	t.Helper()
	f := os.NewFile(uintptr(fd), "stream")
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func options(in io.Reader, out io.Writer, env string) Options {
	return Options{Stdin: in, Stdout: out, Stderr: io.Discard, LookupEnv: func(name string) (string, bool) { return "", name == env }}
}

func TestAPipeIsReadByThePollerAndPutBack(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	r, w := pipe(t)
	_, out := pipe(t)
	stdin, restore := options(r, out, "").alone()
	assert.Equal(t, 1, runtime.GOMAXPROCS(0))
	assert.False(t, blocking(t, r))
	assert.True(t, blocking(t, out))
	polled := stdin.(*os.File)
	require.NoError(t, polled.SetReadDeadline(time.Now()), "only what the poller waits for takes a deadline")
	_, err := polled.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, polled.SetReadDeadline(time.Time{}))
	_, err = w.WriteString("{}\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	text, err := io.ReadAll(stdin)
	require.NoError(t, err)
	assert.Equal(t, "{}\n", string(text))
	restore()
	assert.Equal(t, processors, runtime.GOMAXPROCS(0))
	assert.True(t, blocking(t, r), "a program that reads after us")
}

func TestWhatIsNoPipeOfOurOwnIsReadAsItIs(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	r, out := pipe(t)
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	socket, far := ended(t, ends[0]), ended(t, ends[1])
	again, err := unix.FcntlInt(socket.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	file, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for name, opts := range map[string]Options{
		"one socket for both ways": options(socket, ended(t, again), ""),
		"a device":                 options(file, out, ""),
		"GOMAXPROCS is set":        options(r, out, "GOMAXPROCS"),
		"no file":                  options(strings.NewReader(""), out, ""),
	} {
		t.Run(name, func(t *testing.T) {
			stdin, restore := opts.alone()
			assert.Equal(t, opts.Stdin, stdin)
			assert.Equal(t, processors, runtime.GOMAXPROCS(0))
			restore()
		})
	}
	for _, f := range []*os.File{r, socket, far} {
		assert.True(t, blocking(t, f))
	}
}

func TestASocketOfItsOwnIsReadByThePoller(t *testing.T) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	in, far := ended(t, ends[0]), ended(t, ends[1])
	_, out := pipe(t)
	_, restore := options(in, out, "").alone()
	defer restore()
	assert.False(t, blocking(t, in))
	assert.True(t, blocking(t, far), "the client's end is its own")
}
