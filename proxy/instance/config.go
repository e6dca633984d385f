package instance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
)

// Config configures a [Server]. Root, Listener, InstanceFile and Tools are
// required; a nil part below them disables its routes.
type Config struct {
	Root         string       // the project, canonical
	Version      string       // of the program, for /health and MCP
	Listener     net.Listener // bound on 127.0.0.1; Serve closes it
	InstanceFile string       // written at start, removed at the end
	// Folder is the folder that Root named when the instance's parts opened it;
	// it is checked at every call. nil: no check.
	Folder Folder

	Tools  Tools
	Rest   Database    // the four REST routes of the documents
	Events EventSource // GET /events
	Keys   KeyStore    // page keys: signing in
	// Rows reads tables for a person at the page; nil: there are no such routes.
	Rows Rows
	// Approvals holds the plans that wait for a person.
	Approvals Approvals
	// Edits handles the edits of fast mode.
	Edits Edits
	// Presence knows who is here.
	Presence Presence
	// Trust handles what the project's own files ask of the user.
	Trust Trust
	// NewDesigns begins designs without a database; nil: there are no such routes.
	NewDesigns NewDesigns
	// PersonKeyFile is the path of the person key, see [wire.PersonHeader]. If
	// it is empty, no holder of the token speaks for a person.
	PersonKeyFile string
	// SignInDir is the folder for the short-lived files that open the page; see
	// [Server.NewSignInFile]. It is created and removed as needed.
	SignInDir string
	// OpenBrowser opens such a file in the person's browser, for a page without a
	// key that asks to sign in. nil: there is no browser to open here.
	OpenBrowser func(ctx context.Context, path string) error
	// PageHosts returns the hosts under which the user has said that the page may
	// be shown, beside 127.0.0.1; see [origin.CheckHost]. nil: none.
	PageHosts func() []string
	// Designs and Projects are what the page needs beside the tools.
	Designs  Designs
	Projects Projects
	Page     http.Handler // GET on every other path; nil: a page that says how to open the designer
	// Status returns the body of GET /status, without who holds the instance.
	Status func(ctx context.Context) wire.Status
	// Handover flushes and releases what a successor on the same project needs.
	// It runs when no call is left. If it returns an error it must not have
	// released anything: the instance continues to serve.
	Handover func(ctx context.Context) error
	// KeepReachable is called now and then while the instance serves, never during
	// Handover or shutdown. It restores what others need to find the instance.
	// An error means that another instance has taken over, and ends this one.
	KeepReachable func(ctx context.Context) error
	// Changes receives a value when something has changed by which others find
	// the instance, or when the project's folder was moved: KeepReachable is called at
	// once then, and else every 30 s. nil: nothing reports changes, and KeepReachable is
	// called after a second, and then less and less often.
	Changes <-chan struct{}
	// Observe returns what may be logged about a call. nil: the tool's name and
	// whether it succeeded.
	Observe func(call tools.Call, reply tools.Reply) Telemetry

	// TrustedPeers are users, by name or uid, whose connections are accepted
	// beside those of this process's own user and the system's.
	TrustedPeers []string

	Logger *slog.Logger // nil: no log
	// Calls logs one line per tool call, with the fields of [Telemetry] and
	// nothing else: it should have no attributes of its own. nil: Logger.
	Calls *slog.Logger
	Idle  time.Duration // how long without a request until the instance ends; 0: never

	CallTimeout  time.Duration // longest a call may take; 0: 5 minutes
	GonePatience time.Duration // how long the project's folder may be away before the instance ends; 0: 1 minute
	DrainTimeout time.Duration // longest the end waits for calls in flight; 0: 2 s
	Heartbeat    time.Duration // of an idle event stream; 0: 15 s
	WriteTimeout time.Duration // longest one write waits for a reader that does not read; 0: 10 s
	MaxRequests  int           // at once, streams apart; 0: 1024
	MaxStreams   int           // event and MCP streams at once; 0: 64

	Now func() time.Time // nil: time.Now
}

// Tools is what an instance offers; *tools.Set implements it.
type Tools interface {
	Call(ctx context.Context, call tools.Call) tools.Reply
	Definitions() []catalog.Definition
	Has(name string) bool
}

// Database answers the REST routes. An error of type *[DatabaseError] is
// reported as it says. Any other error of Query is the database's own and is
// reported with its text; any other error of the other methods is reported as
// "Could not establish database connection".
type Database interface {
	Tables(ctx context.Context) ([]string, error)
	TableSchema(ctx context.Context, table string) (string, error)
	Query(ctx context.Context, sql string) (any, error) // rows, as they marshal
	DatabaseType(ctx context.Context) (string, error)
}

// Approvals lists the plans that wait for a person and records their decisions;
// *approval.Ledger implements it. Settle's error is ErrUnknown, a *NotOpenError
// or a *NotTypedError of that package.
type Approvals interface {
	List() []approval.Entry
	Find(id string) (approval.Entry, error) // ErrUnknown
	Settle(id string, approve bool, typed string) (approval.Entry, error)
}

// Event is one event of the project; Data is one JSON object. An event with Seq
// 0 is a notice: it is written without an id, so that it does not change where
// a reader resumes, and it is not repeated to readers that connect later.
type Event struct {
	Seq  uint64
	Data json.RawMessage
}

// EventSource feeds event streams. Subscribe delivers what follows after in
// order; it closes the channel when it cannot continue (the reader was too
// slow, the source ends), and the reader subscribes again with the last Seq it
// saw. cancel releases the subscription and may be called more than once.
type EventSource interface {
	Subscribe(after uint64) (events <-chan Event, cancel func())
}

// KeyStore stores page keys across restarts. The secret is derived by this
// package from a key and is not the key itself. A store bounds the number of
// keys by removing the oldest.
type KeyStore interface {
	AddPageKey(ctx context.Context, id string, secret []byte) error
	PageKey(ctx context.Context, id string) (secret []byte, ok bool, err error)
	RevokePageKey(ctx context.Context, id string) error // none under that id: no error
	PageKeys(ctx context.Context) (created map[string]time.Time, err error)
}

// The default limits.
const (
	defaultCallTimeout  = 5 * time.Minute
	defaultDrainTimeout = 2 * time.Second
	defaultHeartbeat    = 15 * time.Second
	defaultWriteTimeout = 10 * time.Second
	defaultMaxRequests  = 1024
	defaultMaxStreams   = 64
)

// withDefaults checks what is required and fills in the rest.
func (c Config) withDefaults() (Config, error) {
	if !filepath.IsAbs(c.Root) {
		return c, fmt.Errorf("project root %q is not an absolute path", c.Root)
	}
	if c.InstanceFile == "" {
		return c, errors.New("no path for the instance file")
	}
	if c.Tools == nil {
		return c, errors.New("no tools to serve")
	}
	c.CallTimeout = cmp.Or(c.CallTimeout, defaultCallTimeout)
	c.GonePatience = cmp.Or(c.GonePatience, defaultGonePause)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, defaultDrainTimeout)
	c.Heartbeat = cmp.Or(c.Heartbeat, defaultHeartbeat)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, defaultWriteTimeout)
	c.MaxRequests = cmp.Or(c.MaxRequests, defaultMaxRequests)
	c.MaxStreams = cmp.Or(c.MaxStreams, defaultMaxStreams)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Calls == nil {
		c.Calls = c.Logger
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = observe
	}
	return c, nil
}

// loopbackPort returns the port of l, which must be bound to 127.0.0.1: any
// other address could be reachable from the network.
func loopbackPort(l net.Listener) (int, error) {
	if l == nil {
		return 0, errors.New("no listener")
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		return 0, fmt.Errorf("listener is on %s, want 127.0.0.1", l.Addr())
	}
	return addr.Port, nil
}
