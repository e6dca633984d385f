package farpage

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/wire"
)

// ServeHTTP handles every request: it checks Host and Origin, answers what has
// to happen on this machine, and passes everything else on.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin.SetSecurityHeaders(w.Header())
	err := origin.Check(r, s.port, nil)
	switch {
	case err != nil:
	case origin.AsksForWorker(r):
		err = origin.WriteEndOfWorker(w)
	case r.Method == http.MethodPost && r.URL.EscapedPath() == "/signin/open":
		err = s.openBrowser(w, r)
	case r.Method == http.MethodPost && r.URL.EscapedPath() == "/projects/open":
		err = &origin.Error{Code: wire.CodeInvalidRequest, Message: "that project is on the host " + s.opts.Host +
			": run on this machine: berth open " + s.opts.Host + ":/PATH"}
	default:
		err = s.pass(w, r)
	}
	if err != nil {
		s.fail(w, r, err)
	}
}

// openBrowser opens the page in the person's browser, signed in, as an instance
// does on its machine.
func (s *Server) openBrowser(w http.ResponseWriter, r *http.Request) error {
	if err := origin.CheckOwnPage(r, s.port); err != nil {
		return err
	}
	none := &origin.Error{Code: wire.CodeInvalidRequest, Message: "no browser can be opened from here: run berth open --print " +
		proxy.ShellWord(s.opts.Host+":"+s.opts.Path) + " at a terminal for an address to paste"}
	if s.opts.OpenBrowser == nil {
		return none
	}
	if ok, _ := s.openings.Allow(); !ok {
		return &origin.Error{Code: wire.CodeOverloaded, Message: fmt.Sprintf(
			"a browser was asked to open this page a moment ago: look for it there, or try again in %d seconds", int(openingPeriod.Seconds()))}
	}
	path, err := s.SignInFile(r.Context())
	if err == nil {
		err = s.opts.OpenBrowser(r.Context(), path)
	}
	if err != nil { // its text may name the file
		s.opts.Logger.Warn("browser not opened for a page that asked to sign in", "cause", err)
		return none
	}
	writeJSON(w, http.StatusOK, map[string]bool{"opened": true})
	return nil
}

// sentHeaders are what of a request's header goes to the other machine.
var sentHeaders = []string{"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Type",
	"If-None-Match", "If-Modified-Since", "Last-Event-Id", "Origin", "Sec-Fetch-Site"}

// keptBack are what of an answer's header is about a connection, or would stay
// in the browser for whatever has this port next.
var keptBack = []string{"Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade", "Trailer", "Set-Cookie", "Service-Worker-Allowed",
	"Strict-Transport-Security", "Alt-Svc", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"}

// pass sends a request to the instance and its answer back.
func (s *Server) pass(w http.ResponseWriter, r *http.Request) error {
	header := http.Header{}
	for _, name := range sentHeaders {
		if values := r.Header.Values(name); len(values) > 0 {
			header[name] = values
		}
	}
	request := proxy.Request{Method: r.Method, Path: r.URL.RequestURI(), Header: header, ShownPort: s.port}
	if r.ContentLength != 0 {
		request.Body = http.MaxBytesReader(w, r.Body, wire.MaxLineBytes)
	}
	resp, err := s.opts.Way.Send(r.Context(), s.opts.Path, request)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	for _, name := range keptBack {
		w.Header().Del(name)
	}
	if r.URL.EscapedPath() == "/signin" && resp.StatusCode == http.StatusOK {
		s.files.Sweep() // its code is used
	}
	w.WriteHeader(resp.StatusCode)
	proxy.CopyAtOnce(w, resp.Body)
	return nil
}

// fail answers a request that was refused here, or that reached no instance. One
// that was sent and not answered is not answered here either, as if the instance
// was on this machine: the page knows then that it may have been carried out.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the browser has gone
	}
	var way *proxy.WayError
	if errors.Is(err, proxy.ErrUnanswered) || errors.As(err, &way) && way.Sent {
		s.opts.Logger.Debug("request not answered", "cause", err)
		panic(http.ErrAbortHandler)
	}
	refused := s.refusalFor(err)
	if ok, dropped := s.refusals.Allow(); ok {
		s.opts.Logger.Warn("request refused", "error", string(refused.Code), "notLogged", dropped)
	}
	writeJSON(w, refused.Code.HTTPStatus(), wire.Failure{Error: string(refused.Code), Message: refused.Message})
}

func (s *Server) refusalFor(err error) *origin.Error {
	var own *origin.Error
	var way *proxy.WayError // of a request that was not sent: the page waits and asks again, as after shutting_down
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &way):
		return &origin.Error{Code: wire.CodeShuttingDown, Message: "the host " + s.opts.Host + " cannot be reached: " + way.Cause.Error()}
	case errors.Is(err, proxy.ErrNotRunning):
		return &origin.Error{Code: wire.CodeShuttingDown, Message: "nothing serves the project on the host " + s.opts.Host + " now"}
	case errors.Is(err, proxy.ErrNoAnswer):
		return &origin.Error{Code: wire.CodeShuttingDown, Message: "the project's instance on the host " + s.opts.Host + " does not answer"}
	case errors.Is(err, proxy.ErrNotOffered):
		return &origin.Error{Code: wire.CodeForbidden, Message: err.Error()}
	}
	s.opts.Logger.Error("request not passed on", "cause", err)
	return &origin.Error{Code: wire.CodeInternal, Message: "the request could not be passed on; the log has the cause"}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", wire.ContentTypeJSON)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error: the browser has gone
}
