package proxy_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type responseWriter = http.ResponseWriter

func net4(port int) (net.Listener, error) {
	return net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// answer is a handler that proves itself as f and answers the rest with then.
func answer(f *fake, then func(rw responseWriter)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != wire.HealthPath {
			then(rw)
			return
		}
		nonce, _ := wire.DecodeNonce(r.URL.Query().Get(wire.NonceParam))
		_ = json.NewEncoder(rw).Encode(wire.Answer(f.inst, nonce))
	})
}

// squatter holds a port, records all it receives and answers as it likes.
type squatter struct {
	mu   sync.Mutex
	seen bytes.Buffer
}

func (s *squatter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.Write(p)
}

func (s *squatter) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// squat answers each connection with behave. Connections are closed at the
// test's end at the latest.
func squat(t testing.TB, l net.Listener, behave func(conn net.Conn, in *bufio.Reader)) *squatter {
	s := &squatter{}
	var conns sync.WaitGroup
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			stop := make(chan struct{})
			t.Cleanup(func() { conn.Close(); <-stop })
			conns.Go(func() {
				defer close(stop)
				defer conn.Close()
				behave(conn, bufio.NewReader(io.TeeReader(conn, s)))
			})
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return s
}

func respond(conn net.Conn, body string) {
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func healthText(t testing.TB, h wire.Health) string {
	text, err := json.Marshal(h)
	require.NoError(t, err)
	return string(text)
}

func TestSquatterLearnsNothingAndAnswersNothing(t *testing.T) {
	const hung = wire.TextNoConnection
	readHead := func(in *bufio.Reader) string {
		req, err := http.ReadRequest(in)
		if err != nil {
			return ""
		}
		return req.URL.Query().Get(wire.NonceParam)
	}
	rest := func(in *bufio.Reader) { _, _ = io.Copy(io.Discard, in) }
	tests := []struct {
		name   string
		behave func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance)
		want   string // "": not running
	}{
		{"closes at once", func(testing.TB, net.Conn, *bufio.Reader, wire.Instance) {}, ""},
		{"closes after the challenge", func(_ testing.TB, _ net.Conn, in *bufio.Reader, _ wire.Instance) { readHead(in) }, ""},
		{"is another web server", func(_ testing.TB, conn net.Conn, in *bufio.Reader, _ wire.Instance) {
			readHead(in)
			respond(conn, "<html>")
			rest(in)
		}, ""},
		{"speaks another protocol", func(_ testing.TB, conn net.Conn, in *bufio.Reader, _ wire.Instance) {
			fmt.Fprint(conn, "SSH-2.0-OpenSSH_9.9\r\n")
			rest(in)
		}, ""},
		{"sends without end", func(_ testing.TB, conn net.Conn, _ *bufio.Reader, _ wire.Instance) {
			for {
				if _, err := conn.Write(bytes.Repeat([]byte("x"), 1000)); err != nil {
					return
				}
			}
		}, ""},
		{"sends a body without end", func(_ testing.TB, conn net.Conn, in *bufio.Reader, _ wire.Instance) {
			readHead(in)
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			for {
				if _, err := fmt.Fprintf(conn, "3e8\r\n%s\r\n", strings.Repeat(" ", 1000)); err != nil {
					return
				}
			}
		}, ""},
		{"sends the right hash without proof", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			readHead(in)
			respond(conn, healthText(t, wire.Health{Name: "berth", Version: "test"}))
			rest(in)
		}, ""},
		{"proves with another token", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			nonce, _ := wire.DecodeNonce(readHead(in))
			inst.Token = wire.NewToken()
			respond(conn, healthText(t, wire.Answer(inst, nonce)))
			rest(in)
		}, ""},
		{"proves to be the instance of another project", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			nonce, _ := wire.DecodeNonce(readHead(in))
			inst.ProjectRoot += "2"
			respond(conn, healthText(t, wire.Answer(inst, nonce)))
			rest(in)
		}, ""},
		{"passes on the proof for another port", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			nonce, _ := wire.DecodeNonce(readHead(in))
			inst.Port++
			respond(conn, healthText(t, wire.Answer(inst, nonce)))
			rest(in)
		}, ""},
		{"replays the proof for another nonce", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			readHead(in)
			respond(conn, healthText(t, wire.Answer(inst, wire.NewNonce())))
			rest(in)
		}, ""},
		{"redirects to the real instance", func(_ testing.TB, conn net.Conn, in *bufio.Reader, _ wire.Instance) {
			readHead(in)
			fmt.Fprint(conn, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/health\r\nContent-Length: 0\r\n\r\n")
			rest(in)
		}, ""},
		{"names proof twice", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			nonce, _ := wire.DecodeNonce(readHead(in))
			text := healthText(t, wire.Answer(inst, nonce))
			respond(conn, strings.Replace(text, "{", `{"proof":"x",`, 1))
			rest(in)
		}, ""},
		{"has an answer to the next request ready", func(t testing.TB, conn net.Conn, in *bufio.Reader, inst wire.Instance) {
			nonce, _ := wire.DecodeNonce(readHead(in))
			text := healthText(t, wire.Answer(inst, nonce))
			both := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 200 OK\r\n\r\n", len(text), text)
			fmt.Fprint(conn, both)
			rest(in)
		}, ""},
		{"is silent", func(_ testing.TB, _ net.Conn, in *bufio.Reader, _ wire.Instance) { rest(in) }, hung},
		{"sends a byte now and then", func(_ testing.TB, conn net.Conn, in *bufio.Reader, _ wire.Instance) {
			tick := time.NewTicker(50 * time.Millisecond)
			defer tick.Stop()
			for _, b := range []byte("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n") {
				<-tick.C
				if _, err := conn.Write([]byte{b}); err != nil {
					return
				}
			}
		}, hung},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			root := w.project("a")
			claim, inst := w.claim(root)
			s := squat(t, claim.Listener, func(conn net.Conn, in *bufio.Reader) { tt.behave(t, conn, in, inst) })

			client := w.client(func(o *proxy.Options) {
				if tt.want != "" { // else nobody waits for it
					o.ProofTimeout = 500 * time.Millisecond
				}
			})
			start := time.Now()
			result := callTool(t, client, "run-query", arguments(t, root, `,"query":"SELECT secret"`))
			took := time.Since(start)
			if tt.want == "" {
				assertNotRunning(t, result, root)
				assert.Less(t, took, 30*time.Second, "at once")
			} else {
				assert.True(t, result.IsError)
				assert.Equal(t, tt.want, result.Content[0])
				assert.GreaterOrEqual(t, took, 500*time.Millisecond)
				assert.Less(t, took, time.Minute)
			}
			assertLearntNothing(t, s.String(), inst)
		})
	}
}

func assertLearntNothing(t testing.TB, seen string, inst wire.Instance) {
	t.Helper()
	token, err := inst.Token.MarshalText()
	require.NoError(t, err)
	for _, secret := range []string{string(token), "Bearer", "Authorization", wire.ToolsPath, "SELECT", inst.ProjectRoot, "run-query", "POST"} {
		assert.NotContains(t, seen, secret)
	}
}

// The map names a port, and another program is bound to the same number on
// another address of this machine.
func TestAnotherLoopbackAddressIsNotAsked(t *testing.T) {
	for _, host := range []string{"::1", "127.0.0.2"} {
		t.Run(host, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			f := w.start(root, echo)
			f.crash()
			l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(f.inst.Port)))
			if err != nil {
				t.Logf("this machine has no %s: %v", host, err)
				return
			}
			w.serve(l, f.inst, say("from the wrong address")) // it even holds the token
			assertNotRunning(t, call(t, w.client(nil), root), root)
		})
	}
}

// A connection that is open when the instance dies must not let a squatter in:
// the next connection is proven like the first.
func TestEveryNewConnectionIsProven(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	c := w.client(nil)
	require.False(t, call(t, c, root).IsError)
	f.crash()
	l, err := net4(f.inst.Port)
	require.NoError(t, err)
	s := squat(t, l, func(conn net.Conn, in *bufio.Reader) {
		if _, err := http.ReadRequest(in); err == nil {
			respond(conn, `{"result":{"content":["forged"]}}`)
		}
		_, _ = io.Copy(io.Discard, in)
	})
	for range 3 {
		assertNotRunning(t, call(t, c, root), root)
	}
	assertLearntNothing(t, s.String(), f.inst)
}

func TestProbeTellsWhoListens(t *testing.T) {
	silent := func(t testing.TB, l net.Listener) {
		squat(t, l, func(_ net.Conn, in *bufio.Reader) { _, _ = io.Copy(io.Discard, in) })
	}
	tests := []struct {
		name  string
		setUp func(w *world, root string) wire.Instance
		want  proxy.State
		known bool
	}{
		{"the instance", func(w *world, root string) wire.Instance { return w.start(root, echo).inst }, proxy.Live, true},
		{"nothing", func(w *world, root string) wire.Instance {
			f := w.start(root, echo)
			f.crash()
			return f.inst
		}, proxy.Stale, true},
		{"another program", func(w *world, root string) wire.Instance {
			claim, inst := w.claim(root)
			squat(w.t, claim.Listener, func(conn net.Conn, _ *bufio.Reader) { respond(conn, "hello") })
			return inst
		}, proxy.Squatted, true},
		{"another project's instance", func(w *world, root string) wire.Instance {
			claim, inst := w.claim(root)
			inst.ProjectRoot = w.project("b")
			w.write(inst)
			w.serve(claim.Listener, inst, echo)
			return inst
		}, proxy.Squatted, false},
		{"a process that hangs", func(w *world, root string) wire.Instance {
			claim, inst := w.claim(root)
			silent(w.t, claim.Listener)
			return inst
		}, proxy.Hung, true},
		{"nothing, and no file says what was there", func(w *world, root string) wire.Instance {
			claim, inst := w.claim(root)
			claim.Listener.Close()
			inst.ProjectRoot = w.project("b")
			w.write(inst)
			return inst
		}, proxy.Stale, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			inst := tt.setUp(w, root)
			c := w.client(func(o *proxy.Options) {
				if tt.want == proxy.Hung {
					o.ProofTimeout = 50 * time.Millisecond
				}
			})
			state, found := c.Probe(t.Context(), root, inst.Port)
			assert.Equal(t, tt.want, state)
			if assert.Equal(t, tt.known, found != nil) && tt.known {
				assert.Equal(t, inst.Token, found.Token)
			}
		})
	}
}
