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

// serve hands r to the handler of its era. The header tells them apart: a
// client of the newer era sends it with every request, and whatever session
// id comes with it is ignored.
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

// stand serves a session's standing stream.
func (m *mcpEndpoint) stand(w http.ResponseWriter, r *request) error {
	ctx, done, ok := m.s.streams.add(r.Context(), r.key)
	if !ok {
		return fail(wire.CodeOverloaded, "at most %d streams are open at once", m.s.cfg.MaxStreams)
	}
	defer done()
	r.Request = r.WithContext(ctx)
	return m.serve(w, r)
}

// post serves one message. It checks the message as strictly as the other
// routes do before the library reads it, and holds the gate until the reply
// has been written, so that the end does not cut a finished call's reply off.
func (m *mcpEndpoint) post(w http.ResponseWriter, r *request) error {
	body, err := readBody(w, r.Request, wire.MaxRequestBytes)
	if err != nil {
		return err
	}
	// The envelope adds levels to what a call may have.
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

// hold keeps the end waiting for a message, or, for the one that only
// listens and has no end of its own, has the end cut it off.
func (m *mcpEndpoint) hold(r *request, method string) (context.Context, func(), error) {
	if method != "subscriptions/listen" {
		return m.s.gate.enter(r.Context())
	}
	ctx, done, ok := m.s.streams.add(r.Context(), r.key)
	if !ok {
		return nil, nil, fail(wire.CodeOverloaded, "at most %d streams are open at once", m.s.cfg.MaxStreams)
	}
	return ctx, done, nil
}

// method is the JSON-RPC method of a message; empty for a batch.
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
