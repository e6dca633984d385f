package driver

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bare builds the echo server beside which berth is measured.
func bare(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bare")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, "github.com/berth-dev/berth/e2e/bench/bare").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

func open(t *testing.T, path string, o Options) *Client {
	t.Helper()
	c, err := Start(t.Context(), Command{Path: path, Env: os.Environ()}, o)
	require.NoError(t, err)
	t.Cleanup(c.Kill)
	return c
}

func echo(text string) Call { return Call{"echo", map[string]any{"text": text}} }

func TestTheDriverSpeaksWithARealServer(t *testing.T) {
	path := bare(t)
	t.Run("a call has its text, its time and its bytes", func(t *testing.T) {
		c := open(t, path, Options{})
		began, err := c.Handshake()
		require.NoError(t, err)
		assert.Contains(t, string(began.Result), `"name":"bare"`)
		long := strings.Repeat("long ", 500_000) // more than the buffer
		for _, text := range []string{"one", long} {
			reply, err := c.Tool(echo(text))
			require.NoError(t, err)
			assert.Equal(t, text, reply.Text)
			assert.Positive(t, reply.Took)
			assert.Greater(t, reply.Bytes, len(text))
		}
	})
	t.Run("a refusal is an error, and the session continues", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Handshake()
		require.NoError(t, err)
		_, err = c.Tool(Call{Tool: "nonesuch"})
		require.Error(t, err)
		assert.True(t, Refused(err), "%v", err)
		_, err = c.Tool(Call{"echo", map[string]any{"text": 7}}) // a result with isError
		require.Error(t, err)
		assert.True(t, Refused(err), "%v", err)
		_, err = c.Tool(echo("still there"))
		require.NoError(t, err)
	})
	t.Run("callers in parallel get as many answers as calls", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Handshake()
		require.NoError(t, err)
		for _, callers := range []int{1, 16, 64} {
			load, err := c.Load(callers, 100, echo("x"))
			require.NoError(t, err)
			assert.Len(t, load.Took, 100)
			assert.Zero(t, load.Refused)
			assert.Positive(t, load.Rate())
		}
		load, err := c.Load(4, 10, Call{Tool: "nonesuch"})
		require.NoError(t, err)
		assert.Equal(t, 10, load.Refused)
		assert.Zero(t, load.Rate())
		require.Error(t, load.Why)
	})
	t.Run("an answer can be waited for later", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Handshake()
		require.NoError(t, err)
		_, err = c.Begin(echo("later"))
		require.NoError(t, err)
		reply, err := c.Wait(20 * time.Second)
		require.NoError(t, err)
		assert.Equal(t, "later", reply.Text)
	})
	t.Run("it ends with its input", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Handshake()
		require.NoError(t, err)
		_, ok := c.CloseInput(20 * time.Second)
		assert.True(t, ok)
	})
	t.Run("one that does not end is killed", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Handshake()
		require.NoError(t, err)
		took, ok := c.end(50*time.Millisecond, func() {})
		assert.False(t, ok)
		assert.Equal(t, 50*time.Millisecond, took)
	})
	t.Run("one that does not answer is killed", func(t *testing.T) {
		c := open(t, path, Options{})
		_, err := c.Wait(50 * time.Millisecond) // for what was never asked
		require.Error(t, err)
		assert.False(t, Refused(err))
	})
	t.Run("one that takes longer than the patience is killed", func(t *testing.T) {
		c := open(t, path, Options{Patience: 20 * time.Millisecond})
		stop := c.guard()
		defer stop()
		_, err := c.answer()
		require.Error(t, err)
	})
}

func TestWhatIsNoAnswerIsPassedOver(t *testing.T) {
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`: false,
		`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`:                 false,
		`{"result":{"content":[]},"jsonrpc":"2.0","id":1}`:               true,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`:    true,
	} {
		_, ok, err := parse([]byte(line))
		require.NoError(t, err)
		assert.Equal(t, want, ok, line)
	}
	_, _, err := parse([]byte("Listening on stdio"))
	assert.ErrorContains(t, err, "no JSON-RPC message")
}

func TestStderrThatDoesNotEndIsKeptInPart(t *testing.T) {
	var kept tail
	for range 100 {
		_, err := kept.Write([]byte(strings.Repeat("x", 1000) + "\n"))
		require.NoError(t, err)
	}
	_, err := kept.Write([]byte("the reason\n"))
	require.NoError(t, err)
	assert.Len(t, kept.last(), 300)
	assert.True(t, strings.HasSuffix(kept.last(), "the reason"))
}
