package instance

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/portmap/dirwatch"
	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/peer"
	"github.com/berth-dev/berth/proxy/wire"
)

// Limits on a connection before its request is parsed.
const (
	readHeaderTimeout = 5 * time.Second
	keepAliveTimeout  = 10 * time.Minute // front-ends keep proven connections
	maxHeaderBytes    = 32 << 10
)

// Server is the HTTP server of one project. [New] creates it; it serves once.
type Server struct {
	cfg      Config
	self     wire.Instance
	runID    []byte // identifies this run; not secret
	rootHash string // how /health names the project
	routes   []route
	http     *http.Server
	guard    *peer.Guard // whose connections are answered
	mcp      *mcpEndpoint
	requests *gate         // every request, until its handler returns
	gate     *gate         // calls, until their reply is written
	idle     *idleTimer    // ends the instance; /health does not count as use
	expired  chan struct{} // gets one value from idle
	trimmer  *idleTimer
	garbage  *collector
	codes    *codes
	hosts    hosts
	streams  *streams
	calls    *callConns
	slots    chan struct{}   // one a request being answered, streams apart
	refusals *origin.Limiter // log lines about refused requests
	signins  *origin.Limiter // failed sign-ins
	openings *origin.Limiter // browsers opened for a page without a key

	moved     chan struct{} // gets a value when a call found the folder replaced or gone
	goneSince time.Time     // of the folder; zero: it is there. Serve's own
	pace      dirwatch.Pace // of checks. Serve's own

	started atomic.Bool
	control chan command  // from the routes that end the instance to Serve
	stopped chan struct{} // closed when control is no longer read

	outcome   atomic.Int32             // an Outcome, once it is known
	successor atomic.Pointer[net.Conn] // set before Serve returns HandedOver
}

// New returns a server with a new token. It starts nothing and writes no file.
// It returns an error if cfg is not valid.
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
		runID:    newRun(),
		pace:     dirwatch.Pace{Shortest: checkAlone},
		requests: newGate(),
		gate:     newGate(),
		expired:  make(chan struct{}, 1),
		trimmer:  newTrimmer(),
		garbage:  newCollector(),
		codes:    &codes{now: cfg.Now},
		streams:  newStreams(cfg.MaxStreams),
		calls:    newCallConns(),
		slots:    make(chan struct{}, cfg.MaxRequests),
		refusals: origin.NewLimiter(cfg.Now, 10, time.Second),
		signins:  origin.NewLimiter(cfg.Now, 10, time.Second),
		openings: origin.NewLimiter(cfg.Now, openings, openingPeriod),
		moved:    make(chan struct{}, 1),
		control:  make(chan command),
		stopped:  make(chan struct{}),
	}
	s.idle = &idleTimer{after: cfg.Idle, then: func() {
		select {
		case s.expired <- struct{}{}:
		default:
		}
	}}
	s.rootHash = wire.RootHash(s.salt(), cfg.Root)
	if s.guard, err = s.newGuard(); err != nil {
		return nil, fmt.Errorf("new instance: %w", err)
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

// URL returns the instance's address, without a credential.
func (s *Server) URL() string { return wire.URL(s.self.Port) }

// NewCode returns a sign-in code for a page, valid once and for 60 seconds.
func (s *Server) NewCode() string { return s.codes.issue("") }

// SignInURL is the URL that signs a browser in with code.
func (s *Server) SignInURL(code string) string { return origin.SignInURL(s.self.Port, code) }

// salt returns a value that only processes of the same user can read. It
// prevents others from finding out by trial which project is served here.
func (s *Server) salt() []byte {
	if key, err := wire.ReadPersonKey(s.cfg.PersonKeyFile); err == nil {
		return key[:]
	}
	return s.self.Token[:]
}
