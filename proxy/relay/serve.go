package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// ServeOptions configures [Serve]. Way is required.
type ServeOptions struct {
	Way     proxy.Way    // to the projects of this machine
	Version string       // of this berth
	Logger  *slog.Logger // nil: no log
}

// Serve is the far side: it greets the near side on out and answers it until in
// ends, the near side hangs or ctx ends. A read of in may stay blocked when it
// returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts ServeOptions) error {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if err := writeHello(out, opts.Version); err != nil {
		return fmt.Errorf("greet the other berth: %w", err)
	}
	conn := newStdio(in, out, func() {})
	f := &far{opts: opts, definitions: map[string]catalog.Definition{}}
	for _, d := range slices.Concat(catalog.All(), catalog.ForViews()) {
		f.definitions[d.Name] = d
	}
	server := &http.Server{
		Handler: f.routes(), Protocols: protocols(), HTTP2: http2(),
		ErrorLog: log.New(io.Discard, "", 0), // what a near side sends may hold anything
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(&oneConn{conn: conn}); !errors.Is(err, errOver) && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the other berth: %w", err)
	}
	return nil
}

// far answers the near side's requests.
type far struct {
	opts        ServeOptions
	definitions map[string]catalog.Definition
}

// routes are all that a relay offers.
func (f *far) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pingPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST "+callPath, f.call)
	mux.HandleFunc("GET "+projectsPath, f.projects)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, instancePath) { // the mux would clean its path
			f.instance(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// call runs a tool. It ends when the near side cancels the request.
func (f *far) call(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxCallBytes+1))
	if err != nil {
		return // the near side has gone
	}
	lines := wire.NewLineWriter(w, func() { _ = http.NewResponseController(w).Flush() })
	w.Header().Set("Content-Type", wire.ContentTypeRows)
	var c call
	if err := wire.Decode(body, callDepth, maxCallBytes, &c); err != nil {
		_ = lines.Write(failed(wire.CodeInvalidJSON, err.Error()))
		return
	}
	ctx, cancel := r.Context(), context.CancelFunc(func() {})
	if c.DeadlineMs > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.DeadlineMs)*time.Millisecond)
	}
	defer cancel()
	line, err := f.run(ctx, c, lines)
	if err != nil { // ctx's: the near side has given up
		line = failed(wire.CodeTimeout, "the call took too long on its host")
	}
	if err := lines.Write(line); errors.Is(err, wire.ErrLineTooLong) {
		_ = lines.Write(failed(wire.CodeInternal, err.Error()))
	}
}

func (f *far) run(ctx context.Context, c call, lines *wire.LineWriter) (wire.Line, error) {
	def, ok := f.definitions[c.Tool]
	if !ok {
		return wire.Line{Result: &wire.Result{IsError: true, Content: []string{
			"Error: " + catalog.Unknown(c.Tool), "The berth on the host " + c.Host + " is version " + f.opts.Version + "."}}}, nil
	}
	o := proxy.CallOptions{Client: c.Client, Host: c.Host, NoAutostart: !c.Autostart,
		InputResponses: c.InputResponses, RequestState: c.RequestState}
	if c.WantProgress {
		o.Progress = func(p wire.Progress) { _ = lines.Write(wire.Line{Progress: &p}) }
	}
	return f.opts.Way.Call(ctx, def, c.Path, c.Arguments, o)
}

func failed(code wire.Code, message string) wire.Line {
	return wire.Line{Failure: &wire.Failure{Error: string(code), Message: message}}
}

// projects lists what runs here.
func (f *far) projects(w http.ResponseWriter, r *http.Request) {
	list, err := f.opts.Way.Running(r.Context())
	if err != nil {
		f.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", wire.ContentTypeJSON)
	_ = json.NewEncoder(w).Encode(projects{list[:min(len(list), maxProjects)]})
}

// instance passes a request on to an instance, and its answer back.
func (f *far) instance(w http.ResponseWriter, r *http.Request) {
	project, request, err := instanceRequest(r)
	if err != nil {
		f.fail(w, err)
		return
	}
	resp, err := f.opts.Way.Send(r.Context(), project, request)
	if err != nil {
		f.fail(w, err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	if request.As == proxy.AsPerson {
		if err := withoutAddress(resp); err != nil {
			f.fail(w, err)
			return
		}
	}
	for name, values := range resp.Header {
		if !hopByHop(name) {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(resp.StatusCode)
	proxy.CopyAtOnce(w, resp.Body)
}

// instanceRequest returns the request that r carries, if a relay offers it.
func instanceRequest(r *http.Request) (project string, request proxy.Request, err error) {
	path := "/" + strings.TrimPrefix(r.URL.EscapedPath(), instancePath)
	if project, err = url.QueryUnescape(r.Header.Get(projectHeader)); err != nil {
		return "", request, proxy.ErrNotOffered
	}
	as, known := identities[r.Header.Get(asHeader)]
	if !known && r.Header.Get(asHeader) != "" || !offered(r.Method, path, as) {
		return "", request, proxy.ErrNotOffered
	}
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	header := r.Header.Clone()
	for _, name := range []string{projectHeader, asHeader, portHeader} {
		header.Del(name)
	}
	request = proxy.Request{Method: r.Method, Path: path, Header: header, As: as}
	if port := r.Header.Get(portHeader); port != "" {
		if request.ShownPort, err = strconv.Atoi(port); err != nil || request.ShownPort < 1 || request.ShownPort > 65535 {
			return "", request, proxy.ErrNotOffered
		}
	}
	if r.ContentLength != 0 {
		request.Body = r.Body
	}
	return project, request, nil
}

// withoutAddress leaves of the answer with a sign-in code the code alone: its
// address has the instance's port.
func withoutAddress(resp *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, wire.MaxHealthBytes))
	if err != nil || resp.StatusCode/100 != 2 {
		resp.Body = io.NopCloser(bytes.NewReader(text))
		return err
	}
	var reply struct {
		Code      string `json:"code"`
		ShownPort int    `json:"shownPort,omitempty"`
	}
	if err := wire.Decode(text, wire.MaxDepth, wire.MaxHealthBytes, &reply); err != nil {
		return err
	}
	if text, err = json.Marshal(reply); err != nil {
		return err
	}
	resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}

// fail answers in the place of an instance.
func (f *far) fail(w http.ResponseWriter, err error) {
	word, status, said := "failed", http.StatusBadGateway, errFailed
	for _, known := range failures {
		if errors.Is(err, known.err) {
			word, status, said = known.word, known.status, known.err
			break
		}
	}
	f.opts.Logger.Debug("relayed request failed", "cause", err)
	w.Header().Set(errorHeader, word)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, said.Error())
}

// hopByHop reports whether a header is about one connection, or not to be
// passed on.
func hopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade", "Trailer", "Te", "Proxy-Connection", "Content-Length":
		return true
	}
	return strings.HasPrefix(name, "Berth-")
}
