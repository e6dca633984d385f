package relay

import (
	"encoding/json"
	"testing"

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
