package proxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/berth-dev/berth/proxy/wire"
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

// FuzzReadLine: lines come out as they went in, at any size of the reader.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n \nlast"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(raw), 16)
		var got []string
		for {
			line, err := readLine(r)
			if len(line) > 0 {
				got = append(got, string(line))
			}
			if err != nil {
				break
			}
		}
		var want []string
		for line := range bytes.SplitSeq(raw, []byte("\n")) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				want = append(want, string(line))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("lines of %q are %q", raw, got)
		}
	})
}

// FuzzProjectRoot: no arguments panic, and what is read is what any JSON
// reader reads.
func FuzzProjectRoot(f *testing.F) {
	f.Add([]byte(`{"projectRoot":"/a"}`))
	f.Add([]byte(`{"projectRoot":"/\u00e9","x":[{}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		root, refused := projectRoot(raw)
		if refused != "" {
			return
		}
		var args map[string]any
		if err := json.Unmarshal(raw, &args); err != nil || args["projectRoot"] != root {
			t.Fatalf("projectRoot of %q is %q (%v)", raw, root, err)
		}
	})
}

// FuzzReadHealth: whatever a squatter sends, it proves nothing.
func FuzzReadHealth(f *testing.F) {
	inst := wire.Instance{ProjectRoot: "/a", Port: 50001, Token: wire.Token{1}}
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		health, err := readHealth(bufio.NewReader(bytes.NewReader(raw)))
		if err == nil && health.Proves(inst, wire.NewNonce()) {
			t.Fatalf("%q proves a nonce it cannot know", raw)
		}
	})
}
