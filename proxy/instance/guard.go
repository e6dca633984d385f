package instance

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"

	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/wire"
)

// ServeHTTP handles every request. It sets headers, checks Host and Origin,
// finds the route, checks the credential, takes a request slot and then calls
// the handler, in this order.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = deadlineWriter{w, s.cfg.WriteTimeout}
	origin.SetSecurityHeaders(w.Header())
	ctx, leave, err := s.requests.enter(r.Context())
	if err != nil {
		writeFailure(w, r, failureOf(err))
		return
	}
	defer leave()
	defer s.recover(w, r)
	r = r.WithContext(ctx)
	if err := origin.Check(r, s.self.Port, s.namedHosts()); err != nil {
		s.refuseOrigin(w, r, err)
		return
	}
	rt, param, f := s.match(r)
	if f != nil {
		writeFailure(w, r, f)
		return
	}
	who, f := s.authenticate(r, rt.auth)
	if f != nil {
		s.refuse(w, r, f)
		return
	}
	done, f := s.admit(rt)
	if f != nil {
		writeFailure(w, r, f)
		return
	}
	defer done()
	if err := rt.handle(w, &request{Request: r, caller: who, param: param}); err != nil {
		s.fail(w, r, rt, err)
	}
}

// admit takes a request slot; done releases it.
func (s *Server) admit(rt route) (done func(), f *failure) {
	if rt.auth == open {
		return func() {}, nil // cheap, and must be answered even when all slots are taken
	}
	used := func() {}
	if rt.path != wire.StatusPath { // lists of projects look at it, and would keep each other's instances for ever
		used = s.idle.use()
	}
	if rt.unlimited {
		return used, nil
	}
	select {
	case s.slots <- struct{}{}:
		trimmed, collected := s.trimmer.use(), s.garbage.use()
		return func() { <-s.slots; collected(); trimmed(); used() }, nil
	default:
		used()
		return nil, fail(wire.CodeOverloaded, "the instance answers at most %d requests at once; try again", cap(s.slots))
	}
}

// refuseOrigin answers a request that [origin.Check] refuses.
func (s *Server) refuseOrigin(w http.ResponseWriter, r *http.Request, err error) {
	if !origin.WantsRefusedHost(r, err) {
		s.refuse(w, r, failureOf(err))
		return
	}
	s.logRefusal(wire.CodeForbiddenHost)
	if err := origin.WriteRefusedHost(w, r); err != nil {
		s.cfg.Logger.Debug("refusal not written", "cause", err)
	}
}

// refuse answers a request that is not allowed. It logs a bounded number of
// lines and nothing that the caller chose, because a path or header may contain
// a credential.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, f *failure) {
	s.logRefusal(f.code)
	if f.code == wire.CodeUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	writeFailure(w, r, f)
}

func (s *Server) logRefusal(code wire.Code) {
	if ok, dropped := s.refusals.Allow(); ok {
		s.cfg.Logger.Warn("request refused", "error", string(code), "notLogged", dropped)
	}
}

// fail answers a request whose handler returned an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, rt route, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the caller hung up
	}
	f := failureOf(err)
	switch f.code {
	case wire.CodeUnauthorized:
		s.refuse(w, r, f)
		return
	case wire.CodeInternal:
		s.cfg.Logger.Error("request failed", "route", rt.String(), "cause", err)
	}
	writeFailure(w, r, f)
}

// recover confines a panic of a handler to its own request. The panic's value
// may hold anything, so only the stack is logged.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		panic(cause) // http.ErrAbortHandler: net/http aborts the reply without logging
	}
	s.cfg.Logger.Error("handler panicked", "stack", string(debug.Stack()))
	writeFailure(w, r, fail(wire.CodeInternal, "the instance failed inside; its log has the cause"))
}
