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
	maxExactID    = 1 << 53           // larger integers are not exact in every JSON reader
)

// frame is one JSON-RPC message as sent on the wire.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      jsontext.Value  `json:"id"`
	Method  jsontext.Value  `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *jsonrpc.Error  `json:"error"`
}

// frameError reports a frame that is refused here and not handed on.
type frameError struct {
	id      jsontext.Value // null if the frame's id is unknown
	code    int64
	message string
}

func (e *frameError) Error() string { return e.message }

// reply returns the JSON-RPC error that tells the client.
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

// parseFrame parses one frame strictly. The MCP library by itself takes the
// last of two members with the same name and repairs invalid UTF-8; an instance,
// or a filter in front of this process, might read such a frame differently.
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

// parseID parses an id: absent, a string, or an integer that every JSON reader
// represents exactly. The library would round other numbers and answer with
// another id.
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

// salvageID returns the id of a request that is refused, so that the client
// does not wait for its answer. It returns nil if the frame is not a request or
// its id is not unique.
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
