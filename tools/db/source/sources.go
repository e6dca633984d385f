package source

import (
	"log/slog"

	"github.com/berth-dev/berth/tools/db/pool"
)

// Options say where the designer's work leaves what is not in a
// database.
type Options struct {
	// Copies is the folder for copies of rows, see [engine.WithCopies], and
	// for the record of scratch databases. "": they are not recorded.
	Copies string
	Logger *slog.Logger // nil: nothing is logged
}

// Sources are a project's connections as the designer works on them. It is
// safe for concurrent use.
type Sources struct {
	connections *pool.Connections
	scratch     *scratchBook
	copies      string
	logger      *slog.Logger
}

// New returns the sources of a project's connections, which the caller
// closes.
func New(connections *pool.Connections, opts Options) *Sources {
	return &Sources{connections, newScratchBook(opts.Copies), opts.Copies, opts.Logger}
}
