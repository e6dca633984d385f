package instance

import (
	"context"
	"errors"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// getTables, getTableSchema, postQuery and getDatabaseType are the four REST
// routes of the documents, with the bodies given there.
func (s *Server) getTables(w http.ResponseWriter, r *request) error {
	return s.ask(r, w, "tables", func(ctx context.Context) (any, error) {
		tables, err := s.cfg.Rest.Tables(ctx)
		if tables == nil {
			tables = []string{}
		}
		return tables, connectionError(err)
	})
}

func (s *Server) getTableSchema(w http.ResponseWriter, r *request) error {
	return s.ask(r, w, "schema", func(ctx context.Context) (any, error) {
		text, err := s.cfg.Rest.TableSchema(ctx, r.param)
		return text, connectionError(err)
	})
}

func (s *Server) getDatabaseType(w http.ResponseWriter, r *request) error {
	return s.ask(r, w, "type", func(ctx context.Context) (any, error) {
		kind, err := s.cfg.Rest.DatabaseType(ctx)
		return kind, connectionError(err)
	})
}

func (s *Server) postQuery(w http.ResponseWriter, r *request) error {
	var body struct {
		Query string `json:"query"`
	}
	if err := readJSON(w, r.Request, wire.MaxRequestBytes, &body); err != nil {
		return err
	}
	if body.Query == "" {
		return fail(wire.CodeInvalidRequest, `the body must be {"query": "…"}`)
	}
	return s.ask(r, w, "result", func(ctx context.Context) (any, error) {
		rows, err := s.cfg.Rest.Query(ctx, body.Query)
		return rows, queryError(err)
	})
}

// ask runs question as a call and answers {name: value}.
func (s *Server) ask(r *request, w http.ResponseWriter, name string, question func(context.Context) (any, error)) error {
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
	value, err := question(ctx)
	if err = s.whole(err); err != nil {
		return callError(ctx, err)
	}
	writeJSON(w, http.StatusOK, map[string]any{name: value})
	return nil
}

// callError returns context.Cause(ctx) if ctx is done, and err otherwise.
func callError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// connectionError returns the failure with the documents' text for a database
// that cannot be reached.
func connectionError(err error) error {
	if err == nil || hasOwnMessage(err) {
		return err
	}
	return fail(wire.CodeNoConnection, "%s", wire.TextNoConnection)
}

// queryError returns the failure with the database's own message about a query.
func queryError(err error) error {
	if err == nil || hasOwnMessage(err) {
		return err
	}
	return fail(wire.CodeQueryFailed, "%s", err.Error())
}

// hasOwnMessage reports whether an error determines how it is reported.
func hasOwnMessage(err error) bool {
	var d *DatabaseError
	var told interface{ Refusal() (code, message string) }
	return errors.As(err, &d) || errors.As(err, &told) || errors.Is(err, context.DeadlineExceeded)
}
