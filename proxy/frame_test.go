package proxy

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzFrame: whatever is accepted, the MCP library reads in the same way, and
// whatever is refused is answered in JSON.
func FuzzFrame(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","result":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"m","data":[1]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		msg, refused := parseFrame(raw)
		if refused != nil {
			if !json.Valid(refused.reply()) {
				t.Fatalf("reply %s to %q is not JSON", refused.reply(), raw)
			}
			return
		}
		theirs, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			t.Fatalf("the library does not read %q: %v", raw, err)
		}
		ours, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		same, err := jsonrpc.EncodeMessage(theirs)
		if err != nil || string(ours) != string(same) {
			t.Fatalf("%q is read as %s, by the library as %s (%v)", raw, ours, same, err)
		}
	})
}
