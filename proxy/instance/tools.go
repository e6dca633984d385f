package instance

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// postTool runs one tool and streams the lines of its reply.
func (s *Server) postTool(w http.ResponseWriter, r *request) error {
	if !s.cfg.Tools.Has(r.param) {
		return noTool(r.param)
	}
	var req wire.Request
	if err := readJSON(w, r.Request, wire.MaxRequestBytes, &req); err != nil {
		return err
	}
	return s.runTool(r.Context(), r.caller, r.param, req, newReply(w))
}

// noTool refuses a name that no tool has. Without one that is meant, the caller
// may be of another version.
func noTool(name string) *failure {
	if catalog.Meant(name) != "" {
		return fail(wire.CodeNotFound, "%s", catalog.Unknown(name))
	}
	return fail(wire.CodeNotFound, "no tool of that name; the instance and its caller may be of different versions")
}

// runTool runs one tool and writes the lines of its reply. It returns an error
// if it has not run.
func (s *Server) runTool(ctx context.Context, who caller, name string, req wire.Request, out *reply) error {
	if !s.cfg.Tools.Has(name) {
		return noTool(name)
	}
	if req.DeadlineMs < 0 {
		return fail(wire.CodeInvalidRequest, "deadlineMs is %d, want 0 or more", req.DeadlineMs)
	}
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	var progress func(wire.Progress)
	if req.WantProgress {
		progress = out.progress
	}
	line, done := s.call(ctx, who, name, req, progress)
	out.end(line)
	done()
	return nil
}

// reply writes the lines of one reply. Write errors are ignored: if the client
// has gone, its call was cancelled with its request.
type reply struct {
	lines *wire.LineWriter
}

func newReply(w http.ResponseWriter) *reply {
	w.Header().Set("Content-Type", "application/x-ndjson")
	return &reply{lines: wire.NewLineWriter(w, func() { _ = http.NewResponseController(w).Flush() })}
}

// newLines returns a reply that is not HTTP's.
func newLines(w io.Writer) *reply { return &reply{lines: wire.NewLineWriter(w, nil)} }

func (p *reply) progress(progress wire.Progress) {
	_ = p.lines.Write(wire.Line{Progress: &progress})
}

// end writes the last line. A line too long for the hop is replaced by an
// error.
func (p *reply) end(line wire.Line) {
	if err := p.lines.Write(line); errors.Is(err, wire.ErrLineTooLong) {
		_ = p.lines.Write(wire.Line{Result: refusal("Error: the reply is too long; ask for less")})
	}
}
