package schema

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// work is one call on an open design.
type work struct {
	*session.Designer
	call    tools.Call
	request *request
	target  designer.Target // of the design
}

// designer finds the open design a call means: the one it names, else the
// active one.
func (t *Tool) designer(ctx context.Context, r *request) (*session.Designer, *failure) {
	if refused := r.oneConnection(); refused != nil {
		return nil, refused
	}
	switch {
	case r.ConnectionID != "":
		if d, ok := t.cfg.Manager.ByID(r.ConnectionID); ok {
			return d, nil
		}
	case r.ConnectionName != "":
		if d, ok := t.cfg.Manager.ByName(r.ConnectionName); ok {
			return d, nil
		}
	default:
		if d, ok := t.cfg.Manager.Active(); ok {
			return d, nil
		}
		return nil, fail(designer.NoActiveDesigner, "no schema designer is open; call show first")
	}
	return nil, t.notOpen(ctx, r)
}

// notOpen tells a connection that was never shown from one that is not known.
func (t *Tool) notOpen(ctx context.Context, r *request) *failure {
	c, refused := t.connection(ctx, r)
	if refused != nil {
		return refused
	}
	return fail(designer.NoActiveDesigner, "no schema designer is open for connection %s; call show with it first", quote(c.ID))
}

// oneConnection refuses a call that names its connection twice.
func (r *request) oneConnection() *failure {
	if r.ConnectionID != "" && r.ConnectionName != "" {
		return invalid("give connectionId or connectionName, not both")
	}
	return nil
}

// meant refuses a call whose targetHint names another database. Fields the
// hint leaves out are not compared.
func (w *work) meant() *failure {
	hint := w.request.Payload.TargetHint
	if hint == nil || hint.fits(w.target) {
		return nil
	}
	f := fail(designer.TargetMismatch, "Active schema designer does not match targetHint")
	active, echo := shownTarget(w.target), hint.shown()
	f.ActiveTarget, f.TargetHint = &active, &echo
	return f
}

// here adds the design's identity to a refusal.
func (w *work) here(f *failure) *failure {
	if f != nil && f.ActiveTarget == nil {
		shown := shownTarget(w.target)
		f.Server, f.Database = shown.Server, shown.Database
	}
	return f
}

// envelope starts the reply of a success.
func (w *work) envelope(version string) envelope {
	shown := shownTarget(w.target)
	return envelope{Success: true, Version: version, Server: shown.Server, Database: shown.Database}
}

// view calls fn with the model as last committed.
func (t *Tool) view(w *work, fn func(s *designer.Schema)) *failure {
	if err := w.View(fn); err != nil {
		return w.here(t.internal(fmt.Sprintf("read the design of connection %q", w.Name()), err))
	}
	return nil
}
