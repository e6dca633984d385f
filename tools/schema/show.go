package schema

import (
	"context"
	"errors"
	"io/fs"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

type showReply struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
	Version string `json:"version"`
	databaseIdentity
	ConnectionID string    `json:"connectionId"`
	URL          string    `json:"url"`
	Warning      string    `json:"warning,omitempty"`
	Overview     *overview `json:"overview,omitzero"`
}

// commandLine is the client's name of berth's own commands.
const commandLine = "berth"

// show opens or reveals the designer of a connection and makes it active. It
// answers once the designer can serve; that the page could not be opened is
// no failure, the address is in the reply.
func (t *Tool) show(ctx context.Context, in *invocation) (any, *failure) {
	c, refused := t.connection(ctx, in.request)
	if refused != nil {
		return nil, refused
	}
	source, err := t.opts.Connections.Source(ctx, c.ID)
	if err != nil {
		return nil, t.unreadable(in, c, err)
	}
	if in.designer, err = t.opts.Manager.Show(ctx, source); err != nil {
		return nil, t.unreadable(in, c, err)
	}
	reply := &showReply{Success: true, Message: "Opened schema designer", databaseIdentity: in.identity(),
		ConnectionID: c.ID, URL: t.opts.URL()}
	reply.Warning = t.showWarning(in.designer.Info())
	if refused = t.view(in, func(s *designer.Schema) *failure {
		reply.Version = s.Version()
		if in.request.Options.IncludeOverview {
			reply.Overview = buildOverview(s, overviewQuery{columns: in.request.Options.IncludeColumns}, room(reply))
		}
		return nil
	}); refused != nil {
		return nil, refused
	}
	// Whoever types a command has not asked for a page, and a page has one.
	if in.call.Client.Name != commandLine && in.call.Origin != tools.OriginPage {
		t.openPage(ctx)
	}
	return reply, nil
}

// showWarning says how the design stands to a database that could not be
// read, or that has gone its own way.
func (t *Tool) showWarning(info session.Info) string {
	switch {
	case info.ReadError != nil:
		t.opts.Logger.Warn("database not read", "error", info.ReadError)
		return "the database could not be read now; this is the design as last stored"
	case info.Sync == session.Drifted:
		return "the database has changed since this design was begun; the design keeps its own changes"
	}
	return ""
}

// unreadable words a connection that could not be opened. The driver's own
// words may hold an address or a login, so they go to the log; an error with
// words for everyone has a method Plain, and a server's own answer is marked by
// a method ServersAnswer.
func (t *Tool) unreadable(in *invocation, c ConnectionInfo, err error) *failure {
	f := t.internal(in, err)
	var plain interface{ Plain() string }
	if errors.Is(err, fs.ErrNotExist) {
		f.Message = "the database of connection " + quote(c.Name) + " does not exist"
	} else if errors.As(err, &plain) {
		f.Message = plain.Plain()
		var answer interface{ ServersAnswer() }
		if errors.As(err, &answer) { // it is there, and says no
			f.Reason = designer.DatabaseRefused
		}
	} else if f.Message == unexpected {
		f.Message = "connection " + quote(c.Name) + " could not be opened or read; berth doctor tells why"
	}
	return f
}

func (t *Tool) openPage(ctx context.Context) {
	if t.opts.OpenPage == nil {
		return
	}
	if err := t.opts.OpenPage(ctx); err != nil {
		t.opts.Logger.Warn("the designer page could not be opened", "error", err)
	}
}
