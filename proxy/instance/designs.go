package instance

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
)

// Designs answers the routes below /designs: what the page reads and keeps
// beside the tools; *pageapi.API implements it. An error with a method
// Refusal() (code, message string), its code one of the wire's, is passed on as
// it is; any other is "internal".
type Designs interface {
	Designs(ctx context.Context) (pageapi.Listing, error)
	// Design is one design whole. tag names its state: the same tag, the same
	// body.
	Design(ctx context.Context, connection string) (body pageapi.Design, tag string, err error)
	Types(ctx context.Context, connection string) (pageapi.Forms, error)
	History(ctx context.Context, connection string, limit int, tables bool) (pageapi.History, error)
	Changes(ctx context.Context, connection string) (pageapi.Changes, error)
	Plan(ctx context.Context, connection string) (schema.PageReply[schema.PublishPlan], error)
	Script(ctx context.Context, connection string, form schema.TextForm) (schema.PageReply[schema.DesignText], error)
	Lint(ctx context.Context, connection string, rules []string) (schema.LintReport, error)
	Layout(ctx context.Context, connection string) (pageapi.Layout, error)
	Canvas(ctx context.Context, connection string) (pageapi.Canvas, error)
	SavedViews(ctx context.Context, connection string) (pageapi.SavedViews, error)
	Review(ctx context.Context, connection string) (pageapi.Review, error)
	Notes(ctx context.Context, connection string) (pageapi.Notes, error)
	// Look compares the design with its database, and reads that where it has
	// changed.
	Look(ctx context.Context, connection string, r pageapi.LookRequest) (schema.PageDatabaseState, error)

	// These are for a person at the page.
	Import(ctx context.Context, connection string, text schema.TextImport) (schema.PageReply[schema.ToolReply], error)
	Revert(ctx context.Context, connection string, r pageapi.RevertRequest) (schema.PageReply[schema.ToolReply], error)
	SetLayout(ctx context.Context, connection string, r pageapi.LayoutRequest) (pageapi.LayoutReply, error)
	SetCanvas(ctx context.Context, connection string, r pageapi.CanvasRequest) (pageapi.CanvasReply, error)
	SetSavedView(ctx context.Context, connection string, r pageapi.SavedViewRequest) (pageapi.SavedViewReply, error)
	// SetTeam is for a person at a terminal.
	SetTeam(ctx context.Context, connection string, r pageapi.TeamRequest) (pageapi.TeamDone, error)
	Team(ctx context.Context, connection string) (pageapi.TeamState, error)
	// SetReview accepts what the agent changed, or takes it back.
	SetReview(ctx context.Context, connection string, r pageapi.ReviewRequest) (schema.PageReply[schema.ToolReply], error)
	// SetNotes says something to the agent.
	SetNotes(ctx context.Context, connection string, r pageapi.NoteRequest) (pageapi.Notes, error)
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
		{"GET", "/designs", anyKey, false, answer(s, func(ctx context.Context, _ *request) (pageapi.Listing, error) { return d.Designs(ctx) })},
		{"GET", "/designs/{connection}", anyKey, false, s.getDesign},
		{"GET", "/designs/{connection}/canvas", anyKey, false, read(s, d.Canvas)},
		{"PUT", "/designs/{connection}/canvas", pageOnly, false, submit(s, maxKeptBytes, d.SetCanvas)},
		{"GET", "/designs/{connection}/changes", anyKey, false, read(s, d.Changes)},
		{"GET", "/designs/{connection}/history", anyKey, false, answer(s, s.history)},
		{"POST", "/designs/{connection}/import", pageOnly, false, submit(s, wire.MaxRequestBytes, d.Import)},
		{"GET", "/designs/{connection}/layout", anyKey, false, read(s, d.Layout)},
		{"PUT", "/designs/{connection}/layout", pageOnly, false, submit(s, maxKeptBytes, d.SetLayout)},
		{"GET", "/designs/{connection}/lint", anyKey, false, answer(s, s.lint)},
		{"POST", "/designs/{connection}/look", anyKey, false, submit(s, maxKeptBytes, d.Look)},
		{"GET", "/designs/{connection}/notes", anyKey, false, read(s, d.Notes)},
		{"POST", "/designs/{connection}/notes", pageOnly, false, submit(s, maxKeptBytes, d.SetNotes)},
		{"GET", "/designs/{connection}/plan", anyKey, false, read(s, d.Plan)},
		{"POST", "/designs/{connection}/revert", pageOnly, false, submit(s, maxKeptBytes, d.Revert)},
		{"GET", "/designs/{connection}/review", anyKey, false, read(s, d.Review)},
		{"POST", "/designs/{connection}/review", pageOnly, false, submit(s, maxKeptBytes, d.SetReview)},
		{"GET", "/designs/{connection}/saved-views", anyKey, false, read(s, d.SavedViews)},
		{"PUT", "/designs/{connection}/saved-views", pageOnly, false, submit(s, maxKeptBytes, d.SetSavedView)},
		{"GET", "/designs/{connection}/script", anyKey, false, answer(s, s.script)},
		{"GET", "/designs/{connection}/team", anyKey, false, read(s, d.Team)},
		{"POST", "/designs/{connection}/team", personOnly, false, submit(s, maxKeptBytes, d.SetTeam)},
		{"GET", "/designs/{connection}/types", anyKey, false, read(s, d.Types)},
	}
}

// read answers a question about the design that the path names.
func read[T any](s *Server, ask func(ctx context.Context, connection string) (T, error)) handler {
	return answer(s, func(ctx context.Context, r *request) (T, error) { return ask(ctx, r.param) })
}

// answer answers a request without a body.
func answer[T any](s *Server, ask func(ctx context.Context, r *request) (T, error)) handler {
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

// submit answers a request with a body of at most limit bytes.
func submit[In, Out any](s *Server, limit int, take func(ctx context.Context, connection string, body In) (Out, error)) handler {
	return func(w http.ResponseWriter, r *request) error {
		raw, err := readBody(w, r.Request, limit)
		if err != nil {
			return err
		}
		if err := wire.CheckJSON(raw, wire.MaxDepth, limit); err != nil {
			return badJSON(err)
		}
		return answer(s, func(ctx context.Context, r *request) (out Out, err error) {
			var in In
			if err := decodeBody(raw, &in); err != nil {
				return out, err
			}
			return take(ctx, r.param, in)
		})(w, r)
	}
}

// decodeBody reads a body that is known to be strict JSON. Members that nobody
// asked for are ignored.
func decodeBody(body json.RawMessage, into any) error {
	var typed *json.UnmarshalTypeError
	if err := json.Unmarshal(body, into); errors.As(err, &typed) && typed.Field != "" {
		return fail(wire.CodeInvalidRequest, "%s has a value of the wrong type", typed.Field)
	} else if err != nil {
		return fail(wire.CodeInvalidRequest, "the body is not of the right shape")
	}
	return nil
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

func (s *Server) history(ctx context.Context, r *request) (body pageapi.History, err error) {
	query := r.URL.Query()
	limit := 0
	if text := query.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return body, fail(wire.CodeInvalidRequest, "limit takes a whole number from 1")
		}
		limit = n
	}
	return s.cfg.Designs.History(ctx, r.param, limit, query.Get("tables") == "true")
}

func (s *Server) script(ctx context.Context, r *request) (schema.PageReply[schema.DesignText], error) {
	query := r.URL.Query()
	return s.cfg.Designs.Script(ctx, r.param,
		schema.TextForm{Format: query.Get("format"), Dialect: query.Get("dialect"), Owners: query.Get("owners") == "true"})
}

func (s *Server) lint(ctx context.Context, r *request) (schema.LintReport, error) {
	return s.cfg.Designs.Lint(ctx, r.param, r.URL.Query()["rule"])
}
