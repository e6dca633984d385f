package relay

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// BenchmarkLargeReply reads replies of 16 MB through a relay's pipes, JSON and
// all.
func BenchmarkLargeReply(b *testing.B) {
	h := newHost(b, nil)
	args := json.RawMessage(`{"projectRoot":"/large"}`)
	b.SetBytes(wire.MaxLineBytes)
	for b.Loop() {
		line, err := h.Call(b.Context(), catalog.Definition{Name: catalog.GetTables}, "/large", args, proxy.CallOptions{})
		require.NoError(b, err)
		require.Len(b, line.Result.Content[0], len(largeText()))
	}
}

// BenchmarkCancellation measures how long after a call was cancelled here its
// context ends at the far side of a relay's pipes.
func BenchmarkCancellation(b *testing.B) {
	h := newHost(b, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	defer listener.Close()
	args, err := json.Marshal(map[string]any{"projectRoot": "/waits", "listens": listener.Addr().String()})
	require.NoError(b, err)
	var took []time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := h.Call(ctx, catalog.Definition{Name: catalog.GetTables}, "/waits", args, proxy.CallOptions{})
			ended <- err
		}()
		far, err := listener.Accept()
		require.NoError(b, err)
		began := time.Now()
		cancel()
		_, err = far.Read(make([]byte, 1))
		took = append(took, time.Since(began))
		require.ErrorIs(b, err, io.EOF)
		require.NoError(b, far.Close())
		require.ErrorIs(b, <-ended, context.Canceled)
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took[len(took)/2].Seconds()*1e6, "p50-µs")
	b.ReportMetric(took[len(took)-1].Seconds()*1e6, "max-µs")
}
