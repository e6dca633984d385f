package farpage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/peer"
	"github.com/berth-dev/berth/proxy/wire"
)

// Options configures a [Server]. Way, Host, Path and Listener are required.
type Options struct {
	Way      proxy.Way
	Host     string       // the name of the other machine
	Path     string       // of the project there
	Listener net.Listener // bound on 127.0.0.1; Serve closes it
	// SignInDir is the folder for the short-lived files that open the page.
	SignInDir string
	// OpenBrowser opens such a file in the person's browser, for a page without a
	// key that asks to sign in. nil: there is no browser to open here.
	OpenBrowser func(ctx context.Context, path string) error
	Logger      *slog.Logger // nil: no log
}

// Server shows the page. It is safe for concurrent use.
type Server struct {
	opts     Options
	port     int
	guard    *peer.Guard
	files    origin.SignInFiles
	refusals *origin.Limiter
	openings *origin.Limiter
}

// Limits on connections.
const (
	readHeaderTimeout = 5 * time.Second
	maxHeaderBytes    = 32 << 10
	codeLife          = time.Minute // of a sign-in code, and so of a file that carries it
	// Openings are allowed at once, and one more every openingPeriod.
	openings      = 3
	openingPeriod = 15 * time.Second
)

// New returns a server that serves nothing yet.
func New(opts Options) (*Server, error) {
	at, ok := opts.Listener.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return nil, fmt.Errorf("show the page at %v: not a loopback address", opts.Listener.Addr())
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{opts: opts, port: at.Port, files: origin.SignInFiles{Dir: opts.SignInDir, Port: at.Port},
		refusals: origin.NewLimiter(time.Now, 10, time.Second), openings: origin.NewLimiter(time.Now, openings, openingPeriod)}
	var err error
	s.guard, err = peer.NewGuard(peer.Options{Refused: s.refusedPeer, Answer: func(owner peer.User, r *http.Request) (http.Header, []byte) {
		return origin.RefuseUser(r, origin.Stranger{Who: owner.String()})
	}})
	return s, err
}

// Err returns why other users of this machine are not told apart, as in some
// containers. nil: they are, and are refused.
func (s *Server) Err() error { return s.guard.Err() }

// URL is the address of the page, which signs nobody in.
func (s *Server) URL() string { return wire.URL(s.port) }

// SignInURL returns an address that signs one browser in once, within 60
// seconds. Errors are those of [proxy.Way], a [*proxy.RefusedError] among them.
func (s *Server) SignInURL(ctx context.Context) (string, error) {
	code, err := s.newCode(ctx)
	if err != nil {
		return "", err
	}
	return origin.SignInURL(s.port, code), nil
}

// SignInFile writes a file that leads to such an address, and returns its path.
// The file is removed when a browser has signed in, after those 60 seconds, or
// when Serve ends.
func (s *Server) SignInFile(ctx context.Context) (string, error) {
	path, err := s.files.NewPath()
	if err != nil {
		return "", err
	}
	code, err := s.newCode(ctx)
	if err == nil {
		err = s.files.Write(path, code)
	}
	if err != nil {
		origin.RemoveSignInFile(path)
		return "", err
	}
	time.AfterFunc(codeLife, func() { origin.RemoveSignInFile(path) })
	return path, nil
}

func (s *Server) newCode(ctx context.Context) (string, error) {
	resp, err := s.opts.Way.Send(ctx, s.opts.Path, proxy.Request{Method: http.MethodPost, Path: wire.CodePath, As: proxy.AsPerson, ShownPort: s.port})
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var reply struct {
		Code      string `json:"code"`
		ShownPort int    `json:"shownPort"`
	}
	if err := proxy.ReadReply(resp, &reply); err != nil {
		return "", err
	}
	if reply.ShownPort != s.port {
		return "", fmt.Errorf("the berth of %s:%s cannot show its page on another machine: update it there", s.opts.Host, s.opts.Path)
	}
	if reply.Code == "" || strings.ContainsFunc(reply.Code, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		return "", errors.New("the instance gave no sign-in code") // what is not letters and digits could say more in the file
	}
	return reply.Code, nil
}

// Serve shows the page until ctx ends.
func (s *Server) Serve(ctx context.Context) error {
	defer s.files.Sweep()
	server := &http.Server{Handler: s, ReadHeaderTimeout: readHeaderTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelDebug)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(s.guard.Listener(s.opts.Listener)); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("show the page: %w", err)
	}
	return nil
}

func (s *Server) refusedPeer(owner peer.User, err error) {
	if ok, dropped := s.refusals.Allow(); ok && !errors.Is(err, peer.ErrGone) {
		s.opts.Logger.Warn("connection of another user refused", "user", string(owner), "cause", err, "notLogged", dropped)
	}
}
