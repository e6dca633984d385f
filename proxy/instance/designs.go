package instance

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/berth-dev/berth/proxy/wire"
)

// Designs answers the routes below /designs: what the page reads and keeps
// beside the tools. What it returns is written as JSON; a body it gets is
// strict JSON. An error with a method Refusal() (code, message string), its
// code one of the wire's, is told as it says; any other is "internal".
type Designs interface {
	Designs(ctx context.Context) (any, error)
	// Design is one design whole. tag names its state: the same tag, the same
	// body.
	Design(ctx context.Context, connection string) (body any, tag string, err error)
	Types(ctx context.Context, connection string) (any, error)
	History(ctx context.Context, connection string, limit int, tables bool) (any, error)
	Changes(ctx context.Context, connection string) (any, error)
	Plan(ctx context.Context, connection string) (any, error)
	Script(ctx context.Context, connection, format, dialect string) (any, error)
	Layout(ctx context.Context, connection string) (any, error)
	Review(ctx context.Context, connection string) (any, error)
	// Look compares the design with its database, and reads that where it has
	// changed.
	Look(ctx context.Context, connection string, body json.RawMessage) (any, error)

	// These are for a person at the page.
	Import(ctx context.Context, connection string, body json.RawMessage) (any, error)
	Revert(ctx context.Context, connection string, body json.RawMessage) (any, error)
	SetLayout(ctx context.Context, connection string, body json.RawMessage) (any, error)
	SetReview(ctx context.Context, connection string, body json.RawMessage) (any, error)
}

// maxKeptBytes bounds the bodies that are kept with a design.
const maxKeptBytes = 1 << 20

// designRoutes are the routes of Config.Designs.
func (s *Server) designRoutes() []route {
	d := s.cfg.Designs
	if d == nil {
		return nil
	}
	return []route{
		{"GET", "/designs", anyKey, false, s.answer(func(ctx context.Context, _ *request) (any, error) { return d.Designs(ctx) })},
		{"GET", "/designs/{connection}", anyKey, false, s.getDesign},
		{"GET", "/designs/{connection}/changes", anyKey, false, s.read(d.Changes)},
		{"GET", "/designs/{connection}/history", anyKey, false, s.answer(s.history)},
		{"POST", "/designs/{connection}/import", pageOnly, false, s.submit(wire.MaxRequestBytes, d.Import)},
		{"GET", "/designs/{connection}/layout", anyKey, false, s.read(d.Layout)},
		{"PUT", "/designs/{connection}/layout", pageOnly, false, s.submit(maxKeptBytes, d.SetLayout)},
		{"POST", "/designs/{connection}/look", anyKey, false, s.submit(maxKeptBytes, d.Look)},
		{"GET", "/designs/{connection}/plan", anyKey, false, s.read(d.Plan)},
		{"POST", "/designs/{connection}/revert", pageOnly, false, s.submit(maxKeptBytes, d.Revert)},
		{"GET", "/designs/{connection}/review", anyKey, false, s.read(d.Review)},
		{"PUT", "/designs/{connection}/review", pageOnly, false, s.submit(maxKeptBytes, d.SetReview)},
		{"GET", "/designs/{connection}/script", anyKey, false, s.answer(func(ctx context.Context, r *request) (any, error) {
			query := r.URL.Query()
			return d.Script(ctx, r.param, query.Get("format"), query.Get("dialect"))
		})},
		{"GET", "/designs/{connection}/types", anyKey, false, s.read(d.Types)},
	}
}

// read answers a question about the design that the path names.
func (s *Server) read(ask func(ctx context.Context, connection string) (any, error)) handler {
	return s.answer(func(ctx context.Context, r *request) (any, error) { return ask(ctx, r.param) })
}

// answer answers a request without a body.
func (s *Server) answer(ask func(ctx context.Context, r *request) (any, error)) handler {
	return func(w http.ResponseWriter, r *request) error {
		return s.inside(r, func(ctx context.Context) error {
			body, err := ask(ctx, r)
			if err = s.whole(err); err == nil {
				writeJSON(w, http.StatusOK, body)
			}
			return err
		})
	}
}

// submit hands on a body of at most limit bytes.
func (s *Server) submit(limit int, take func(ctx context.Context, connection string, body json.RawMessage) (any, error)) handler {
	return func(w http.ResponseWriter, r *request) error {
		raw, err := readBody(w, r.Request, limit)
		if err != nil {
			return err
		}
		if err := wire.CheckJSON(raw, wire.MaxDepth, limit); err != nil {
			return badJSON(err)
		}
		return s.inside(r, func(ctx context.Context) error {
			body, err := take(ctx, r.param, raw)
			if err = s.whole(err); err == nil {
				writeJSON(w, http.StatusOK, body)
			}
			return err
		})
	}
}

// inside runs work as a call: the end waits for it, and it has a deadline.
func (s *Server) inside(r *request, work func(ctx context.Context) error) error {
	ctx, leave, err := s.gate.enter(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	if err := s.checkFolder(false); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.CallTimeout)
	defer cancel()
	if err := work(ctx); err != nil {
		return callError(ctx, err)
	}
	return nil
}

// getDesign answers with a whole design, or 304 to a page that has it.
func (s *Server) getDesign(w http.ResponseWriter, r *request) error {
	return s.inside(r, func(ctx context.Context) error {
		body, tag, err := s.cfg.Designs.Design(ctx, r.param)
		if err = s.whole(err); err != nil {
			return err
		}
		tag = strconv.Quote(tag)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
		writeJSON(w, http.StatusOK, body)
		return nil
	})
}

func (s *Server) history(ctx context.Context, r *request) (any, error) {
	query := r.URL.Query()
	limit := 0
	if text := query.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fail(wire.CodeInvalidRequest, "limit takes a whole number from 1")
		}
		limit = n
	}
	return s.cfg.Designs.History(ctx, r.param, limit, query.Get("tables") == "true")
}
