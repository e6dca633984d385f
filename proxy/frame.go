package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/berth-dev/berth/proxy/wire"
)

// Limits on one frame from the client.
const (
	maxFrameBytes = wire.MaxRequestBytes
	maxFrameDepth = wire.MaxDepth + 4 // the arguments lie in params in the frame
	maxExactID    = 1 << 53           // above, numbers are not told apart by every JSON reader
)

// frame is one JSON-RPC message as it stands on the wire.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      jsontext.Value  `json:"id"`
	Method  jsontext.Value  `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *jsonrpc.Error  `json:"error"`
}

// frameError is a frame that is answered here and goes no further.
type frameError struct {
	id      jsontext.Value // null where the frame's own cannot be told
	code    int64
	message string
}

func (e *frameError) Error() string { return e.message }

// reply is the frame that tells the client.
func (e *frameError) reply() []byte {
	id := e.id
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	message, err := jsontext.AppendQuote(nil, e.message)
	if err != nil {
		message = []byte(`"invalid frame"`)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, e.code, message)
}

// parseFrame reads one frame strictly. The MCP library, left to itself, takes
// the last of two members of one name and repairs invalid UTF-8; an instance,
// or a filter before this process, may read such a frame in another way.
func parseFrame(raw []byte) (jsonrpc.Message, *frameError) {
	if jsontext.Value(raw).Kind() == '[' {
		return nil, &frameError{code: jsonrpc.CodeInvalidRequest, message: "batches are not supported: send one message a line"}
	}
	var f frame
	if err := wire.Decode(raw, maxFrameDepth, maxFrameBytes, &f); err != nil {
		return nil, &frameError{id: salvageID(raw), code: jsonrpc.CodeParseError, message: "message refused: " + err.Error()}
	}
	if f.Version != "2.0" {
		return nil, f.invalid(`jsonrpc must be "2.0"`)
	}
	id, err := parseID(f.ID)
	if err != nil {
		f.ID = nil
		return nil, f.invalid(err.Error())
	}
	switch {
	case f.Method.Kind() == '"':
		method, err := jsontext.AppendUnquote(nil, f.Method)
		if err != nil {
			return nil, f.invalid("method is not a JSON string")
		}
		return &jsonrpc.Request{ID: id, Method: string(method), Params: f.Params}, nil
	case f.Method != nil:
		return nil, f.invalid("method must be a string")
	case !id.IsValid() || (f.Error == nil) == (f.Result == nil):
		return nil, f.invalid("neither a request nor a response")
	case f.Error != nil:
		return &jsonrpc.Response{ID: id, Error: f.Error}, nil
	default:
		return &jsonrpc.Response{ID: id, Result: f.Result}, nil
	}
}

func (f *frame) invalid(message string) *frameError {
	e := &frameError{code: jsonrpc.CodeInvalidRequest, message: "message refused: " + message}
	if f.Method != nil {
		e.id = f.ID
	}
	return e
}

// parseID reads an id: none, a string, or an integer that survives any JSON
// reader. The library would round the others and answer under another id.
func parseID(raw jsontext.Value) (jsonrpc.ID, error) {
	switch raw.Kind() {
	case 0, 'n':
		return jsonrpc.ID{}, nil
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return jsonrpc.ID{}, errors.New("id is not a JSON string")
		}
		return jsonrpc.MakeID(string(text))
	case '0':
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || n > maxExactID || n < -maxExactID {
			return jsonrpc.ID{}, errors.New("id must be a whole number of at most 2^53, or a string")
		}
		return jsonrpc.MakeID(float64(n))
	default:
		return jsonrpc.ID{}, errors.New("id must be a string or a whole number")
	}
}

// salvageID finds the id of a request that is refused, so that the client
// does not wait for its answer. Only a request's that is there once counts;
// in doubt there is none.
func salvageID(raw []byte) jsontext.Value {
	if len(raw) > maxFrameBytes {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if open, err := dec.ReadToken(); err != nil || open.Kind() != '{' {
		return nil
	}
	var id jsontext.Value
	ids, methods := 0, 0
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			break
		}
		member := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		switch member {
		case "id":
			ids++
			id = value.Clone()
		case "method":
			methods++
		}
	}
	if _, err := parseID(id); err != nil || ids != 1 || methods != 1 {
		return nil
	}
	return id
}
