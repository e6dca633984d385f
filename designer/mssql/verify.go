package mssql

import (
	"context"
	"database/sql"
	"time"

	"github.com/berth-dev/berth/designer"
)

// verifyWait is what a trial waits for a table that others use.
const verifyWait = 5 * time.Second

// Verify implements [engine.Engine]. It makes the plan in a transaction and
// rolls it back. While it runs the tables that it changes are locked for
// everyone, and steps that rewrite a table take as long as in earnest.
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan) error {
	return trial{plan: p, wait: verifyWait}.run(ctx, db)
}
