package relay

import (
	"errors"
	"net/http"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"

	"io/fs"
)

// The routes of a relay.
const (
	pingPath     = "/ping"      // GET: 204
	callPath     = "/call"      // POST a call, which is answered by wire's lines
	projectsPath = "/projects"  // GET a projects
	instancePath = "/instance/" // a request to the instance that projectHeader names, with its path behind
)

// The headers of a request to instancePath.
const (
	projectHeader = "Berth-Project" // the path there, as a query escapes it
	asHeader      = "Berth-As"      // an identity; absent: the request's own
	portHeader    = "Berth-Port"    // the port at which the near side shows the page; absent: it shows none
)

// errorHeader names, in an answer to instancePath, why there is none of the
// instance.
const errorHeader = "Berth-Error"

// Limits on what is read.
const (
	maxCallBytes     = wire.MaxCallBytes + 64<<10
	maxProjectsBytes = 4 << 20
	maxProjects      = 2000
	callDepth        = wire.MaxDepth + 4 // the arguments lie in the call
)

// call is the body of a request to callPath.
type call struct {
	Host      string `json:"host"` // the name of the far side at the near one
	Path      string `json:"path"` // the project, as given
	Tool      string `json:"tool"`
	Autostart bool   `json:"autostart,omitempty"` // start the project if it is stopped
	wire.Request
}

// projects is the answer to projectsPath.
type projects struct {
	Projects []projectlist.Project `json:"projects"`
}

// identities are the words of asHeader.
var identities = map[string]proxy.Identity{"command": proxy.AsCommand, "person": proxy.AsPerson}

// failures are the words of errorHeader and the errors that they stand for. An
// error's own text stays on the far side, since it may name a port or a file.
var failures = []struct {
	word   string
	err    error
	status int
}{
	{"not-absolute", portmap.ErrNotAbsolute, http.StatusBadRequest},
	{"not-exist", fs.ErrNotExist, http.StatusNotFound},
	{"not-running", proxy.ErrNotRunning, http.StatusBadGateway},
	{"unanswered", proxy.ErrUnanswered, http.StatusBadGateway},
	{"no-answer", proxy.ErrNoAnswer, http.StatusGatewayTimeout},
	{"not-offered", proxy.ErrNotOffered, http.StatusForbidden},
}

// errFailed stands for every other error.
var errFailed = errors.New("the relay could not ask the instance; the log of the berth there has the cause")
