package proxy

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// Options configures a [Client]: where it finds instances and how long it
// waits. Home is required; the zero value of every other field is a default.
type Options struct {
	Home    portmap.Home
	Store   *portmap.Store // nil: the store of Home
	Version string         // of this program, for the User-Agent
	Logger  *slog.Logger   // nil: no log; gets, at debug level, why calls failed
	// Autostart starts the instance of a canonical root that is not running.
	// It returns once the process is started; the client waits until it
	// answers. An error may have a method Hint() string that says what to do.
	// If Autostart is nil, calling a project that is not running is an error.
	Autostart func(ctx context.Context, root string) error
	// Hosts are the other machines whose projects calls name as HOST:/PATH. nil:
	// there is none.
	Hosts Hosts
	// Place returns the names of the project and the machine in which this process
	// was started, for the list of who is at an instance. It is called once, at the
	// first call. nil: neither is known.
	Place func() (project, machine string)
	// IsProject reports whether a canonical folder that is not running looks like
	// a project. It decides what an error advises. nil: one that was served.
	IsProject func(root string) bool

	ConnectTimeout   time.Duration // of one dial; 0: 500 ms
	ProofTimeout     time.Duration // of the proof on a new connection; 0: 500 ms
	CallTimeout      time.Duration // of one call, if its context has no earlier end; 0: 10 minutes
	AutostartTimeout time.Duration // until an autostarted instance answers; 0: 10 s
	SilenceCheck     time.Duration // how long a call may be silent before its instance is checked; 0: 500 ms
	GoneTimeout      time.Duration // how long a silent call waits for an instance that no longer listens; 0: 10 s
	Patience         time.Duration // how long a call waits while no connection becomes free; 0: 3 s
	MaxConns         int           // calls at once to one instance, for queries and for all others; 0: 64
	MaxInstances     int           // instances to keep connections to; 0: 256
}

func (o Options) withDefaults() Options {
	if o.Store == nil {
		o.Store = portmap.NewStore(o.Home.MapFile(), nil)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.IsProject == nil {
		o.IsProject = func(root string) bool {
			served, err := o.Store.Served(root)
			return err == nil && served
		}
	}
	if o.Place == nil {
		o.Place = func() (project, machine string) { return "", "" }
	}
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 500*time.Millisecond)
	o.ProofTimeout = cmp.Or(o.ProofTimeout, 500*time.Millisecond)
	o.CallTimeout = cmp.Or(o.CallTimeout, 10*time.Minute)
	o.AutostartTimeout = cmp.Or(o.AutostartTimeout, 10*time.Second)
	o.SilenceCheck = cmp.Or(o.SilenceCheck, 500*time.Millisecond)
	o.GoneTimeout = cmp.Or(o.GoneTimeout, 10*time.Second)
	o.Patience = cmp.Or(o.Patience, 3*time.Second)
	o.MaxConns = cmp.Or(o.MaxConns, 64)
	o.MaxInstances = cmp.Or(o.MaxInstances, 256)
	return o
}

// Client finds instances, verifies their identity and calls them. It is safe
// for concurrent use.
type Client struct {
	opts      Options
	waits     waits
	id        string // of this process's front-end, random
	place     func() (project, machine string)
	pool      *pool
	starter   starter
	instances wire.InstanceFiles
	catalog   func() map[string]catalog.Definition // built at the first call: listing tools needs none
}

// NewClient returns a client. It does no I/O.
func NewClient(opts Options) *Client {
	opts = opts.withDefaults()
	return &Client{
		opts:  opts,
		waits: usualWaits,
		id:    rand.Text(),
		pool:  newPool(opts),
		place: sync.OnceValues(opts.Place),
		catalog: sync.OnceValue(func() map[string]catalog.Definition {
			byName := map[string]catalog.Definition{}
			for _, d := range slices.Concat(catalog.All(), catalog.ForViews()) {
				byName[d.Name] = d
			}
			return byName
		}),
	}
}

// Close closes the connections that no call uses.
func (c *Client) Close() { c.pool.close() }

// CallOptions holds what a call carries besides its arguments. The zero value
// is an anonymous call without progress.
type CallOptions struct {
	// Client describes the caller; its ID is filled in. If the caller can show
	// a form or a view to a person, the person key is sent with the call, so that
	// the answers count as that person's.
	Client   wire.Client
	Progress func(wire.Progress) // called in order, never after Call has returned; nil: no progress
	// InputResponses and RequestState answer an earlier Input line, verbatim.
	InputResponses json.RawMessage
	RequestState   string
	// Roots returns the directories that the caller's client works in. It is
	// called only for a hint in an error, with a short deadline. nil: unknown.
	Roots func(ctx context.Context) []string
	// Host is the name under which the caller, on another machine, knows this
	// one. Projects are named with it in what is answered. "": it is on this one.
	Host string
	// NoAutostart has Autostart start nothing for this call.
	NoAutostart bool
}

// Call runs a tool in the instance of the project named by projectRoot in args.
// The line returned is a Result or an Input. Errors that the documents define
// and failures of the hop are Results with IsError set; the error returned is
// ctx's, and only if ctx is done.
func (c *Client) Call(ctx context.Context, tool string, args json.RawMessage, o CallOptions) (wire.Line, error) {
	def, ok := c.catalog()[tool]
	if !ok {
		return refusal("Error: %s", catalog.Unknown(tool)), nil
	}
	if tool == catalog.ListProjects {
		return c.listProjects(ctx, args)
	}
	o.Client.ID = c.id
	o.Client.Project, o.Client.Machine = c.place()
	given, refused := projectRoot(args)
	if refused != "" {
		return c.badArguments(ctx, refused, o), nil
	}
	way, host, path, err := c.wayTo(given)
	switch {
	case err != nil:
		return c.noHost(ctx, given, host, path, err, o), nil
	case host != "":
		return c.callHost(ctx, way, host, path, def, args, o)
	}
	return way.Call(ctx, def, path, args, o)
}

// callHere runs a tool in a project of this machine.
func (c *Client) callHere(ctx context.Context, def catalog.Definition, given string, args json.RawMessage, o CallOptions) (wire.Line, error) {
	root, err := portmap.Canonical(given)
	if err != nil {
		return c.badRoot(ctx, given, err, o), nil
	}
	line, err := c.callRoot(ctx, root, def, args, o)
	switch {
	case err == nil:
		return line, nil
	case ctx.Err() != nil:
		return wire.Line{}, ctx.Err()
	default:
		return c.failureLine(ctx, given, root, def, err, o), nil
	}
}

// callRoot calls a tool of a canonical root. It starts the instance if
// Autostart is set and none is running.
func (c *Client) callRoot(ctx context.Context, root string, def catalog.Definition, args json.RawMessage, o CallOptions) (wire.Line, error) {
	line, err := c.callRunning(ctx, root, def, args, o)
	if !isNotRunning(err) || c.opts.Autostart == nil || o.NoAutostart {
		return line, err
	}
	if err := c.autostart(ctx, root); err != nil {
		return wire.Line{}, err
	}
	return c.callRunning(ctx, root, def, args, o)
}

// callRunning calls a tool in the running instance. An instance that is ending
// may close a connection while a call is being sent on it. A read-only call is
// then sent once more, to the instance that runs by then; any other call is not
// repeated, because it may have taken effect.
func (c *Client) callRunning(ctx context.Context, root string, def catalog.Definition, args json.RawMessage, o CallOptions) (wire.Line, error) {
	line, p, err := c.callOnce(ctx, root, def, args, o)
	if errors.Is(err, ErrUnanswered) && def.Annotations.ReadOnly {
		p.closeIdle() // the other idle connections are stale too
		line, _, err = c.callOnce(ctx, root, def, args, o)
	}
	return line, err
}

func (c *Client) callOnce(ctx context.Context, root string, def catalog.Definition, args json.RawMessage, o CallOptions) (wire.Line, *peer, error) {
	p, err := c.find(root)
	if err != nil {
		return wire.Line{}, nil, err
	}
	line, err := c.forward(ctx, p, def, args, o)
	if isNotRunning(err) {
		c.pool.drop(p)
	}
	if o.Host != "" {
		line = elsewhere(line, def, p.inst, o.Host)
	}
	return line, p, err
}
