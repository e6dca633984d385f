package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	driverms "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// mssqlDatabase is one database of a SQL Server.
type mssqlDatabase struct {
	serverDatabase
	connector driver.Connector
	words     readonly.MSSQLWords
	memory    readonly.MSSQLCache
}

var _ Database = (*mssqlDatabase)(nil)

// OpenMSSQL returns the database at a, and a [*dial.ConnectError] if a cannot be
// one. It does no I/O: the server is dialled with the first use.
func OpenMSSQL(a dial.Address) (Database, error) {
	connector, err := dial.MSSQLConnector(a)
	if err != nil {
		return nil, err
	}
	return &mssqlDatabase{serverDatabase: newServerDatabase(sql.OpenDB(connector), mssql.Engine{}), connector: connector, words: readonly.NewMSSQLWords()}, nil
}

func (d *mssqlDatabase) Kind() string { return "mssql" }

func (d *mssqlDatabase) Version(ctx context.Context) (string, error) {
	var version, text string
	err := d.pool.QueryRowContext(ctx, "SELECT CAST(SERVERPROPERTY('ProductVersion') AS NVARCHAR(128)), CAST(@@VERSION AS NVARCHAR(400))").Scan(&version, &text)
	if strings.Contains(text, "Babelfish") {
		version += " (Babelfish)"
	}
	return "SQL Server " + version, err
}

func (d *mssqlDatabase) Objects(ctx context.Context) ([]Object, error) {
	return listObjects(ctx, d.pool, `SELECT CASE WHEN s.name = SCHEMA_NAME() THEN o.name ELSE s.name + '.' + o.name END, CAST(CASE WHEN o.type = 'V' THEN 1 ELSE 0 END AS BIT)
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
ORDER BY CASE WHEN s.name = SCHEMA_NAME() THEN 0 ELSE 1 END, s.name, o.name`)
}

func (d *mssqlDatabase) CreateText(ctx context.Context, name string) (string, error) {
	var schema string
	if err := d.pool.QueryRowContext(ctx, "SELECT COALESCE(SCHEMA_NAME(), 'dbo')").Scan(&schema); err != nil {
		return "", err
	}
	return d.script(ctx, name, schema)
}

func (d *mssqlDatabase) Definition(ctx context.Context) (designer.Definition, error) {
	return d.designs.Inspect(ctx, d.pool)
}

func (d *mssqlDatabase) Check(query string, designerOpen bool) *readonly.Refusal {
	_, r := readonly.ParseMSSQL(query, d.words, designerOpen)
	return r
}

// mssqlMessage is what the server says of a query.
func mssqlMessage(e driverms.Error) string { return fmt.Sprintf("SQL Server: %s", e.Message) }
