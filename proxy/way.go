package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// A Way leads to the projects of one machine. [Client.Here] is that of this
// machine, which finds, proves and calls instances by connections of its own;
// package relay has one that does the same on another machine. What a call is,
// and how its failures are worded, is the same on each.
type Way interface {
	// Call runs a tool in the instance of the project at path, which is on that
	// machine and as the caller gave it. The projectRoot in args may differ from
	// it. An error that is not ctx's says that the machine was not reached or
	// broke off: see [WayError].
	Call(ctx context.Context, def catalog.Definition, path string, args json.RawMessage, o CallOptions) (wire.Line, error)
	// Send sends one request to the running instance of the project at path. The
	// caller must close the body of the answer. A GET is sent once more if its
	// connection had ended. Errors are those of [Client.Do], [ErrUnanswered] and
	// [ErrNotOffered].
	Send(ctx context.Context, path string, r Request) (*http.Response, error)
	// Running lists the projects of that machine that run or hang.
	Running(ctx context.Context) ([]projectlist.Project, error)
}

// Request is a request to an instance, without what only its machine knows.
type Request struct {
	Method string
	Path   string // with its query
	Header http.Header
	Body   io.Reader // nil: none
	As     Identity
	// ShownPort is the port at which a browser of the sender's machine sees the
	// page that sends the request. 0: no page sends it.
	ShownPort int
}

// Identity says with which credential a [Request] is sent.
type Identity int

// The identities.
const (
	AsGiven   Identity = iota // the request's own Authorization, if it has one
	AsCommand                 // the token of the instance
	AsPerson                  // the token and the person key
)

// Hosts are the other machines that the user has named.
type Hosts interface {
	// Way returns the way to a host. The error wraps [ErrNoHost] if none has that
	// name.
	Way(name string) (Way, error)
	// Known returns what is known of the projects of all hosts. It waits for
	// hosts that may answer soon, no longer than ctx, and for no other.
	Known(ctx context.Context) (list []projectlist.Project, note string)
	// Names returns the names of all hosts, sorted.
	Names() []string
}

// ErrNotOffered is the error for a request that is not passed on to an instance
// of another machine.
var ErrNotOffered = errors.New("a relay does not pass that request on")

// ErrNoHost is the error for a host that the user has not named.
var ErrNoHost = errors.New("no host of that name")

// WayError reports a machine that was not reached, or from which no answer came.
type WayError struct {
	Host   string // its name
	Sent   bool   // the call was sent, so it may have run
	Silent bool   // the machine took the call and then stopped answering
	Cause  error  // in words for the person who named the host
}

func (e *WayError) Error() string { return "host " + e.Host + ": " + e.Cause.Error() }

// Unwrap makes it an [ErrNoAnswer] too.
func (e *WayError) Unwrap() []error { return []error{ErrNoAnswer, e.Cause} }

// here is the way to this machine's projects.
type here struct{ c *Client }

// Here returns the way to this machine's projects.
func (c *Client) Here() Way { return here{c} }

// Call implements [Way].
func (h here) Call(ctx context.Context, def catalog.Definition, path string, args json.RawMessage, o CallOptions) (wire.Line, error) {
	return h.c.callHere(ctx, def, path, args, o)
}
