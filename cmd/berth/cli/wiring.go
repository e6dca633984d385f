package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/settings"
)

// wired is one project's parts, joined. This is the only place that knows
// all of them.
//
//	settings ─▶ databases ─┬─▶ tools.Set ─▶ instance.Server ◀─ claim
//	state ──▶ manager ─────┘                      ▲
//	             └────── events, page keys ───────┘
type wired struct {
	manager   *session.Manager
	databases *db.Connections
	events    *eventSource
	page      *pageOpener
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
	w.databases, err = db.New(i.root, databaseOptions(i.settings, w.manager))
	if err != nil {
		return nil, err
	}
	w.events = &eventSource{manager: w.manager}
	w.page = &pageOpener{log: i.log, open: openBrowser, listeners: w.events.listeners,
		signIn: func() string { return w.server.SignInURL(w.server.NewCode()) }}
	set, err := w.tools(i, claim.Port)
	if err != nil {
		return nil, err
	}
	w.server, err = instance.New(w.config(i, state, claim, set, idle))
	return w, err
}

// config is what the instance serves.
func (w *wired) config(i instanceOf, state *session.Store, claim *portmap.Claim, set *tools.Set, idle time.Duration) instance.Config {
	return instance.Config{
		Root:         i.root,
		Version:      buildOf().Version,
		Listener:     claim.Listener,
		InstanceFile: i.home.InstanceFile(claim.Port),
		Tools:        set,
		Rest:         w.databases,
		Events:       w.events,
		Keys:         state,
		Status:       func() any { return statusOf(w.manager) },
		Handover:     func(context.Context) error { return w.handOver(i) },
		Tend:         (&presence{instanceOf: i, port: claim.Port}).tend,
		Observe:      observe,
		Logger:       i.log,
		Calls:        i.calls,
		Idle:         idle,
	}
}

// tools joins every tool of the catalogue with its handler.
func (w *wired) tools(i instanceOf, port int) (*tools.Set, error) {
	handlers := w.databases.Handlers()
	schemas, err := w.designer(i, instanceURL(port))
	if err != nil {
		return nil, fmt.Errorf("wire tools: %w", err)
	}
	handlers[catalog.SchemaDesigner] = schemas.Handle
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
	if err := w.manager.Close(); err != nil {
		i.log.Warn("close state", "cause", err)
	}
	return nil
}

// close ends what the server left: databases, and the state with its lock.
func (w *wired) close() error {
	w.page.wait()
	return errors.Join(w.databases.Close(), w.manager.Close())
}

// dialect finds a dialect by the name under which a design is stored.
func dialect(name string) *designer.Dialect {
	if d := sqlite.Dialect(); d.Name == name {
		return d
	}
	return nil
}

// databaseOptions are the settings in the words of package db.
func databaseOptions(s *settings.Settings, m *session.Manager) db.Options {
	opts := db.Options{
		Default:  s.Default,
		MaxRows:  s.Query.MaxRows,
		MaxBytes: s.Query.MaxBytes,
		Timeout:  s.Query.Timeout,
	}
	if m != nil {
		opts.DesignerOpen = func() bool { _, open := m.Active(); return open }
	}
	for _, c := range s.Connections {
		opts.Connections = append(opts.Connections, db.Config{
			Name:   c.Name,
			Path:   c.Path,
			Origin: fmt.Sprintf("%s:%d", c.File, c.Line),
			// What came with a repository must not lead out of it.
			Outside:     c.Level != settings.LevelProject,
			AllowWrites: c.AllowWrites,
			MaxRows:     c.MaxRows,
			Timeout:     c.Timeout,
		})
	}
	return opts
}
