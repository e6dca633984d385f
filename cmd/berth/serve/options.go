package serve

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
)

// Options are the inputs of one run. All are required but where a comment says
// what the zero value means.
type Options struct {
	Root    string              // the project, canonical
	Folder  *projectroot.Folder // what Root named when this run began
	Home    portmap.Home
	Store   *portmap.Store
	Client  *proxy.Client
	Version string // of the program

	Settings *settings.Settings
	Load     func() (*settings.Settings, error) // reads them again
	// Draft reads them as they would be with a draft of the project's own file.
	Draft   func(draft []byte) (*settings.Settings, error)
	Folders []string // of their files

	// Projects are the user's projects as the page shows them.
	Projects instance.Projects
	// OpenBrowser opens a file that leads to the page; nil: nobody would see a
	// browser here.
	OpenBrowser      func(ctx context.Context, path string) error
	SignInDir        string        // see [instance.Config]
	ApprovalLifetime time.Duration // how long a plan waits for a person; 0: the ledger's own
	Idle             time.Duration // ends the instance after that long without a request; 0: never
	// UnlessRunning leaves an instance that serves the project alone: [Run]
	// returns an [AlreadyServedError].
	UnlessRunning bool

	Logger   *slog.Logger
	Calls    *slog.Logger // for the line a tool call leaves, which names no project
	Terminal io.Writer    // gets what a person should see now

	// TakingOver is called before the instance of another process is asked to
	// hand over; nil: nobody is told.
	TakingOver func(pid int)
	// Ready is called each time an instance answers; its error ends the run.
	Ready func(wire.Served) error
}

// run is one run with what all of its methods use.
type run struct{ Options }

// name is what the project is called in questions: its folder's name, and the
// path where another project that is served has the same.
func (r run) name() string {
	own := filepath.Base(r.Root)
	entries, err := r.Store.Entries()
	if err != nil {
		return own + " (" + r.Root + ")" // nobody knows whether another has it
	}
	for root := range entries {
		if root != r.Root && strings.EqualFold(filepath.Base(root), own) {
			return own + " (" + r.Root + ")"
		}
	}
	return own
}
