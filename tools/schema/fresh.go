package schema

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/berth-dev/berth/designer/session"
)

// A design follows its database: what is told or written of it is as the
// database is at that moment, not as it was when the designer was shown.

// glanceTime bounds how long a call that only describes the design waits for
// its database; then it tells what is known.
const glanceTime = 2 * time.Second

// glance brings the design up to date where its database's mark has changed.
// Where that cannot be found out the design is told as it is.
func (t *Tool) glance(ctx context.Context, in *invocation) {
	ctx, cancel := context.WithTimeout(ctx, glanceTime)
	defer cancel()
	if _, err := t.look(ctx, in.designer, session.Compare); err != nil {
		t.opts.Logger.Debug("database not looked at", "connection", in.designer.ID(), "error", err)
	}
}

// upToDate reads the database again. The notes say why the design may still
// not be as the database is.
func (t *Tool) upToDate(ctx context.Context, in *invocation) (notes []string) {
	source, err := t.opts.Connections.Source(ctx, in.designer.ID())
	if err == nil {
		_, err = in.designer.Refresh(ctx, source)
	}
	if err != nil {
		t.opts.Logger.Warn("database not read", "error", err)
		return []string{"the database could not be read now; this is the design as last stored"}
	}
	if in.designer.Info().Sync == session.Drifted {
		return []string{"the database has changed since this design was begun; the design keeps its own changes"}
	}
	return nil
}

func (t *Tool) look(ctx context.Context, d *session.Designer, care session.Effort) (session.DatabaseState, error) {
	source, err := t.opts.Connections.Source(ctx, d.ID())
	if err != nil {
		return d.DatabaseState(), err
	}
	return d.CheckDatabase(ctx, source, care)
}

// PageDatabaseState is what a page is told of the database behind a design.
type PageDatabaseState struct {
	Sync session.SyncState `json:"sync"`
	// SeenMs is how long ago the database was last known to be as it was read,
	// ReadMs how long ago it was read whole, in milliseconds; nil: not in this
	// run of the instance.
	SeenMs  *int64 `json:"seenMs"`
	ReadMs  *int64 `json:"readMs"`
	Problem string `json:"problem,omitempty"` // why it could not be looked at now
}

// PageLook looks at the database of a design for a page that is looked at,
// whole or as far as its share of the time allows.
func (t *Tool) PageLook(ctx context.Context, d *session.Designer, whole bool) PageDatabaseState {
	care := session.Poll
	if whole {
		care = session.Read
	}
	seen, err := t.look(ctx, d, care)
	sight := PageDatabaseState{Sync: d.Info().Sync, SeenMs: t.ago(seen.SeenAt), ReadMs: t.ago(seen.ReadAt)}
	if err == nil {
		err = seen.Err
	}
	if err != nil {
		sight.Problem = t.problem(d, err)
	}
	return sight
}

// problem words why a database could not be looked at, for a badge: asked every
// few seconds, it leaves the log alone.
func (t *Tool) problem(d *session.Designer, err error) string {
	var plain interface{ Plain() string }
	switch {
	case errors.As(err, &plain):
		return plain.Plain()
	case errors.Is(err, fs.ErrNotExist):
		return "the database of connection " + quote(d.Name()) + " does not exist"
	case errors.Is(err, session.ErrDialectChanged):
		return "connection " + quote(d.Name()) + " leads to another kind of database than the one this design is for"
	}
	t.opts.Logger.Debug("database not looked at", "connection", d.ID(), "error", err)
	return "connection " + quote(d.Name()) + " could not be read; berth doctor tells why"
}

func (t *Tool) ago(at time.Time) *int64 {
	if at.IsZero() {
		return nil
	}
	return new(max(0, t.opts.Now().Sub(at).Milliseconds()))
}
