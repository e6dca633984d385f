package driver

import (
	"context"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// PlanShower is a [Database] whose plans are shown by a setting of the session,
// as SQL Server's are, and not by a statement.
type PlanShower interface {
	// ShowPlan gives the rows of a query's plan to into and runs nothing. The
	// query must have been admitted by Check.
	ShowPlan(ctx context.Context, query string, xml bool, into rowset.Sink) error
}

// ShowPlan has SQL Server show the plan of a query: while the setting is on
// it runs nothing.
func (d *mssqlDatabase) ShowPlan(ctx context.Context, query string, xml bool, into rowset.Sink) error {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer forget(conn) // with its setting
	setting := "SET SHOWPLAN_TEXT ON"
	if xml {
		setting = "SET SHOWPLAN_XML ON"
	}
	if _, err := conn.ExecContext(ctx, setting); err != nil {
		return err
	}
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()                   // pourAll has what went wrong
	for more := true; more; more = rows.NextResultSet() { // the query's text, then its plan
		if err := pourSet(dial.SQLServer, rows, into); err != nil {
			return err
		}
	}
	return rows.Err()
}
