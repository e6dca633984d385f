package proxy_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/berth-dev/berth/proxy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// bare is an MCP server of the same library that answers by itself: what a
// call costs without berth.
func bare(t testing.TB) *session {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	server.AddTool(&mcp.Tool{Name: "get-tables", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
		})
	return start(t, func(in io.Reader, out io.Writer) error {
		return server.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// BenchmarkCall is one call after another: from the line that goes in to the
// line that comes out.
func BenchmarkCall(b *testing.B) {
	run := func(b *testing.B, s *session, root string) {
		s.greet("")
		line := toolCall(b, 1, "get-tables", root)
		b.ReportAllocs()
		for b.Loop() {
			s.send(line)
			if s.receive() == "" {
				b.Fatal("no answer")
			}
		}
	}
	b.Run("bare", func(b *testing.B) { run(b, bare(b), "/a") })
	b.Run("berth", func(b *testing.B) {
		w := newWorld(b)
		root := w.project("a")
		w.start(root, echo)
		run(b, w.session(w.client(nil)), root)
	})
}

// BenchmarkParallelCalls keeps 100 calls in flight on one session.
func BenchmarkParallelCalls(b *testing.B) {
	run := func(b *testing.B, s *session, root string) {
		s.greet("")
		slots := make(chan struct{}, 100)
		var sender sync.WaitGroup
		b.ResetTimer()
		sender.Go(func() {
			for id := range b.N {
				slots <- struct{}{}
				_, _ = io.WriteString(s.in, toolCall(b, id+1, "get-tables", root)+"\n")
			}
		})
		for range b.N {
			if s.receive() == "" {
				b.Fatal("no answer")
			}
			<-slots
		}
		sender.Wait()
	}
	b.Run("bare", func(b *testing.B) { run(b, bare(b), "/a") })
	b.Run("berth", func(b *testing.B) {
		w := newWorld(b)
		root := w.project("a")
		w.start(root, echo)
		run(b, w.session(w.client(nil)), root)
	})
}

// BenchmarkFind measures reading map and instance file for each call.
func BenchmarkFind(b *testing.B) {
	for _, projects := range []int{1, 100} {
		b.Run(fmt.Sprintf("%d projects", projects), func(b *testing.B) {
			w := newWorld(b)
			root := w.project("a")
			claim, _ := w.claim(root)
			defer claim.Listener.Close()
			for i := range projects - 1 {
				claim, err := w.store.Claim(b.Context(), w.project(fmt.Sprint("other", i)))
				require.NoError(b, err)
				defer claim.Listener.Close()
			}
			c := w.client(nil)
			for b.Loop() {
				require.NoError(b, proxy.Find(c, root))
			}
		})
	}
}

// BenchmarkProof is what a new connection costs over a plain one.
func BenchmarkProof(b *testing.B) {
	w := newWorld(b)
	root := w.project("a")
	f := w.start(root, echo)
	c := w.client(nil)
	for b.Loop() {
		if state, _ := c.Probe(b.Context(), root, f.inst.Port); state != proxy.Live {
			b.Fatal(state)
		}
	}
}

// BenchmarkNewServer is the front-end's own part of its start.
func BenchmarkNewServer(b *testing.B) {
	w := newWorld(b)
	b.ReportAllocs()
	for b.Loop() {
		proxy.NewServer(w.client(nil), proxy.ServerOptions{})
	}
}
