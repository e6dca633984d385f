package instance

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/berth-dev/berth/proxy/peer"
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
	runID    []byte // tells this run from any other, and is no secret
	rootHash string // how /health names the project
	routes   []route
	http     *http.Server
	guard    *peer.Guard // whose connections are answered
	mcp      *mcpEndpoint
	requests *gate // every request, until its handler returns
	gate     *gate // calls, until their reply is written
	idle     *idle
	codes    *codes
	streams  *streams
	slots    chan struct{} // one a request being answered, streams apart
	refusals *limiter      // log lines about refused requests
	signins  *limiter      // failed sign-ins

	moved     chan struct{} // gets a value when a call found the folder replaced or gone
	goneSince time.Time     // of the folder; zero: it is there. Serve's own

	started atomic.Bool
	control chan command  // from the routes that end the instance to Serve
	stopped chan struct{} // closed when control is read no more

	successor atomic.Pointer[net.Conn] // set before Serve returns HandedOver
}

// New makes a server with a token of its own. It writes and starts nothing;
// the error says what cfg lacks.
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
		requests: newGate(),
		gate:     newGate(),
		idle:     newIdle(cfg.Idle),
		codes:    &codes{now: cfg.Now},
		streams:  newStreams(cfg.MaxStreams),
		slots:    make(chan struct{}, cfg.MaxRequests),
		refusals: newLimiter(cfg.Now, 10, time.Second),
		signins:  newLimiter(cfg.Now, 10, time.Second),
		moved:    make(chan struct{}, 1),
		control:  make(chan command),
		stopped:  make(chan struct{}),
	}
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

// URL is where the instance is reached, without a credential.
func (s *Server) URL() string { return wire.URL(s.self.Port) }

// NewCode returns a sign-in code for a page: good once, for 60 seconds.
func (s *Server) NewCode() string { return s.codes.issue("") }

// SignInURL is the URL that signs a browser in with code. The code stands
// behind the #, which browsers send to no server. What stands before it is new
// each time, so that no cache has an answer: whoever had the port before may
// have left one there.
func (s *Server) SignInURL(code string) string {
	return s.URL() + "/?" + openingQuery + "=" + rand.Text() + "#code=" + code
}

// salt is what only processes of the same user know: they can read it. It
// keeps others from finding out by trying whose project is served here.
func (s *Server) salt() []byte {
	if key, err := wire.ReadPersonKey(s.cfg.PersonKeyFile); err == nil {
		return key[:]
	}
	return s.self.Token[:]
}
