package schema

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
)

// targetHint says which database the caller believes it works on. A field
// left out is not compared.
type targetHint struct {
	Server   string `json:"server,omitempty"`
	Database string `json:"database,omitempty"`
}

// checkTarget compares the caller's hint with the designer's database,
// without regard to case and surrounding space.
func checkTarget(in *invocation) *failure {
	hint := in.request.Payload.TargetHint
	if hint == nil {
		return nil
	}
	target := in.designer.Target()
	if sameOrEmpty(hint.Server, target.Server) && sameOrEmpty(hint.Database, target.Database) {
		return nil
	}
	id := in.identity()
	return &failure{
		Reason:       designer.TargetMismatch,
		Message:      "Active schema designer does not match targetHint",
		ActiveTarget: &designer.Target{Server: id.Server, Database: id.Database},
		TargetHint:   &targetHint{Server: clip.Text(hint.Server, maxTarget), Database: clip.Text(hint.Database, maxTarget)},
	}
}

func sameOrEmpty(hint, value string) bool {
	hint = strings.TrimSpace(hint)
	return hint == "" || strings.EqualFold(hint, strings.TrimSpace(value))
}

// designerFor finds the designer a call means: the one it names, else the
// active one.
func (t *Tool) designerFor(ctx context.Context, r *request) (*session.Designer, *failure) {
	if r.ConnectionID == "" && r.ConnectionName == "" {
		if d, ok := t.opts.Manager.Active(); ok {
			return d, nil
		}
		return nil, &failure{Reason: designer.NoActiveDesigner, Message: "no schema designer is open; call show first"}
	}
	if d := t.openDesigner(r); d != nil {
		return d, nil
	}
	c, refused := t.connection(ctx, r)
	if refused != nil {
		return nil, refused
	}
	if d, ok := t.opts.Manager.ByID(c.ID); ok {
		return d, nil
	}
	return nil, &failure{Reason: designer.NoActiveDesigner,
		Message: "no schema designer is open for connection " + quote(c.ID) + "; call show with it first"}
}

// designerToRead is designerFor for a caller that only reads. A design that is
// not open is opened, and the active one stays active.
func (t *Tool) designerToRead(ctx context.Context, r *request) (*session.Designer, *failure) {
	d, refused := t.designerFor(ctx, r)
	if refused == nil || refused.Reason != designer.NoActiveDesigner {
		return d, refused
	}
	c, refused := t.connection(ctx, r)
	if refused != nil {
		return nil, refused
	}
	source, err := t.opts.Connections.Source(ctx, c.ID)
	if err == nil {
		d, err = t.opts.Manager.Open(ctx, source)
	}
	if err != nil {
		return nil, t.unreadable(&invocation{request: r}, c, err)
	}
	return d, nil
}

// openDesigner finds an open designer by the connection's id or name, also
// where the connection is no longer configured: its design is still there.
// nil: there is none, or the call names both.
func (t *Tool) openDesigner(r *request) *session.Designer {
	find, key := t.opts.Manager.ByID, r.ConnectionID
	if key == "" {
		find, key = t.opts.Manager.ByName, r.ConnectionName
	} else if r.ConnectionName != "" {
		return nil
	}
	if d, ok := find(key); ok {
		return d
	}
	return nil
}

// connection finds the known connection that a call names: by id exactly, by
// name in any case. Where the call names none, the only one there is.
func (t *Tool) connection(ctx context.Context, r *request) (ConnectionInfo, *failure) {
	if r.ConnectionID != "" && r.ConnectionName != "" {
		return ConnectionInfo{}, invalid("give connectionId or connectionName, not both")
	}
	known, err := t.opts.Connections.List(ctx)
	if err != nil {
		t.opts.Logger.Error("connections cannot be listed", "error", err)
		return ConnectionInfo{}, &failure{Reason: designer.InternalError,
			Message: "the project's connections cannot be read; berth doctor tells why"}
	}
	if len(known) == 0 {
		return ConnectionInfo{}, invalid("the project has no database connection: name one in .berth/config.yaml")
	}
	switch {
	case r.ConnectionID != "":
		return pick(known, "no connection has the id "+quote(r.ConnectionID),
			func(c ConnectionInfo) (string, bool) { return c.ID, c.ID == r.ConnectionID })
	case r.ConnectionName != "":
		return pick(known, "no connection is named "+quote(r.ConnectionName),
			func(c ConnectionInfo) (string, bool) { return c.Name, strings.EqualFold(c.Name, r.ConnectionName) })
	case len(known) == 1:
		return known[0], nil
	}
	return pick(known, "several connections are known: name one by connectionName",
		func(c ConnectionInfo) (string, bool) { return c.Name, false })
}

// pick returns the one connection that matches. Without one the message
// stands, with the connections there are as hints.
func pick(known []ConnectionInfo, message string, match func(ConnectionInfo) (label string, ok bool)) (ConnectionInfo, *failure) {
	var labels []string
	var found []ConnectionInfo
	for _, c := range known {
		label, ok := match(c)
		labels = append(labels, label)
		if ok {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return ConnectionInfo{}, invalid("%s", message).near(labels...)
	}
	var ids []string
	for _, c := range found {
		ids = append(ids, c.ID)
	}
	f := invalid("several connections have that name: give connectionId").near(ids...)
	f.Reason = designer.AmbiguousIdentifier
	return ConnectionInfo{}, f
}
