package instance_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

func TestAnInstanceNeedsWhatItServes(t *testing.T) {
	local, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer local.Close()
	everywhere, err := net.Listen("tcp", "0.0.0.0:0")
	require.NoError(t, err)
	defer everywhere.Close()
	root := t.TempDir()
	good := instance.Config{Root: root, Listener: local, InstanceFile: filepath.Join(root, "f.json"), Tools: &fakeTools{}}
	tests := []struct {
		name   string
		change func(*instance.Config)
		want   string
	}{
		{"a listener open to the network is refused", func(c *instance.Config) { c.Listener = everywhere }, "want 127.0.0.1"},
		{"a listener is required", func(c *instance.Config) { c.Listener = nil }, "no listener"},
		{"a relative root is refused", func(c *instance.Config) { c.Root = "here" }, `"here" is not an absolute path`},
		{"an instance file is required", func(c *instance.Config) { c.InstanceFile = "" }, "instance file"},
		{"tools are required", func(c *instance.Config) { c.Tools = nil }, "no tools"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := good
			tt.change(&cfg)
			_, err := instance.New(cfg)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestTheInstanceFileLivesAsLongAsTheInstance(t *testing.T) {
	r := start(t)
	info, err := os.Stat(r.config.InstanceFile)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	assert.Equal(t, r.config.Root, r.self.ProjectRoot)
	assert.Equal(t, os.Getpid(), r.self.PID)
	assert.True(t, strings.HasSuffix(r.server.URL(), r.addr))
	r.stop()
	assert.Equal(t, serveResult{instance.Interrupted, nil}, r.wait())
	assert.NoFileExists(t, r.config.InstanceFile)
	_, err = net.Dial("tcp", r.addr)
	assert.Error(t, err, "the port is given back")
}

func TestAnInstanceFileOfAnotherRunIsLeft(t *testing.T) {
	r := start(t)
	other := r.self
	other.Token = wire.NewToken()
	require.NoError(t, wire.WriteInstance(r.config.InstanceFile, other))
	r.stop()
	r.wait()
	found, err := wire.ReadInstance(r.config.InstanceFile)
	require.NoError(t, err)
	assert.True(t, found.Token.Equal(other.Token))
}

func TestEveryStartHasATokenOfItsOwn(t *testing.T) {
	a, b := start(t), start(t)
	assert.False(t, a.self.Token.Equal(b.self.Token))
}

func TestAnInstanceServesOnce(t *testing.T) {
	r := start(t)
	outcome, err := r.server.Serve(context.Background())
	assert.Equal(t, instance.Failed, outcome)
	assert.ErrorContains(t, err, "serves once")
}

func TestAnInstanceThatCannotWriteItsFileDoesNotServe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "instances"), nil, 0o600))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s, err := instance.New(instance.Config{Root: dir, Listener: l, InstanceFile: filepath.Join(dir, "instances", "1.json"), Tools: &fakeTools{}})
	require.NoError(t, err)
	outcome, err := s.Serve(t.Context())
	assert.Equal(t, instance.Failed, outcome)
	require.ErrorContains(t, err, "write instance file")
	_, err = net.Dial("tcp", l.Addr().String())
	assert.Error(t, err, "the port is given back")
}

func TestShutdownIsAnsweredWhenThePortIsFree(t *testing.T) {
	r := start(t)
	resp, text := r.ask("POST", "/shutdown", nil)
	require.Equal(t, 200, resp.StatusCode, text)
	l, err := net.Listen("tcp", r.addr)
	require.NoError(t, err, "the port is free once the answer is here")
	require.NoError(t, l.Close())
	assert.NoFileExists(t, r.config.InstanceFile)
	assert.Equal(t, serveResult{instance.Shutdown, nil}, r.wait())
}

// blockingTool is a tool that runs until it is released or its context is done.
type blockingTool struct {
	entered, release chan struct{}
}

func newBlocking() *blockingTool {
	return &blockingTool{entered: make(chan struct{}, 16), release: make(chan struct{})}
}

func (b *blockingTool) handle(ctx context.Context, _ tools.Call) tools.Reply {
	b.entered <- struct{}{}
	select {
	case <-b.release:
		return tools.Reply{Content: []string{"finished"}}
	case <-ctx.Done():
		return tools.Reply{Content: []string{"cut off"}, IsError: true}
	}
}

func receive[T any](t *testing.T, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		require.FailNow(t, "did not come: "+what)
		panic("unreachable")
	}
}

func TestAHandoverWaitsForCallsInFlightAndRefusesNewOnes(t *testing.T) {
	tool, flushed := newBlocking(), make(chan struct{})
	r := start(t, func(c *instance.Config) {
		c.DrainTimeout = patience
		c.Handover = func(context.Context) error { close(flushed); return nil }
	})
	r.tools.handle = tool.handle
	inFlight, handover := make(chan string, 1), make(chan string, 1)
	go func() { _, text := r.ask("POST", "/tools/get-tables", "{}"); inFlight <- text }()
	receive(t, tool.entered, "the call")
	go func() { _, text := r.ask("POST", "/handover", nil); handover <- text }()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		resp, text := r.ask("POST", "/query", map[string]string{"query": "SELECT 1"})
		require.Equal(c, 503, resp.StatusCode)
		require.Equal(c, "shutting_down", failure(t, text).Error)
	}, patience, time.Millisecond)
	assert.Empty(t, handover)
	select {
	case <-flushed:
		require.Fail(t, "flushed while a call was in flight")
	default:
	}
	close(tool.release)
	assert.Contains(t, receive(t, inFlight, "the reply of the call"), "finished")
	assert.Contains(t, receive(t, handover, "the handover"), "handed over")
	receive(t, flushed, "the flush")
	assert.Equal(t, serveResult{instance.HandedOver, nil}, r.wait())
}

func TestAHandoverThatCannotBeCleanIsOff(t *testing.T) {
	stuck := make(chan struct{})
	tests := []struct {
		name   string
		change func(*instance.Config)
		handle tools.Handler
		want   string
	}{
		{
			"because the state cannot be flushed",
			func(c *instance.Config) { c.Handover = func(context.Context) error { return errors.New("disk full") } },
			nil, "disk full",
		},
		{
			"because a call does not end",
			func(c *instance.Config) { c.DrainTimeout = 20 * time.Millisecond },
			func(context.Context, tools.Call) tools.Reply { <-stuck; return tools.Reply{Content: []string{"late"}} },
			"1 calls did not end",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, tt.change)
			answered := make(chan struct{})
			if tt.handle != nil {
				entered := make(chan struct{})
				r.tools.handle = func(ctx context.Context, call tools.Call) tools.Reply {
					close(entered)
					return tt.handle(ctx, call)
				}
				go func() { defer close(answered); r.ask("POST", "/tools/get-tables", "{}") }()
				receive(t, entered, "the call")
			} else {
				close(answered)
			}
			resp, text := r.ask("POST", "/handover", nil)
			assert.Equal(t, 503, resp.StatusCode)
			assert.Contains(t, text, tt.want)
			resp, text = r.ask("GET", "/tables", nil)
			assert.Equal(t, 200, resp.StatusCode, text)
			if tt.handle != nil {
				close(stuck)
			}
			receive(t, answered, "the stuck call")
		})
	}
}

func TestTheEndCutsOffACallThatTakesTooLong(t *testing.T) {
	tool := newBlocking()
	r := start(t, func(c *instance.Config) { c.DrainTimeout = 100 * time.Millisecond })
	r.tools.handle = tool.handle
	reply := make(chan string, 1)
	go func() { _, text := r.ask("POST", "/tools/get-tables", "{}"); reply <- text }()
	receive(t, tool.entered, "the call")
	r.stop()
	assert.Contains(t, receive(t, reply, "the reply"), "cut off", "even then the call is answered")
	assert.Equal(t, serveResult{instance.Interrupted, nil}, r.wait())
}

func TestAnUnusedInstanceEnds(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.Idle = 30 * time.Millisecond })
	assert.Equal(t, serveResult{instance.Idled, nil}, r.wait())
}

func TestASuccessorKeepsItsConnectionAfterTheEnd(t *testing.T) {
	r := start(t)
	req := r.request("POST", "/handover", nil)
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", wire.HandoverProtocol)
	resp, err := r.client.Transport.RoundTrip(req) // the client's own body cannot be written to
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 101, resp.StatusCode)
	assert.Equal(t, serveResult{instance.HandedOver, nil}, r.wait())
	l, err := net.Listen("tcp", r.addr)
	require.NoError(t, err, "the port is the successor's")
	require.NoError(t, l.Close())
	heard := r.server.Successor()
	require.NotNil(t, heard)
	defer heard.Close()
	_, err = io.WriteString(resp.Body.(io.Writer), wire.HandoverDone)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	text, err := io.ReadAll(heard)
	require.NoError(t, err)
	assert.Equal(t, wire.HandoverDone, string(text))
}

func TestWhoAsksForAnOrdinaryHandoverSaysNothingAfterwards(t *testing.T) {
	r := start(t)
	resp, text := r.ask("POST", "/handover", nil)
	require.Equal(t, 200, resp.StatusCode, text)
	r.wait()
	assert.Nil(t, r.server.Successor())
}
