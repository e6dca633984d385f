package schema

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

type showReply struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
	Version string `json:"version"`
	identity
	ConnectionID string    `json:"connectionId"`
	URL          string    `json:"url"`
	Warning      string    `json:"warning,omitempty"`
	Overview     *overview `json:"overview,omitzero"`
}

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
	reply := &showReply{Success: true, Message: "Opened schema designer", identity: in.identity(),
		ConnectionID: c.ID, URL: t.opts.URL()}
	if in.designer.Info().ReadError != nil {
		reply.Warning = "the database could not be read now; this is the design as last stored"
	}
	if refused = t.view(in, func(s *designer.Schema) *failure {
		reply.Version = s.Version()
		if in.request.Options.IncludeOverview {
			reply.Overview = buildOverview(s, overviewQuery{columns: in.request.Options.IncludeColumns}, room(reply))
		}
		return nil
	}); refused != nil {
		return nil, refused
	}
	t.openPage(ctx)
	return reply, nil
}

// unreadable words a connection that could not be opened. The driver's own
// words may hold an address or a login, so they go to the log.
func (t *Tool) unreadable(in *invocation, c ConnectionInfo, err error) *failure {
	f := t.internal(in, err)
	if f.Message == unexpected {
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
