package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/team"
	"github.com/berth-dev/berth/designer/page"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
)

// parts are one project's parts, joined. This is the only place that knows all
// of them.
//
//	settings, the project's files ─▶ databases ─┬─▶ tools.Set ─▶ instance.Server ◀─ claim
//	        └──▶ reloader ──▶ files ───▲        │                      ▲
//	                            └───────────────┤                      │
//	state ──▶ manager ──────────────────────────┘                      │
//	           │  └──────────── events, page keys ─────────────────────┘
//	           └──▶ designs ◀──▶ .berth/designs
type parts struct {
	*base
	designs  designState
	server   *instance.Server
	reloader *reloader
	opener   *pageOpener
	projects *projectWatch
	place    *placeWatch
	here     *here
}

// base is what the tools of a project work on.
type base struct {
	port    int
	manager *session.Manager
	notices *notices
	ledger  *approval.Ledger
	finder  connections.Finder
	known   connections.Set
	files   *files.Tool
	lint    atomic.Pointer[settings.Lint] // as the settings have it now
	page    atomic.Pointer[settings.Page] // likewise

	databases     *pool.Connections
	databaseTools *db.Tools
	sources       *source.Sources // the databases as the designer works on them
}

// open joins the parts of a project that this process holds the state and the
// port of. After an error both are still the caller's; else close gives the
// state up.
func (r run) open(state *session.Store, claim *portmap.Claim) (_ *parts, err error) {
	b, err := r.openBase(state, claim.Port)
	if err != nil {
		return nil, err
	}
	defer closeAfter(&err, b.close)
	requests := newPageRequests()
	designerTool, err := schema.New(r.designerOptions(b, requests))
	if err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	pages, err := page.New(page.Options{FrameAncestors: r.Settings.Page.FrameAncestors})
	if err != nil {
		return nil, fmt.Errorf("setting page.frameAncestors: %w", err)
	}
	if err := r.Folder.Check(); err != nil { // the parts may have opened two
		return nil, err
	}
	kept := designState{manager: b.manager, files: r.keepDesigns(b.manager)}
	defer closeAfter(&err, kept.closeFiles)
	set, err := r.toolSet(b, designerTool, kept)
	if err != nil {
		return nil, err
	}
	events := newEventSource(b.manager, b.notices)
	who := r.newHere(b)
	shared := team.Keep(team.Options{Settings: r.Settings.Team, Manager: b.manager, Project: filepath.Base(r.Root), Pages: events.listeners,
		Changed: b.notices.teamChanged, Board: who.Board, Designs: who.table, Logger: r.Logger})
	kept.team = shared
	who.team.Store(shared)
	config := r.config(b, claim, set, kept)
	re := r.newReloader(b)
	config.Trust = pageTrust{r.Home, r.Root, r.Load, re.reload}
	config.Keys, config.Events, config.Page, config.Presence = state, events, pages, who
	config.Designs = pageapi.New(pageapi.Options{Manager: b.manager, Connections: sources{b.sources}, Tool: designerTool, Teams: shared, Announce: b.notices.Announce})
	if r.Draft != nil {
		config.NewDesigns = pageDesigns{root: r.Root, draft: r.Draft, databases: b.databases}
	}
	place := r.watchPlace(claim.Port)
	config.Changes = place.changes()
	server, err := instance.New(config)
	if err != nil {
		place.stop()
		who.Close()
		shared.Close()
		return nil, err
	}
	for _, note := range b.known.Notes {
		r.Logger.Info("a connection is left out", "why", note)
	}
	b.sources.SweepScratch()
	return &parts{
		base: b, designs: kept, server: server,
		reloader: re.start(b.known.Folders),
		opener:   (&pageOpener{requests: requests, signInFile: server.NewSignInFile, listeners: events.listeners, open: r.OpenBrowser, log: r.Logger}).start(),
		projects: r.watchProjects(b.notices),
		place:    place,
		here:     who,
	}, nil
}

// openBase opens what the tools work on. After an error nothing of it is open.
func (r run) openBase(state *session.Store, port int) (_ *base, err error) {
	b := &base{port: port, notices: newNotices(), finder: connections.NewFinder(r.Root)}
	if b.manager, err = session.NewManager(state, session.Options{Dialect: dialect, TeamChanged: b.notices.teamChanged, Logger: r.Logger}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.Home.TrustDir(), 0o700); err != nil {
		r.Logger.Warn("trust that is given while this serves is not noticed at once", "cause", err)
	}
	b.lint.Store(&r.Settings.Lint)
	b.page.Store(&r.Settings.Page)
	b.known = b.finder.Find(context.Background(), r.Settings)
	if b.ledger, err = r.newLedger(port, b.notices); err != nil {
		return nil, err
	}
	r.clearCopies()
	if err := r.openDatabases(b); err != nil {
		return nil, err
	}
	if b.files, err = files.New(r.fileOptions(b)); err != nil {
		return nil, errors.Join(fmt.Errorf("wire tools: %w", err), b.databases.Close())
	}
	return b, nil
}

func (b *base) close() error { return errors.Join(b.files.Close(), b.databases.Close()) }

// closeAfter closes a part where what came after it failed.
func closeAfter(err *error, closePart func() error) {
	if *err != nil {
		*err = errors.Join(*err, closePart())
	}
}

// newLedger creates the ledger through which a person approves calls. Without
// the key by which berth's processes speak for a person, everything waits for
// the page.
func (r run) newLedger(port int, n *notices) (*approval.Ledger, error) {
	ledger, err := approval.New(approval.Options{URL: wire.URL(port), Lifetime: r.ApprovalLifetime, Project: r.name,
		Changed: func() { n.Announce(notice{noticeApprovals}) }})
	if err != nil {
		return nil, err
	}
	note, err := wire.EnsurePersonKey(r.Home.PersonKeyFile())
	if err != nil {
		r.Logger.Warn("no client can ask a person", "cause", err)
	}
	if note != "" {
		r.Logger.Warn(note)
	}
	return ledger, nil
}

// openDatabases opens the project's connections, the tools that work on them,
// and what the designer sees of them. After an error nothing of it is open.
func (r run) openDatabases(b *base) (err error) {
	opts := connections.Options(r.Settings, b.known)
	opts.Logger = r.Logger
	if b.databases, err = pool.New(r.Root, opts); err != nil {
		return err
	}
	defer closeAfter(&err, b.databases.Close)
	b.databaseTools, err = db.New(b.databases, db.Options{
		MaxRows:      r.Settings.Query.MaxRows,
		MaxBytes:     r.Settings.Query.MaxBytes,
		Logger:       r.Logger,
		Ledger:       b.ledger,
		DesignerOpen: func() bool { _, open := b.manager.Active(); return open },
	})
	b.sources = source.New(b.databases, source.Options{Copies: r.Home.CopiesDir(r.Root), Logger: r.Logger})
	return err
}

// toolSet joins every tool of the catalog with its handler.
func (r run) toolSet(b *base, designerTool *schema.Tool, kept designState) (*tools.Set, error) {
	handlers := b.databaseTools.Handlers()
	handlers[catalog.SchemaDesigner], handlers[catalog.SchemaReader] = designerTool.Handle, designerTool.Handle
	handlers[catalog.ChangeCard] = designerTool.SettleCard
	handlers[catalog.ListProjects] = listProjects(r.Root, func(ctx context.Context) wire.Status { return b.status(ctx, kept) })
	maps.Copy(handlers, b.files.Handlers())
	set, err := tools.NewSet(handlers)
	if err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	set.Logger = r.Logger
	return set, nil
}

// config is what the instance serves, but for what its page reads.
func (r run) config(b *base, claim *portmap.Claim, set *tools.Set, kept designState) instance.Config {
	return instance.Config{
		Root:         r.Root,
		Version:      r.Version,
		Listener:     claim.Listener,
		Folder:       r.Folder,
		InstanceFile: r.Home.InstanceFile(claim.Port),
		Tools:        set,
		Rest:         b.databaseTools,
		Rows:         b.databaseTools,
		Approvals:    b.ledger,
		Projects:     r.Projects,
		Edits:        pageEdits{b.files},

		PersonKeyFile: r.Home.PersonKeyFile(),
		SignInDir:     r.SignInDir,
		OpenBrowser:   r.OpenBrowser,
		TrustedPeers:  r.Settings.TrustedPeers,
		PageHosts:     func() []string { return b.page.Load().Hosts },

		Status:        func(ctx context.Context) wire.Status { return b.status(ctx, kept) },
		Handover:      func(context.Context) error { return r.handOver(kept) },
		KeepReachable: (&mapEntry{run: r, port: claim.Port}).keep,
		Observe:       observe,
		Logger:        r.Logger,
		Calls:         r.Calls,
		Idle:          r.Idle,
	}
}

// handOver gives the state up for a successor. What was acknowledged is on
// disk already, so a state that does not close cleanly is logged and no reason
// to keep it.
func (r run) handOver(kept designState) error {
	if err := kept.close(); err != nil {
		r.Logger.Warn("close state", "cause", err)
	}
	return nil
}

// close ends what the server left: databases, and the state with its lock.
func (p *parts) close() error {
	p.opener.stop()
	p.reloader.stop()
	p.projects.stop()
	p.place.stop()
	p.here.Close()
	return errors.Join(p.base.close(), p.designs.close())
}
