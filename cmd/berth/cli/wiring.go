package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/designs"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/page"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/canvas"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/schema"
)

// wired is one project's parts, joined. This is the only place that knows
// all of them.
//
//	settings, the project's files ─▶ databases ─┬─▶ tools.Set ─▶ instance.Server ◀─ claim
//	        └──▶ reloader ──▶ files ───▲        │                      ▲
//	                            └───────────────┤                      │
//	state ──▶ manager ──────────────────────────┘                      │
//	           │  └──────────── events, page keys ─────────────────────┘
//	           └──▶ designs ◀──▶ .berth/designs
type wired struct {
	manager   *session.Manager
	ledger    *approval.Ledger
	notices   *notices
	designs   *designs.Keeper // nil: the project's folder cannot be opened
	databases *db.Connections
	files     *files.Tool
	reload    *reloader
	events    *eventSource
	page      *pageOpener
	schemas   *schema.Tool
	projects  *projectWatch
	server    *instance.Server
}

// wire joins the parts of a project that this process holds the state and
// the port of. After an error both are still the caller's; else close gives
// the state up.
func (i instanceOf) wire(state *session.Store, claim *portmap.Claim, idle time.Duration) (*wired, error) {
	w := &wired{}
	var err error
	w.manager, err = session.NewManager(state, session.Options{Dialect: dialect, Logger: i.log})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(i.home.TrustDir(), 0o700); err != nil {
		i.log.Warn("trust that is given while this serves is not noticed at once", "cause", err)
	}
	w.reload = &reloader{knower: newKnower(i.root), load: i.load, trusted: func() func(string) bool { return trustedAsks(i.home, i.root) }, folders: i.folders, log: i.log, good: i.settings}
	known := w.reload.know(context.Background(), i.settings)
	if err := w.keepApprovals(i, claim.Port); err != nil {
		return nil, err
	}
	opts := databaseOptions(i.settings, known, w.manager)
	opts.Logger, opts.Ledger, opts.Copies = i.log, w.ledger, i.home.CopiesDir(i.root)
	i.clearCopies()
	w.databases, err = db.New(i.root, opts)
	if err != nil {
		return nil, err
	}
	if w.files, err = files.New(w.fileOptions(i, claim.Port)); err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	w.reload.databases, w.reload.files = w.databases, w.files
	w.events = &eventSource{manager: w.manager, notices: w.notices}
	w.page = &pageOpener{log: i.log, open: openBrowser, listeners: w.events.listeners,
		doorway: func() (string, error) { return w.server.NewDoorway() }}
	set, err := w.tools(i, claim.Port)
	if err != nil {
		return nil, err
	}
	files, err := page.New(page.Options{FrameAncestors: i.settings.Page.FrameAncestors})
	if err != nil {
		return nil, fmt.Errorf("setting page.frameAncestors: %w", err)
	}
	config := w.config(i, state, claim, set, idle)
	config.Page = files
	if w.server, err = instance.New(config); err != nil {
		return nil, err
	}
	for _, note := range known.notes {
		i.log.Info("a connection is left out", "why", note)
	}
	if err := i.folder.Check(); err != nil { // the parts may have opened two
		return nil, errors.Join(err, w.files.Close(), w.databases.Close())
	}
	w.reload.teller = &rightsTeller{root: i.root, terminal: i.terminal, log: i.log, announce: w.notices.Announce}
	w.reload.start(known)
	w.projects = watchProjects(i, w.notices.Announce)
	w.databases.TendScratch()
	w.keepDesigns(i)
	return w, nil
}

// keepApprovals makes what has a person allow calls. Without the key by which
// berth's processes speak for a person, everything waits for the page.
func (w *wired) keepApprovals(i instanceOf, port int) (err error) {
	w.notices = &notices{}
	w.ledger, err = approval.New(approval.Options{URL: instanceURL(port), Life: i.patience, Project: i.name,
		Changed: func() { w.notices.Announce(notice{noticeApprovals}) }})
	if err != nil {
		return err
	}
	note, err := wire.EnsurePersonKey(i.home.PersonKeyFile())
	if err != nil {
		i.log.Warn("no client can ask a person", "cause", err)
	}
	if note != "" {
		i.log.Warn(note)
	}
	return nil
}

// status is what berth ls tells beyond the map.
func (w *wired) status() any {
	s := statusOf(w.manager, w.designs)
	s.Approvals = w.ledger.Pending()
	return s
}

// keepDesigns keeps the designs' files in the project. Without them the
// designs are served all the same.
func (w *wired) keepDesigns(i instanceOf) {
	var err error
	w.designs, err = designs.Keep(context.Background(), designs.Options{Root: i.root, Manager: w.manager, Logger: i.log})
	if err != nil {
		i.log.Warn("designs are not kept as files", "cause", err)
	}
}

// closeState writes the designs' files that are due and gives the state up.
func (w *wired) closeState() error {
	var err error
	if w.designs != nil {
		err = w.designs.Close()
	}
	return errors.Join(err, w.manager.Close())
}

// config is what the instance serves.
func (w *wired) config(i instanceOf, state *session.Store, claim *portmap.Claim, set *tools.Set, idle time.Duration) instance.Config {
	return instance.Config{
		Root:         i.root,
		Version:      buildOf().Version,
		Listener:     claim.Listener,
		Folder:       i.folder,
		InstanceFile: i.home.InstanceFile(claim.Port),
		Tools:        set,
		Rest:         w.databases,
		Events:       w.events,
		Keys:         state,
		Approvals:    w.ledger,
		Projects:     projects{i.link, i.root, i.desktop},
		Trust:        pageTrust{i.home, i.root, i.load},
		Designs: canvas.New(canvas.Options{Manager: w.manager, Connections: connections{w.databases}, Tool: w.schemas,
			Announce: w.notices.Announce}),

		PersonKeyFile: i.home.PersonKeyFile(),
		SignInDir:     i.doorways,
		TrustedPeers:  i.settings.TrustedPeers,

		Status:   w.status,
		Handover: func(context.Context) error { return w.handOver(i) },
		Tend:     (&presence{instanceOf: i, port: claim.Port}).tend,
		Observe:  observe,
		Logger:   i.log,
		Calls:    i.calls,
		Idle:     idle,
	}
}

// tools joins every tool of the catalogue with its handler.
func (w *wired) tools(i instanceOf, port int) (*tools.Set, error) {
	handlers := w.databases.Handlers()
	var err error
	if w.schemas, err = w.designer(i, instanceURL(port)); err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	handlers[catalog.SchemaDesigner] = w.schemas.Handle
	maps.Copy(handlers, w.files.Handlers())
	set, err := tools.NewSet(handlers)
	if err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	set.Logger = i.log
	return set, nil
}

// handOver gives the state up for a successor. What was acknowledged is on
// disk already, so a state that does not close cleanly is logged and no
// reason to keep it.
func (w *wired) handOver(i instanceOf) error {
	if err := w.closeState(); err != nil {
		i.log.Warn("close state", "cause", err)
	}
	return nil
}

// close ends what the server left: databases, and the state with its lock.
func (w *wired) close() error {
	w.page.wait()
	w.reload.stop()
	w.projects.stop()
	return errors.Join(w.files.Close(), w.databases.Close(), w.closeState())
}

// engines are the kinds of databases there are.
func engines() []engine.Engine {
	return []engine.Engine{sqlite.Engine{}, postgres.Engine{}, mysql.Engine{}, mssql.Engine{}}
}

// engineOf finds an engine by its dialect's name.
func engineOf(name string) (engine.Engine, bool) {
	for _, e := range engines() {
		if d := e.Dialect(); d != nil && d.Name == name {
			return e, true
		}
	}
	return nil, false
}

// dialect finds a dialect by the name under which a design is stored.
func dialect(name string) *designer.Dialect {
	if e, ok := engineOf(name); ok {
		return e.Dialect()
	}
	return nil
}

// script makes a design's whole script in its own dialect.
func script(s *designer.Schema) (designer.Plan, error) {
	e, ok := engineOf(s.Dialect().Name)
	if !ok {
		return designer.Plan{}, fmt.Errorf("dialect %q is not known", s.Dialect().Name)
	}
	return e.Script(s)
}
