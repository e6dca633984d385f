package instance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/berth-dev/berth/proxy/wire"
)

// serve passes r to the handler for its protocol version. Clients of the
// stateless version send the header with every request; a session id in such a
// request is ignored.
func (m *mcpEndpoint) serve(w http.ResponseWriter, r *request) error {
	m.era(r.Request).ServeHTTP(w, r.Request)
	return nil
}

func (m *mcpEndpoint) era(r *http.Request) http.Handler {
	// Versions are dates, so they compare as text.
	if r.Header.Get("Mcp-Protocol-Version") >= statelessVersion {
		return m.stateless
	}
	return m.stateful
}

// stand serves the long-lived stream of a session.
func (m *mcpEndpoint) stand(w http.ResponseWriter, r *request) error {
	ctx, done, ok := m.s.streams.add(r.Context(), stream{key: r.key})
	if !ok {
		return fail(wire.CodeOverloaded, "at most %d streams are open at once", m.s.cfg.MaxStreams)
	}
	defer done()
	r.Request = r.WithContext(ctx)
	return m.serve(w, r)
}

// post serves one message. It checks the message as strictly as the other
// routes do before the library reads it, and holds the gate until the reply has
// been written, so that a shutdown does not cut off the reply of a finished
// call.
func (m *mcpEndpoint) post(w http.ResponseWriter, r *request) error {
	body, err := readBody(w, r.Request, wire.MaxRequestBytes)
	if err != nil {
		return err
	}
	// The envelope is nested deeper than the call itself.
	if err := wire.CheckJSON(body, wire.MaxDepth+4, wire.MaxRequestBytes); err != nil {
		writeParseError(w, err)
		return nil
	}
	ctx, leave, err := m.hold(r, method(body))
	if err != nil {
		return err
	}
	defer leave()
	r.Request = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return m.serve(w, r)
}

// hold makes shutdown wait for a message. A message that only listens, and so
// does not end by itself, is registered as a stream instead, which shutdown
// cuts off.
func (m *mcpEndpoint) hold(r *request, method string) (context.Context, func(), error) {
	if method != "subscriptions/listen" {
		return m.s.gate.enter(r.Context())
	}
	ctx, done, ok := m.s.streams.add(r.Context(), stream{key: r.key})
	if !ok {
		return nil, nil, fail(wire.CodeOverloaded, "at most %d streams are open at once", m.s.cfg.MaxStreams)
	}
	return ctx, done, nil
}

// method returns the JSON-RPC method of a message; "" for a batch.
func method(body []byte) string {
	var message struct {
		Method string `json:"method"`
	}
	if err := wire.Decode(body, wire.MaxDepth+4, wire.MaxRequestBytes, &message); err != nil {
		return ""
	}
	return message.Method
}

// writeParseError answers in JSON-RPC's form, which is what a client on this
// route reads.
func writeParseError(w http.ResponseWriter, cause error) {
	const parseError = -32700
	status := http.StatusBadRequest
	if errors.Is(cause, wire.ErrTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n",
		parseError, strconv.Quote("Parse error: "+cause.Error()))
}
