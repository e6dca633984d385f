package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// origin is the address that requests are written for; no name is looked up.
const origin = "http://relay"

// roundTrip sends a request to the far side, once fewer than maxRequests are
// in progress there.
func (h *Host) roundTrip(ctx context.Context, r *http.Request) (*http.Response, error) {
	s, err := h.session(ctx)
	if err != nil {
		return nil, err
	}
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		h.done(s)
		return nil, ctx.Err()
	}
	done := sync.OnceFunc(func() {
		<-s.slots
		h.done(s)
	})
	resp, err := s.requests.RoundTrip(r.WithContext(ctx))
	if err != nil {
		done()
		return nil, h.broken(ctx, s, err)
	}
	resp.Body = &countedBody{ReadCloser: resp.Body, session: s, done: done}
	return resp, nil
}

// countedBody counts as a use of its session until it is closed.
type countedBody struct {
	io.ReadCloser
	session *session
	done    func()
}

// sessionOf is the session of an answer of roundTrip.
func sessionOf(resp *http.Response) *session { return resp.Body.(*countedBody).session }

// Close implements io.Closer.
func (b *countedBody) Close() error {
	defer b.done() // the stream is gone by then
	return b.ReadCloser.Close()
}

// broken returns the error for a request that was sent and not answered, or
// whose answer broke off.
func (h *Host) broken(ctx context.Context, s *session, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := h.brokenAnswer(err)
	if s.ends() {
		e.Cause = errors.New("the connection to it ended")
		if !s.conn.broke.Load() {
			e.Silent, e.Cause = true, fmt.Errorf("it did not answer for %v", pingAfter+pingTimeout)
		}
	}
	return e
}

// closingTime is how long a connection may take to close once its requests have
// failed.
const closingTime = time.Second

// ends reports whether the connection has ended or does so now: its requests
// fail a moment before it is closed.
func (s *session) ends() bool {
	soon := time.NewTimer(closingTime)
	defer soon.Stop()
	select {
	case <-s.conn.closed:
		return true
	case <-soon.C:
		return false
	}
}

// Call implements [proxy.Way]. A call that only reads is sent once more if the
// connection ended before its answer: a host that was restarted is such a case.
func (h *Host) Call(ctx context.Context, def catalog.Definition, path string, args json.RawMessage, o proxy.CallOptions) (wire.Line, error) {
	text, err := h.encode(ctx, def, path, args, o)
	if err != nil {
		return wire.Line{}, err
	}
	line, err := h.callOnce(ctx, text, o)
	var lost *proxy.WayError
	if errors.As(err, &lost) && lost.Sent && !lost.Silent && def.Annotations.ReadOnly {
		return h.callOnce(ctx, text, o)
	}
	return line, err
}

func (h *Host) encode(ctx context.Context, def catalog.Definition, path string, args json.RawMessage, o proxy.CallOptions) ([]byte, error) {
	args, err := withRoot(args, path)
	if err != nil {
		return nil, err
	}
	c := call{Host: h.opts.Name, Path: path, Tool: def.Name, Autostart: h.opts.Autostart && !o.NoAutostart,
		Request: wire.Request{Arguments: args, Client: o.Client, WantProgress: o.Progress != nil,
			InputResponses: o.InputResponses, RequestState: o.RequestState}}
	if end, ok := ctx.Deadline(); ok {
		c.DeadlineMs = max(1, time.Until(end).Milliseconds())
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("encode call: %w", err)
	}
	return buf.Bytes(), nil
}

func (h *Host) callOnce(ctx context.Context, text []byte, o proxy.CallOptions) (wire.Line, error) {
	ctx, cancel := context.WithCancel(ctx) // which ends the call there, however this one returns
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, origin+callPath, bytes.NewReader(text))
	if err != nil {
		return wire.Line{}, err
	}
	resp, err := h.roundTrip(ctx, req)
	if err != nil {
		return wire.Line{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	lines := wire.NewLineReader(resp.Body)
	for {
		line, err := lines.Next()
		switch {
		case err != nil:
			return wire.Line{}, h.broken(ctx, sessionOf(resp), err)
		case line.Failure != nil:
			return wire.Line{}, &proxy.RefusedError{Code: wire.Code(line.Failure.Error), Message: line.Failure.Message}
		case line.End():
			return line, nil
		case o.Progress != nil:
			line.Progress.Message = head(line.Progress.Message, maxProgressBytes)
			o.Progress(*line.Progress)
		}
	}
}

// maxProgressBytes bounds the message of one progress line.
const maxProgressBytes = 1 << 10

func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// brokenAnswer is the error for an answer that is none.
func (h *Host) brokenAnswer(err error) *proxy.WayError {
	return &proxy.WayError{Host: h.opts.Name, Sent: true, Cause: fmt.Errorf("its answer broke off (%w)", err)}
}

// withRoot returns args with another projectRoot. The rest stays byte for byte.
func withRoot(args json.RawMessage, root string) (json.RawMessage, error) {
	quoted, err := jsontext.AppendQuote(nil, root)
	if err != nil {
		return nil, fmt.Errorf("write projectRoot: %w", err)
	}
	dec := jsontext.NewDecoder(bytes.NewReader(args))
	if _, err := dec.ReadToken(); err != nil {
		return nil, fmt.Errorf("read arguments: %w", err)
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		found := name.String() == "projectRoot"
		value, err := dec.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		if found {
			end := dec.InputOffset()
			return slices.Concat(args[:end-int64(len(value))], quoted, args[end:]), nil
		}
	}
	return nil, errors.New("projectRoot is missing")
}

// Send implements [proxy.Way].
func (h *Host) Send(ctx context.Context, path string, r proxy.Request) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, origin+strings.TrimSuffix(instancePath, "/")+r.Path, r.Body)
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	for name, values := range r.Header {
		if !hopByHop(name) {
			req.Header[name] = values
		}
	}
	req.Header.Set(projectHeader, url.QueryEscape(path))
	if r.ShownPort > 0 {
		req.Header.Set(portHeader, strconv.Itoa(r.ShownPort))
	}
	for word, as := range identities {
		if as == r.As {
			req.Header.Set(asHeader, word)
		}
	}
	resp, err := h.roundTrip(ctx, req)
	if err != nil {
		return nil, err
	}
	if word := resp.Header.Get(errorHeader); word != "" {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("host %s: %s %s: %w", h.opts.Name, r.Method, r.Path, failureOf(word))
	}
	return resp, nil
}

func failureOf(word string) error {
	for _, known := range failures {
		if known.word == word {
			return known.err
		}
	}
	return errFailed
}

// Running implements [proxy.Way]. Projects are named as calls name them, with
// the host.
func (h *Host) Running(ctx context.Context) ([]projectlist.Project, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+projectsPath, nil)
	if err != nil {
		return nil, err
	}
	resp, err := h.roundTrip(ctx, req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxProjectsBytes+1))
	if err != nil {
		return nil, h.broken(ctx, sessionOf(resp), err)
	}
	var answer projects
	if err := wire.Decode(text, wire.MaxReplyDepth, maxProjectsBytes, &answer); err != nil {
		return nil, h.brokenAnswer(err)
	}
	for i := range answer.Projects {
		p := &answer.Projects[i]
		p.Host, p.ProjectRoot = h.opts.Name, h.opts.Name+":"+p.ProjectRoot
		if p.Note != "" {
			p.Note = head(p.Note, maxProgressBytes) + " (on the host " + h.opts.Name + ")"
		}
	}
	h.mu.Lock()
	h.known = answer.Projects
	h.mu.Unlock()
	return answer.Projects, nil
}

// Known returns what runs there, as it was said last if the host does not say
// it again before ctx ends. why says why nothing is known, "" if it is. A host
// that will not answer soon is not waited for.
func (h *Host) Known(ctx context.Context) (list []projectlist.Project, why string) {
	if !h.soon(time.Second) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.opening != nil {
			return nil, "connecting"
		}
		return nil, quote(h.failed.Error())
	}
	list, err := h.Running(ctx)
	switch {
	case err == nil:
		return list, ""
	case ctx.Err() != nil:
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.current != nil && h.known != nil {
			return h.known, ""
		}
		return nil, "connecting"
	}
	var way *proxy.WayError
	if errors.As(err, &way) {
		err = way.Cause
	}
	return nil, quote(err.Error())
}

// Status is how a host is.
type Status struct {
	Version  string // of the berth there
	Projects int    // that run
	Latency  time.Duration
}

// Look starts the relay if needed and returns how the host is.
func (h *Host) Look(ctx context.Context) (Status, error) {
	list, err := h.Running(ctx)
	if err != nil {
		return Status{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+pingPath, nil)
	if err != nil {
		return Status{}, err
	}
	began := time.Now()
	resp, err := h.roundTrip(ctx, req)
	if err != nil {
		return Status{}, err
	}
	_ = resp.Body.Close()
	st := Status{Projects: len(list), Latency: time.Since(began)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current != nil {
		st.Version = h.current.version
	}
	return st, nil
}
