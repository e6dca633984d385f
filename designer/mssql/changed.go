package mssql

import (
	"context"
	"database/sql"
	"fmt"
)

// markQuery digests the catalogues: when each object was last altered, and the
// names of what can be renamed or described without that being noted. It adds the
// checksums up, since not every server of T-SQL has CHECKSUM_AGG.
const markQuery = `SELECT CONCAT_WS(' ',
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(object_id, schema_id, name, modify_date))), CONVERT(varchar(30), MAX(modify_date), 126)) FROM sys.objects WHERE is_ms_shipped = 0),
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(c.object_id, c.column_id, c.name, c.user_type_id, c.max_length, c.is_nullable)))) FROM sys.columns AS c JOIN sys.tables AS t ON t.object_id = c.object_id),
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(i.object_id, i.index_id, i.name, i.is_unique, i.has_filter, i.is_disabled)))) FROM sys.indexes AS i JOIN sys.tables AS t ON t.object_id = i.object_id),
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(class, major_id, minor_id, name, CONVERT(nvarchar(400), value))))) FROM sys.extended_properties),
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(schema_id, name)))) FROM sys.schemas),
  (SELECT CONCAT_WS(':', COUNT_BIG(*), SUM(CONVERT(bigint, CHECKSUM(user_type_id, schema_id, name)))) FROM sys.types WHERE is_user_defined = 1))`

// Querier is what [Mark] asks: a *sql.DB or a *sql.Conn.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Mark returns a text that is another one once the schema has changed.
func Mark(ctx context.Context, q Querier) (string, error) {
	var mark string
	if err := q.QueryRowContext(ctx, markQuery).Scan(&mark); err != nil {
		return "", fmt.Errorf("read the schema's mark: %w", err)
	}
	return mark, nil
}

// Mark implements [engine.Engine].
func (Engine) Mark(ctx context.Context, db *sql.DB) (string, error) { return Mark(ctx, db) }
