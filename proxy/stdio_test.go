package proxy

import (
	"bytes"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCancelledIDIsFreeAgainOnceItsAnswerIsDropped(t *testing.T) {
	var out bytes.Buffer
	s := &stdio{out: &out, calls: map[jsonrpc.ID]*openCall{}}
	arrive := func(line string) {
		msg, err := jsonrpc.DecodeMessage([]byte(line))
		require.NoError(t, err)
		require.True(t, s.note(msg.(*jsonrpc.Request)))
	}
	answer := func() string {
		out.Reset()
		msg, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
		require.NoError(t, err)
		require.NoError(t, s.Write(t.Context(), msg))
		return out.String()
	}
	arrive(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	arrive(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	assert.Empty(t, answer())
	arrive(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, answer())
}
