package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// world is one user's berth: a home, and projects below a directory.
type world struct {
	t     testing.TB
	home  portmap.Home
	store *portmap.Store
	dir   string
	early bool // its instances are of a version that takes calls over HTTP only
}

func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := portmap.Canonical(t.TempDir())
	require.NoError(t, err)
	home, err := portmap.FindHome(func(name string) string {
		return map[string]string{portmap.EnvHome: filepath.Join(dir, "home")}[name]
	})
	require.NoError(t, err)
	return &world{t: t, home: home, store: portmap.NewStore(home.MapFile(), nil), dir: dir}
}

// client returns one that waits as long as a busy machine may need: a test that
// has it wait in vain says for how long.
func (w *world) client(change func(*proxy.Options)) *proxy.Client {
	opts := proxy.Options{Home: w.home, Version: "test", ConnectTimeout: time.Minute, ProofTimeout: time.Minute, Patience: time.Minute}
	if change != nil {
		change(&opts)
	}
	c := proxy.NewClient(opts)
	proxy.WaitLong(c)
	w.t.Cleanup(c.Close)
	return c
}

func (w *world) project(name string) string {
	root := filepath.Join(w.dir, "projects", name)
	require.NoError(w.t, os.MkdirAll(root, 0o700))
	return root
}

// claim registers a project and returns its bound listener.
func (w *world) claim(root string) (*portmap.Claim, wire.Instance) {
	w.t.Helper()
	claim, err := w.store.Claim(w.t.Context(), root)
	require.NoError(w.t, err)
	inst := wire.Instance{ProjectRoot: root, Port: claim.Port, PID: os.Getpid(), Version: "test", StartedAt: time.Now(), Token: wire.NewToken()}
	w.write(inst)
	return claim, inst
}

func (w *world) write(inst wire.Instance) {
	w.t.Helper()
	require.NoError(w.t, wire.WriteInstance(w.home.InstanceFile(inst.Port), inst))
}

// toolFunc answers a call in a fake instance.
type toolFunc func(ctx context.Context, tool string, req wire.Request, reply *wire.LineWriter)

// fake is an instance that is all net/http and wire.
type fake struct {
	inst     wire.Instance
	server   *http.Server
	listener net.Listener

	handler atomic.Pointer[http.Handler]
	conns   atomic.Int64 // opened in all
	open    atomic.Int64
	healths atomic.Int64
	mu      sync.Mutex
	calls   []wire.Request
	taken   map[net.Conn]struct{} // connections of calls
}

func (w *world) start(root string, tool toolFunc) *fake {
	w.t.Helper()
	claim, inst := w.claim(root)
	return w.serve(claim.Listener, inst, tool)
}

func (w *world) serve(l net.Listener, inst wire.Instance, tool toolFunc) *fake {
	f, early := &fake{inst: inst, listener: l, taken: map[net.Conn]struct{}{}}, w.early
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(rw http.ResponseWriter, r *http.Request) {
		f.healths.Add(1)
		nonce, err := wire.DecodeNonce(r.URL.Query().Get(wire.NonceParam))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		answer := wire.Answer(inst, nonce)
		answer.Calls = !early
		assert.NoError(w.t, json.NewEncoder(rw).Encode(answer))
	})
	authenticated := func(next http.HandlerFunc) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			if !inst.Token.CheckHeader(r.Header.Get("Authorization")) {
				fail(rw, wire.CodeUnauthorized, "no token")
				return
			}
			next(rw, r)
		}
	}
	mux.HandleFunc("GET /status", authenticated(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(rw, `{"state":"fine"}`)
	}))
	mux.HandleFunc("POST /tools/{name}", authenticated(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(w.t, err)
		var req wire.Request
		if err := wire.Decode(body, wire.MaxReplyDepth, wire.MaxRequestBytes, &req); err != nil {
			fail(rw, wire.CodeInvalidJSON, err.Error())
			return
		}
		f.note(req)
		rw.Header().Set("Content-Type", wire.ContentTypeRows)
		tool(r.Context(), r.PathValue("name"), req, wire.NewLineWriter(rw, rw.(http.Flusher).Flush))
	}))
	mux.HandleFunc("POST "+wire.CallsPath, authenticated(func(rw http.ResponseWriter, r *http.Request) {
		conn, _, err := rw.(http.Hijacker).Hijack()
		if assert.NoError(w.t, err) {
			f.takeCalls(conn, tool)
		}
	}))
	f.replace(mux)
	f.server = &http.Server{
		Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { f.current().ServeHTTP(rw, r) }),
		ConnState: func(_ net.Conn, s http.ConnState) {
			switch s {
			case http.StateNew:
				f.conns.Add(1)
				f.open.Add(1)
			case http.StateClosed:
				f.open.Add(-1)
			}
		},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = f.server.Serve(l)
	}()
	w.t.Cleanup(func() {
		f.crash()
		<-done
	})
	return f
}

func (f *fake) note(req wire.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, req)
}

// takeCalls answers the calls on a connection without HTTP.
func (f *fake) takeCalls(conn net.Conn, tool toolFunc) {
	f.mu.Lock()
	f.taken[conn] = struct{}{}
	f.mu.Unlock()
	defer f.letGo(conn)
	in := bufio.NewReader(conn)
	_, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+wire.CallsProtocol+"\r\n\r\n")
	for err == nil {
		err = f.takeCall(conn, in, tool)
	}
}

func (f *fake) takeCall(conn net.Conn, in *bufio.Reader, tool toolFunc) error {
	text, err := wire.ReadLine(in, wire.MaxCallBytes)
	if err != nil {
		return err
	}
	lines := wire.NewLineWriter(conn, nil)
	var call wire.Call
	if err := wire.Decode(text, wire.MaxReplyDepth, wire.MaxCallBytes, &call); err != nil {
		return lines.Write(wire.Line{Failure: &wire.Failure{Error: string(wire.CodeInvalidJSON), Message: err.Error()}})
	}
	f.note(call.Request)
	ctx, cancel := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if _, err := in.Peek(1); err != nil {
			cancel()
		}
	}()
	tool(ctx, call.Tool, call.Request, lines)
	_ = conn.SetReadDeadline(time.Unix(1, 0))
	<-watched
	return conn.SetReadDeadline(time.Time{})
}

func (f *fake) letGo(conn net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	conn.Close()
	delete(f.taken, conn)
	f.open.Add(-1)
}

// crash ends the instance as kill -9 does: nothing is cleaned up.
func (f *fake) crash() {
	f.listener.Close() // also if Serve has not begun
	_ = f.server.Close()
	f.drop()
}

// drop closes the connections of calls.
func (f *fake) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn := range f.taken {
		conn.Close()
	}
}

// current is what answers, replace puts something else in its place.
func (f *fake) current() http.Handler  { return *f.handler.Load() }
func (f *fake) replace(h http.Handler) { f.handler.Store(&h) }

func (f *fake) requests() []wire.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]wire.Request(nil), f.calls...)
}

func fail(rw http.ResponseWriter, code wire.Code, message string) {
	rw.WriteHeader(code.HTTPStatus())
	_ = json.NewEncoder(rw).Encode(wire.Failure{Message: message, Error: string(code)})
}

// echo answers every call with its tool and arguments.
func echo(_ context.Context, tool string, req wire.Request, reply *wire.LineWriter) {
	_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{tool + " " + string(req.Arguments)}}})
}

// say answers every call with one text.
func say(text string) toolFunc {
	return func(_ context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{text}}})
	}
}

func arguments(t testing.TB, root string, more ...string) json.RawMessage {
	t.Helper()
	quoted, err := json.Marshal(root)
	require.NoError(t, err)
	return json.RawMessage(`{"projectRoot":` + string(quoted) + strings.Join(more, "") + `}`)
}

// call calls get-tables and returns the result.
func call(t testing.TB, c *proxy.Client, root string) *wire.Result {
	t.Helper()
	return callTool(t, c, "get-tables", arguments(t, root))
}

func callTool(t testing.TB, c *proxy.Client, tool string, args json.RawMessage) *wire.Result {
	t.Helper()
	line, err := c.Call(t.Context(), tool, args, proxy.CallOptions{})
	require.NoError(t, err)
	require.NotNil(t, line.Result, "the call ends with a result")
	return line.Result
}

// assertNotRunning checks the documents' text and that there is help.
func assertNotRunning(t testing.TB, result *wire.Result, root string) {
	t.Helper()
	assert.True(t, result.IsError)
	assert.Equal(t, wire.TextNotRunning+root, result.Content[0])
	if assert.Len(t, result.Content, 2) {
		assert.Contains(t, result.Content[1], "berth serve "+root)
	}
}
