package instance

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// What a connection may cost before a request is understood.
const (
	readHeaderTimeout = 5 * time.Second
	keepAliveTimeout  = 10 * time.Minute // front-ends keep proven connections
	maxHeaderBytes    = 32 << 10
)

// Server is the HTTP server of one project. It is made by [New] and serves
// once.
type Server struct {
	cfg      Config
	self     wire.Instance
	routes   []route
	http     *http.Server
	mcp      *mcpEndpoint
	requests *gate // every request, until its handler returns
	gate     *gate // calls, until their reply is written
	idle     *idle
	codes    *codes
	streams  *streams
	slots    chan struct{} // one a request being answered, streams apart
	refusals *limiter      // log lines about refused requests
	signins  *limiter      // failed sign-ins

	started atomic.Bool
	control chan command  // from the routes that end the instance to Serve
	stopped chan struct{} // closed when control is read no more
}

// New makes a server with a token of its own. It opens, writes and starts
// nothing; the error says what cfg lacks.
func New(cfg Config) (*Server, error) {
	port, err := loopbackPort(cfg.Listener)
	if err != nil {
		return nil, fmt.Errorf("new instance: %w", err)
	}
	cfg, err = cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("new instance: %w", err)
	}
	s := &Server{
		cfg: cfg,
		self: wire.Instance{
			ProjectRoot: cfg.Root, Port: port, PID: os.Getpid(),
			Version: cfg.Version, StartedAt: cfg.Now().UTC(), Token: wire.NewToken(),
		},
		requests: newGate(),
		gate:     newGate(),
		idle:     newIdle(cfg.Idle),
		codes:    &codes{now: cfg.Now},
		streams:  newStreams(cfg.MaxStreams),
		slots:    make(chan struct{}, cfg.MaxRequests),
		refusals: newLimiter(cfg.Now, 10, time.Second),
		signins:  newLimiter(cfg.Now, 10, time.Second),
		control:  make(chan command),
		stopped:  make(chan struct{}),
	}
	s.mcp = newMCPEndpoint(s)
	s.routes = s.routeTable()
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       keepAliveTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(cfg.Logger.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// URL is where the instance is reached, without a credential.
func (s *Server) URL() string {
	return "http://127.0.0.1:" + strconv.Itoa(s.self.Port)
}

// NewCode returns a sign-in code for a page: good once, for 60 seconds.
func (s *Server) NewCode() string { return s.codes.issue() }

// SignInURL is the URL that signs a browser in with code. The code stands
// behind the #, which browsers send to no server.
func (s *Server) SignInURL(code string) string { return s.URL() + "/#code=" + code }
