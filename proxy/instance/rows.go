package instance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

// Rows reads and changes tables for a person at the page; *db.Tools implements it. Its
// errors have a method Refusal, as those of [Designs].
type Rows interface {
	PageRows(ctx context.Context, connection string, r browse.Request, single bool) (json.RawMessage, error)
	PageCount(ctx context.Context, connection string, r browse.Request) (browse.Counted, error)
	// PageSave writes a file of the rows to w.
	PageSave(ctx context.Context, connection string, r browse.Request, format browse.Format, w io.Writer) (browse.Saved, error)
	// PageReview returns the statements of changes, and PageRun makes changes
	// that a person confirmed.
	PageReview(ctx context.Context, connection string, c rowedit.Changes) (rowedit.Reviewed, error)
	PageRun(ctx context.Context, connection string, r rowedit.Run) (rowedit.Outcome, error)
}

// rowsRequest is the body of the three routes that read.
type rowsRequest struct {
	browse.Request
	Single bool          `json:"single"`
	Format browse.Format `json:"format"`
}

// rowRoutes are the routes of Config.Rows.
func (s *Server) rowRoutes() []route {
	if s.cfg.Rows == nil {
		return nil
	}
	return []route{
		{"POST", "/designs/{connection}/rows", pageOnly, false, submit(s, maxKeptBytes, func(ctx context.Context, connection string, r rowsRequest) (json.RawMessage, error) {
			return s.cfg.Rows.PageRows(ctx, connection, r.Request, r.Single)
		})},
		{"POST", "/designs/{connection}/rows/count", pageOnly, false, submit(s, maxKeptBytes, func(ctx context.Context, connection string, r rowsRequest) (browse.Counted, error) {
			return s.cfg.Rows.PageCount(ctx, connection, r.Request)
		})},
		{"POST", "/designs/{connection}/rows/review", pageOnly, false, submit(s, maxKeptBytes, s.cfg.Rows.PageReview)},
		{"POST", "/designs/{connection}/rows/run", pageOnly, false, submit(s, maxKeptBytes, s.cfg.Rows.PageRun)},
		{"POST", "/designs/{connection}/rows/save", pageOnly, false, s.postSave},
	}
}

// savedLine is a line of the reply to postSave: a part of the file, or its end.
type savedLine struct {
	Text    string        `json:"text,omitempty"`
	Saved   *browse.Saved `json:"saved,omitempty"`
	Failure *wire.Failure `json:"failure,omitempty"`
}

// postSave streams a file of rows in lines, so that whoever reads it knows
// whether it came to its end.
func (s *Server) postSave(w http.ResponseWriter, r *request) error {
	var body rowsRequest
	if err := readJSON(w, r.Request, maxKeptBytes, &body); err != nil {
		return err
	}
	return s.inside(r, func(ctx context.Context) error {
		out := &savedParts{to: w}
		saved, err := s.cfg.Rows.PageSave(ctx, r.param, body.Request, body.Format, out)
		if err = s.whole(err); err != nil && !out.begun {
			return err
		}
		if err != nil {
			f := failureOf(err)
			out.line(savedLine{Failure: &wire.Failure{Message: f.message, Error: string(f.code)}})
			return nil
		}
		out.end()
		out.line(savedLine{Saved: &saved})
		return out.err
	})
}

// savedParts writes a text as lines of JSON. A part ends where a line of the
// text does, so that no character is in two of them.
type savedParts struct {
	to    http.ResponseWriter
	rest  []byte
	begun bool
	err   error
}

// Write implements [io.Writer].
func (p *savedParts) Write(text []byte) (int, error) {
	p.rest = append(p.rest, text...)
	if end := bytes.LastIndexByte(p.rest, '\n') + 1; end > 0 {
		p.line(savedLine{Text: string(p.rest[:end])})
		p.rest = append(p.rest[:0], p.rest[end:]...)
	}
	return len(text), p.err
}

func (p *savedParts) end() {
	if len(p.rest) > 0 {
		p.line(savedLine{Text: string(p.rest)})
	}
}

func (p *savedParts) line(l savedLine) {
	if !p.begun {
		p.to.Header().Set("Content-Type", "application/x-ndjson")
		p.begun = true
	}
	text, err := json.Marshal(l)
	if err == nil {
		_, err = p.to.Write(append(text, '\n'))
	}
	p.err = errors.Join(p.err, err)
}
