package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Server plays the model of one conversation. Its methods but URL are for
// one goroutine.
type Server struct {
	URL string // without a slash at the end

	turns chan *turn
	done  chan struct{}
	turn  *turn // the request that waits for an answer
	last  answer
	calls int

	mu    sync.Mutex
	stray []string // what was asked that no dialect knows
}

// A Result is what a client gives its model for a call.
type Result struct {
	Text    string
	IsError bool // where the dialect has a word for it
}

// request is one request to the model, whatever its dialect.
type request struct {
	tools   []string          // that the model may call
	named   []string          // that it is only told about, and has to look up first
	results map[string]Result // by the id of the call
	stream  bool
}

// answer is the model's: a call, or a text that ends the turn.
type answer struct {
	id, tool string // empty: text
	args     json.RawMessage
	text     string
}

// turn is a request that waits for its answer.
type turn struct {
	request
	answer chan answer
	gone   <-chan struct{} // closed when the client no longer waits
}

// dialect is one API.
type dialect interface {
	decode(body []byte) (request, error)
	write(w http.ResponseWriter, stream bool, a answer)
}

// Start starts a model, which ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{turns: make(chan *turn), done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("POST /v1/messages", s.conversation(anthropic{}))
	mux.Handle("POST /v1/messages/count_tokens", fixed(`{"input_tokens":1000}`))
	mux.Handle("POST /v1/responses", s.conversation(responses{}))
	mux.Handle("POST /v1/chat/completions", s.conversation(chat{}))
	mux.Handle("POST /v1beta/models/{call}", s.gemini())
	mux.HandleFunc("/", s.unknown)
	server := httptest.NewServer(mux)
	s.URL = server.URL
	t.Cleanup(func() {
		close(s.done)
		server.CloseClientConnections()
		server.Close()
	})
	return s
}

// Stray lists the requests that no dialect knows, such as those that look for
// a newer version.
func (s *Server) Stray() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.stray)
}

func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.stray = append(s.stray, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	http.NotFound(w, r)
}

func fixed(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text) // a client that is gone needs no answer
	}
}

// conversation answers requests with tools as the test says, and others with a
// few words.
func (s *Server) conversation(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		req, err := d.decode(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if len(req.tools) == 0 {
			d.write(w, req.stream, answer{text: "A short answer"})
			return
		}
		t := &turn{request: req, answer: make(chan answer, 1), gone: r.Context().Done()}
		select {
		case s.turns <- t:
		case <-t.gone:
			return
		case <-s.done:
			return
		}
		select {
		case a := <-t.answer:
			d.write(w, req.stream, a)
		case <-t.gone:
		case <-s.done:
		}
	}
}

// Call has the client call a tool, and returns what it gives its model for it.
func (s *Server) Call(ctx context.Context, tool string, args map[string]any) (Result, error) {
	if err := s.Ask(ctx, tool, args); err != nil {
		return Result{}, err
	}
	return s.Result(ctx)
}

// Ask has the client call a tool, and does not wait for it: [Server.Result] does.
func (s *Server) Ask(ctx context.Context, tool string, args map[string]any) error {
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	now, err := s.waiting(ctx)
	if err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	name, ok := lookup(now.tools, tool)
	if !ok {
		if name, ok = lookup(now.named, tool); !ok {
			return fmt.Errorf("the client lists no tool %s, but %s", tool, strings.Join(append(now.tools, now.named...), ", "))
		}
		if err := s.find(ctx, name); err != nil {
			return err
		}
	}
	return s.answer(ctx, answer{tool: name, args: text})
}

// Result waits for the result of the last call.
func (s *Server) Result(ctx context.Context) (Result, error) {
	for {
		next, err := s.next(ctx)
		if err != nil {
			return Result{}, fmt.Errorf("result of %s: %w", s.last.tool, err)
		}
		if got, ok := next.results[s.last.id]; ok {
			s.turn = next
			return got, nil
		}
		next.answer <- s.last // the same request again
	}
}

// Say ends the client's turn with a text.
func (s *Server) Say(ctx context.Context, text string) error {
	return s.answer(ctx, answer{text: text})
}

// Tools lists the names of the tools that the client offers its model now, and
// those that it only names.
func (s *Server) Tools(ctx context.Context) (offered, named []string, err error) {
	now, err := s.waiting(ctx)
	if err != nil {
		return nil, nil, err
	}
	return now.tools, now.named, nil
}

// find loads a tool that the client only names, as a model does.
func (s *Server) find(ctx context.Context, name string) error {
	query, err := json.Marshal(map[string]any{"query": "select:" + name, "max_results": 1})
	if err != nil {
		return err
	}
	if err := s.answer(ctx, answer{tool: "ToolSearch", args: query}); err != nil {
		return err
	}
	got, err := s.Result(ctx)
	if err == nil && !slices.Contains(s.turn.tools, name) {
		err = fmt.Errorf("the client does not find its tool %s: %s", name, got.Text)
	}
	return err
}

func (s *Server) answer(ctx context.Context, a answer) error {
	now, err := s.waiting(ctx)
	if err != nil {
		return err
	}
	if a.tool != "" {
		s.calls++
		a.id = fmt.Sprintf("call_%d", s.calls)
	}
	s.last, s.turn = a, nil
	now.answer <- a
	return nil
}

// waiting is the request that waits for an answer; one that the client gave up
// is forgotten.
func (s *Server) waiting(ctx context.Context) (*turn, error) {
	for {
		if s.turn == nil {
			next, err := s.next(ctx)
			if err != nil {
				return nil, err
			}
			s.turn = next
		}
		select {
		case <-s.turn.gone:
			s.turn = nil
		default:
			return s.turn, nil
		}
	}
}

func (s *Server) next(ctx context.Context) (*turn, error) {
	select {
	case t := <-s.turns:
		return t, nil
	case <-ctx.Done():
		if stray := s.Stray(); len(stray) > 0 {
			return nil, fmt.Errorf("%w; it asked %s", context.Cause(ctx), strings.Join(stray, ", "))
		}
		return nil, context.Cause(ctx)
	}
}

var separators = regexp.MustCompile(`[^a-z0-9]+`)

// lookup finds a tool under the name that a client gives it: with the server's
// name before it, and with other separators.
func lookup(listed []string, tool string) (string, bool) {
	plain := func(name string) string { return separators.ReplaceAllString(strings.ToLower(name), "_") }
	for _, name := range listed {
		if at := plain(name); at == plain(tool) || strings.HasSuffix(at, "berth_"+plain(tool)) {
			return name, true
		}
	}
	return "", false
}

var errNoMessages = errors.New("no messages")

// events writes server-sent events; name is empty where a dialect has none.
type events struct{ w http.ResponseWriter }

func startEvents(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	return events{w}
}

func (e events) send(name string, data any) {
	if name != "" {
		_, _ = fmt.Fprintf(e.w, "event: %s\n", name)
	}
	text, ok := data.(string)
	if !ok {
		text = string(encode(data))
	}
	_, _ = fmt.Fprintf(e.w, "data: %s\n\n", text)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// encode is the JSON of what this package makes, which always encodes.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(v)) // a client that is gone needs no answer
}
