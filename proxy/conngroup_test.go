package proxy_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQueriesThatTakeEveryConnectionLeaveRoomForOtherTools(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	var slow atomic.Int64
	w.start(root, func(ctx context.Context, tool string, _ wire.Request, reply *wire.LineWriter) {
		if tool == "run-query" {
			slow.Add(1)
			<-ctx.Done()
			return
		}
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{"here"}}})
	})
	c := w.client(func(o *proxy.Options) { o.MaxConns, o.Patience = 2, 200*time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	t.Cleanup(func() { cancel(); <-ended; <-ended })
	for range 2 {
		go func() {
			_, _ = c.Call(ctx, "run-query", arguments(t, root), proxy.CallOptions{})
			ended <- struct{}{}
		}()
	}
	require.Eventually(t, func() bool { return slow.Load() == 2 }, time.Minute, time.Millisecond)
	assert.Equal(t, []string{"here"}, callTool(t, c, "fs_read_file", arguments(t, root)).Content)
	full := callTool(t, c, "run-query", arguments(t, root))
	assert.True(t, full.IsError)
	require.Len(t, full.Content, 1)
	assert.Regexp(t, `^overloaded: too many calls to the project's instance are in progress, 2 run at once .*; the longest: run-query \(\S+\), run-query \(\S+\)\. Nothing was done`, full.Content[0])
}

func TestAReplyOverItsToolsLimitIsDropped(t *testing.T) {
	for tool, want := range map[string]string{
		"fs_read_file":          "Nothing was changed",
		"mssql_schema_designer": "outcome unknown: ",
	} {
		w := newWorld(t)
		root := w.project("a")
		w.start(root, say(strings.Repeat("x", 15<<20)))
		result := callTool(t, w.client(nil), tool, arguments(t, root))
		assert.True(t, result.IsError)
		require.Len(t, result.Content, 1)
		assert.Less(t, len(result.Content[0]), 1000)
		assert.Contains(t, result.Content[0], "answered 15728640 bytes, more than the limit of ")
		assert.Contains(t, result.Content[0], want)
	}
}

func TestAProgressMessageIsCut(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, func(_ context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		_ = reply.Write(wire.Line{Progress: &wire.Progress{Progress: 1, Message: strings.Repeat("é", 1<<20)}})
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{"done"}}})
	})
	longest := 0
	_, err := w.client(nil).Call(t.Context(), "get-tables", arguments(t, root),
		proxy.CallOptions{Progress: func(p wire.Progress) { longest = max(longest, len(p.Message)) }})
	require.NoError(t, err)
	assert.Equal(t, 1<<10, longest)
}
