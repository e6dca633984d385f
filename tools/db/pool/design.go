package pool

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/tools/db/dial"
)

// DesignServer stands for the server of a design without a database.
const DesignServer = "design"

// designed refuses to open a design as a database.
func designed(cfg Config) error {
	return &dial.ConnectError{Connection: cfg.Name, Cause: "it is a design without a database",
		Fix: "edit it with the schema designer; berth publish --to CONNECTION makes its tables in a database"}
}

// Lender returns the connection whose server a design without a database is
// tried on; needed is false if its dialect needs none. One on this machine comes
// first: a scratch database there is seen by nobody else. The error is a
// [*dial.ConnectError] if there is no such connection; title is the dialect's.
func (c *Connections) Lender(ctx context.Context, design Config, title string) (lender Config, needed bool, err error) {
	if design.Dialect == dial.SQLite {
		return lender, false, nil
	}
	found := false
	for _, cfg := range c.Known(ctx) {
		switch {
		case cfg.Design || cfg.Withheld != "" || cfg.Dialect != design.Dialect:
		case cfg.Address.Local():
			return cfg, true, nil
		case !found:
			lender, found = cfg, true
		}
	}
	if found {
		return lender, true, nil
	}
	return lender, true, &dial.ConnectError{Connection: design.Name,
		Cause: fmt.Sprintf("nothing was tried: a design for %s is tried in a scratch database, and no connection of this project leads to a server of %s that may be used", title, title),
		Fix:   "connect one with: berth connect URL; then verify again"}
}
