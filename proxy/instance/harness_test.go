package instance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
)

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// testInstance is an instance that serves on a real socket.
type testInstance struct {
	t      *testing.T
	server *instance.Server
	config instance.Config
	self   wire.Instance
	addr   string
	client *http.Client

	tools  *fakeTools
	db     *fakeDatabase
	events *fakeEvents
	keys   *fakeKeys
	person wire.Token // the person key
	log    *logBuffer

	stop func()
	done chan struct{} // closed when Serve has returned; then:
	end  serveResult
}

type serveResult struct {
	outcome instance.Outcome
	err     error
}

// start serves an instance until the test ends. change may alter its Config.
func start(t *testing.T, change ...func(*instance.Config)) *testInstance {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &testInstance{
		t: t, addr: l.Addr().String(), client: &http.Client{Transport: &http.Transport{}, Timeout: patience},
		tools: &fakeTools{handle: echo}, db: &fakeDatabase{}, events: &fakeEvents{}, keys: &fakeKeys{},
		log: &logBuffer{}, done: make(chan struct{}),
	}
	dir := t.TempDir()
	r.config = instance.Config{
		Root: dir, Version: "1.2.3", Listener: l, InstanceFile: filepath.Join(dir, "instances", "port.json"),
		Tools: r.tools, Rest: r.db, Events: r.events, Keys: r.keys, PersonKeyFile: filepath.Join(dir, "person.key"),
		Logger: slog.New(slog.NewJSONHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	_, err = wire.EnsurePersonKey(r.config.PersonKeyFile)
	require.NoError(t, err)
	r.person, err = wire.ReadPersonKey(r.config.PersonKeyFile)
	require.NoError(t, err)
	for _, c := range change {
		c(&r.config)
	}
	r.server, err = instance.New(r.config)
	require.NoError(t, err)
	r.serve()
	return r
}

func (r *testInstance) serve() {
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() {
		defer close(r.done)
		r.end.outcome, r.end.err = r.server.Serve(ctx)
	}()
	r.t.Cleanup(func() {
		r.client.CloseIdleConnections()
		cancel()
		r.wait()
		r.keepsSecrets()
	})
	r.self = r.server.Self()
	require.Eventually(r.t, func() bool {
		written, err := wire.ReadInstance(r.config.InstanceFile)
		if err == nil {
			r.self = written
		}
		return err == nil || r.ended() // one that ends by itself may have removed it already
	}, patience, time.Millisecond)
}

// wait returns how Serve ended.
func (r *testInstance) wait() serveResult {
	r.t.Helper()
	select {
	case <-r.done:
	case <-time.After(patience):
		require.FailNow(r.t, "Serve did not return")
	}
	return r.end
}

func (r *testInstance) stillServes() {
	r.t.Helper()
	if r.ended() {
		require.Fail(r.t, "the instance has ended", "%v", r.end)
	}
}

// ended reports whether Serve has returned.
func (r *testInstance) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// keepsSecrets checks, after every test, that no credential was logged.
func (r *testInstance) keepsSecrets() {
	token := strings.TrimPrefix(r.self.Token.Header(), "Bearer ")
	assert.NotContains(r.t, r.log.String(), token, "the token is in the log")
	assert.NotContains(r.t, r.log.String(), strings.TrimPrefix(r.person.Header(), "Bearer "), "the person key is in the log")
}

func (r *testInstance) url(path string) string { return "http://" + r.addr + path }

// ask sends a request with the token; body nil: none. edit may alter it.
func (r *testInstance) ask(method, path string, body any, edit ...func(*http.Request)) (*http.Response, string) {
	r.t.Helper()
	req := r.request(method, path, body)
	for _, e := range edit {
		e(req)
	}
	resp, err := r.client.Do(req)
	require.NoError(r.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return resp, string(text)
}

func (r *testInstance) request(method, path string, body any) *http.Request {
	r.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		require.NoError(r.t, err)
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url(path), reader)
	require.NoError(r.t, err)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", r.self.Token.Header())
	return req
}

// as replaces the credential of a request; empty: none.
func as(credential string) func(*http.Request) {
	return func(req *http.Request) {
		req.Header.Del("Authorization")
		if credential != "" {
			req.Header.Set("Authorization", credential)
		}
	}
}

func with(name, value string) func(*http.Request) {
	return func(req *http.Request) { req.Header.Set(name, value) }
}

// vouched shows the person key too.
func (r *testInstance) vouched() func(*http.Request) {
	return with(wire.PersonHeader, r.person.Header())
}

// signIn makes a page key and returns its id and its Authorization header.
func (r *testInstance) signIn() (id, credential string) {
	r.t.Helper()
	resp, text := r.ask("POST", "/signin", map[string]string{"code": r.server.NewCode()}, as(""))
	require.Equal(r.t, 200, resp.StatusCode, text)
	var key struct{ KeyID, Key, ProjectRoot string }
	require.NoError(r.t, json.Unmarshal([]byte(text), &key))
	require.Equal(r.t, r.config.Root, key.ProjectRoot)
	return key.KeyID, "Bearer " + key.KeyID + "." + key.Key
}

// signedIn is the Authorization header of a page key of its own.
func (r *testInstance) signedIn() string {
	r.t.Helper()
	_, credential := r.signIn()
	return credential
}

// failure reads the body of a refusal.
func failure(t *testing.T, text string) wire.Failure {
	t.Helper()
	var f wire.Failure
	require.NoError(t, json.Unmarshal([]byte(text), &f), text)
	require.NotEmpty(t, f.Message)
	return f
}

type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
