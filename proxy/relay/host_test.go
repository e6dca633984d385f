package relay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// envFar has the test binary be the berth of another machine, which has one
// project: the [standIn].
const envFar = "BERTH_TEST_RELAY"

func TestMain(m *testing.M) {
	if os.Getenv(envFar) != "" {
		_ = Serve(context.Background(), os.Stdin, os.Stdout, ServeOptions{Way: standIn{}, Version: "9.9"})
		return
	}
	os.Exit(m.Run())
}

// standIn answers like the way to a project: a call by its arguments, a request
// by the text that it asks for, and a stream of events without an end.
type standIn struct{}

func (standIn) Call(ctx context.Context, _ catalog.Definition, path string, args json.RawMessage, _ proxy.CallOptions) (wire.Line, error) {
	switch path {
	case "/large":
		return wire.Line{Result: &wire.Result{Content: []string{largeText()}}}, nil
	case "/waits":
		return wire.Line{}, untilCancelled(ctx, args)
	}
	return wire.Line{Result: &wire.Result{Content: []string{path, string(args)}}}, nil
}

// untilCancelled holds a connection to the address that the arguments name for
// as long as the call lasts.
func untilCancelled(ctx context.Context, args json.RawMessage) error {
	var at struct{ Listens string }
	if err := json.Unmarshal(args, &at); err != nil {
		return err
	}
	conn, err := net.Dial("tcp", at.Listens)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return errors.Join(ctx.Err(), conn.Close())
}

func (standIn) Send(ctx context.Context, path string, r proxy.Request) (*http.Response, error) {
	if path != "/app" {
		return nil, proxy.ErrNotRunning
	}
	if r.Path == "/events" {
		in, out := io.Pipe()
		go func() {
			_, _ = io.WriteString(out, "data: 1\n\n")
			<-ctx.Done()
			_ = out.CloseWithError(ctx.Err())
		}()
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: in}, nil
	}
	answer := httptest.NewRecorder()
	for name, values := range r.Header {
		answer.Header().Set("Seen-"+name, strings.Join(values, ","))
	}
	_, _ = io.WriteString(answer, r.Method+" "+r.Path)
	resp := answer.Result()
	if r.Path == "/health" { // breaks off
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("half"), failing{}))
	}
	return resp, nil
}

func (standIn) Running(context.Context) ([]projectlist.Project, error) { return nil, nil }

// largeText makes the largest reply that there is.
var largeText = sync.OnceValue(func() string { return strings.Repeat("0123456789abcdef", (wire.MaxLineBytes-1024)/16) })

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func newHost(t testing.TB, change func(*HostOptions)) *Host {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(envFar, "1") // which the command inherits
	opts := HostOptions{Name: "build1", Command: []string{self}}
	if change != nil {
		change(&opts)
	}
	h := NewHost(opts)
	t.Cleanup(h.Close)
	return h
}

func (h *Host) get(t *testing.T, ctx context.Context, path string) *http.Response {
	t.Helper()
	resp, err := h.Send(ctx, "/app", proxy.Request{Method: "GET", Path: path, Header: http.Header{}})
	require.NoError(t, err)
	return resp
}

// A stream of events is a use of its host for as long as it is read; a host that
// nobody uses ends.
func TestAHostEndsWhenItIsNotUsedAndNotBefore(t *testing.T) {
	h := newHost(t, func(o *HostOptions) { o.Idle = 50 * time.Millisecond })
	stream := h.get(t, t.Context(), "/events")
	first := make([]byte, 9)
	_, err := io.ReadFull(stream.Body, first)
	require.NoError(t, err, "an event comes at once")
	assert.Equal(t, "data: 1\n\n", string(first))
	h.mu.Lock()
	s := h.current
	h.mu.Unlock()
	require.NotNil(t, s)
	for range 5 { // requests come and go meanwhile
		require.NoError(t, h.get(t, t.Context(), "/status").Body.Close())
	}
	select {
	case <-s.conn.closed:
		t.Fatal("the host ended while its events were read")
	case <-time.After(10 * h.opts.Idle): // the time itself, in which it must not end
	}
	require.NoError(t, stream.Body.Close())
	select {
	case <-s.conn.closed:
	case <-time.After(time.Minute):
		t.Fatal("the host did not end")
	}
	require.NoError(t, h.get(t, t.Context(), "/icon.svg").Body.Close(), "and is started again")
}

func TestAnAnswerThatBreaksOffIsNoWholeOne(t *testing.T) {
	h := newHost(t, nil)
	resp := h.get(t, t.Context(), "/health")
	defer func() { _ = resp.Body.Close() }()
	_, err := io.ReadAll(resp.Body)
	require.Error(t, err)
	again := h.get(t, t.Context(), "/trust")
	text, err := io.ReadAll(again.Body)
	require.NoError(t, err, "the connection goes on")
	assert.Equal(t, "GET /trust", string(text))
	require.NoError(t, again.Body.Close())
}

func TestWhatIsNotOfferedIsNotSent(t *testing.T) {
	h := newHost(t, nil)
	_, err := h.Send(t.Context(), "/app", proxy.Request{Method: "POST", Path: "/shutdown", Header: http.Header{}, As: proxy.AsCommand})
	require.ErrorIs(t, err, proxy.ErrNotOffered)
	_, err = h.Send(t.Context(), "/other", proxy.Request{Method: "GET", Path: "/", Header: http.Header{}})
	require.ErrorIs(t, err, proxy.ErrNotRunning)
	header := http.Header{"Accept": {"text/html"}, "Berth-As": {"person"}, "Berth-Person": {"x"}, "Connection": {"close"}}
	resp, err := h.Send(t.Context(), "/app", proxy.Request{Method: "GET", Path: "/", Header: header, ShownPort: 40123})
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, "text/html", resp.Header.Get("Seen-Accept"))
	for name := range resp.Header {
		assert.NotContains(t, name, "Berth", "a request says who it is by nothing that its sender wrote")
		assert.NotEqual(t, "Seen-Connection", name)
	}
}

// More calls than the connection has streams wait for their turn, and none of
// them for good.
func TestAnyNumberOfCallsAtOnceIsAnswered(t *testing.T) {
	h := newHost(t, nil)
	require.NoError(t, h.get(t, t.Context(), "/status").Body.Close())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 20 {
		var all sync.WaitGroup
		for range 4 * maxStreams {
			all.Go(func() {
				resp, err := h.Send(ctx, "/app", proxy.Request{Method: "GET", Path: "/status", Header: http.Header{}})
				if assert.NoError(t, err) {
					assert.NoError(t, resp.Body.Close())
				}
			})
		}
		all.Wait()
	}
}

// What a connection that ends fails is told a moment before it is closed.
func TestWhatAConnectionFailsIsToldWhyItEnded(t *testing.T) {
	for name, c := range map[string]struct {
		broke  bool
		silent bool
		cause  string
	}{
		"closed by this end":    {false, true, "it did not answer for 4s"},
		"closed by the far end": {true, false, "the connection to it ended"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &session{conn: newStdio(nil, nil, func() {})}
				s.conn.broke.Store(c.broke)
				go func() {
					time.Sleep(closingTime / 2)
					_ = s.conn.Close()
				}()
				var lost *proxy.WayError
				require.ErrorAs(t, NewHost(HostOptions{Name: "build1"}).broken(t.Context(), s, errOver), &lost)
				assert.Equal(t, c.silent, lost.Silent)
				assert.EqualError(t, lost.Cause, c.cause)
			})
		})
	}
}

// An answer that broke off by itself does not end its connection.
func TestAnAnswerThatBreaksOffIsNoEndOfTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &session{conn: newStdio(nil, nil, func() {})}
		var lost *proxy.WayError
		require.ErrorAs(t, NewHost(HostOptions{Name: "build1"}).broken(t.Context(), s, io.ErrUnexpectedEOF), &lost)
		assert.False(t, lost.Silent)
		assert.EqualError(t, lost.Cause, "its answer broke off (unexpected EOF)")
	})
}
