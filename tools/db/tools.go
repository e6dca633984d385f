package db

import (
	"log/slog"

	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Options are a project's settings of the tools. Zero values mean the
// defaults.
type Options struct {
	MaxRows  int          // rows of a reply; 0: 200
	MaxBytes int          // bytes of a reply's first item; 0: [catalog.ReplyBytes]
	MaxFile  int64        // bytes of a result file; 0: 256 MiB
	Logger   *slog.Logger // nil: nothing is logged
	// DesignerOpen reports whether a design is open, to which a refused change
	// of the schema can be pointed. nil: none is.
	DesignerOpen func() bool
	// Ledger has a person approve statements that write. nil: one that only
	// asks through clients.
	Ledger *approval.Ledger
}

func (o Options) withDefaults() Options {
	if o.MaxRows <= 0 {
		o.MaxRows = 200
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = catalog.ReplyBytes
	}
	if o.MaxFile <= 0 {
		o.MaxFile = 256 << 20
	}
	if o.DesignerOpen == nil {
		o.DesignerOpen = func() bool { return false }
	}
	return o
}

// Tools are the database tools of one project. They are safe for concurrent
// use.
type Tools struct {
	conns *pool.Connections
	opts  Options
}

// New returns the tools that work on a project's connections, which the
// caller closes.
func New(connections *pool.Connections, opts Options) (*Tools, error) {
	opts = opts.withDefaults()
	if opts.Ledger == nil {
		ledger, err := approval.New(approval.Options{})
		if err != nil {
			return nil, err
		}
		opts.Ledger = ledger
	}
	return &Tools{connections, opts}, nil
}
