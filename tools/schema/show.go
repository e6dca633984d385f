package schema

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// showReply never holds the schema; the overview only on request.
type showReply struct {
	Success      bool      `json:"success"`
	Message      string    `json:"message"`
	Version      string    `json:"version"`
	Server       string    `json:"server"`
	Database     string    `json:"database"`
	ConnectionID string    `json:"connectionId"`
	URL          string    `json:"url,omitempty"`
	Warnings     []string  `json:"warnings,omitempty"`
	Overview     *overview `json:"overview,omitempty"`
}

// show opens or reveals the design of a connection and makes it active. It
// returns once the design can serve.
func (t *Tool) show(ctx context.Context, r *request) (any, *failure) {
	c, refused := t.connection(ctx, r)
	if refused != nil {
		return nil, refused
	}
	d, err := t.open(ctx, c)
	if err != nil {
		f := t.internal(fmt.Sprintf("show connection %q", c.Name), err)
		if errors.Is(err, fs.ErrNotExist) {
			f.Message = fmt.Sprintf("the database of connection %s does not exist", quote(c.Name))
		}
		return nil, f
	}
	w := &work{request: r, Designer: d, target: d.Target()}
	reply := showReply{Success: true, Message: "Opened schema designer", ConnectionID: clipTo(c.ID, maxTarget),
		URL: t.cfg.URL(), Warnings: t.showWarnings(c, d)}
	shown := shownTarget(w.target)
	reply.Server, reply.Database = shown.Server, shown.Database
	refused = t.view(w, func(s *designer.Schema) {
		reply.Version = s.Version()
		if r.Options.IncludeOverview {
			o := overviewOf(s, r.Options, maxReply-overhead)
			reply.Overview = &o
		}
	})
	if refused != nil {
		return nil, refused
	}
	t.openPage(ctx)
	return reply, nil
}

func (t *Tool) open(ctx context.Context, c Info) (*session.Designer, error) {
	src, err := t.cfg.Connections.Source(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return t.cfg.Manager.Show(ctx, src)
}

// showWarnings says how the design stands to a database that could not be
// read, or that has gone its own way.
func (t *Tool) showWarnings(c Info, d *session.Designer) []string {
	info := d.Info()
	switch {
	case info.ReadError != nil:
		t.cfg.Logger.Warn("database not read", "connection", c.Name, "error", info.ReadError)
		return []string{"The database could not be read: this is the design as it was stored; the instance's log has the cause"}
	case info.Sync == session.Drifted:
		return []string{"The database has changed since this design was begun; the design keeps its own changes"}
	}
	return nil
}

func (t *Tool) openPage(ctx context.Context) {
	if t.cfg.OpenPage == nil {
		return
	}
	if err := t.cfg.OpenPage(ctx); err != nil {
		t.cfg.Logger.Warn("designer page not opened", "error", err)
	}
}

// connection finds the connection a call names; without a name, the only one
// there is.
func (t *Tool) connection(ctx context.Context, r *request) (Info, *failure) {
	if refused := r.oneConnection(); refused != nil {
		return Info{}, refused
	}
	known, err := t.cfg.Connections.List(ctx)
	if err != nil {
		return Info{}, t.internal("list connections", err)
	}
	var ids, names []string
	for _, c := range known {
		if r.ConnectionID != "" && c.ID == r.ConnectionID ||
			r.ConnectionName != "" && strings.EqualFold(strings.TrimSpace(r.ConnectionName), c.Name) {
			return c, nil
		}
		ids, names = append(ids, c.ID), append(names, c.Name)
	}
	switch {
	case len(known) == 0:
		return Info{}, invalid("the project has no database connection: add one to its configuration (berth init shows how)")
	case r.ConnectionID != "":
		return Info{}, invalid("no connection has the id %s", quote(r.ConnectionID)).near(designer.Nearest(r.ConnectionID, ids)...)
	case r.ConnectionName != "":
		return Info{}, invalid("no connection is named %s", quote(r.ConnectionName)).near(designer.Nearest(r.ConnectionName, names)...)
	case len(known) > 1:
		return Info{}, invalid("the project has %d connections: name one by connectionName", len(known)).near(names...)
	}
	return known[0], nil
}
