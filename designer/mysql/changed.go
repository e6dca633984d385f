package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// markTables digests the names and times of the database's tables. The server
// keeps whole seconds, so while one of them is of this moment the clock is
// part of the digest: what happens later in that second is not missed.
const markTables = `SELECT CONCAT_WS(' ', COUNT(*), COALESCE(SUM(CRC32(CONCAT_WS('/', TABLE_NAME, CREATE_TIME, TABLE_COMMENT))), 0),
  IF(MAX(CREATE_TIME) > NOW() - INTERVAL 2 SECOND, SYSDATE(6), ''))
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()`

// markedStatements are counted by the server as they begin. They are those
// that leave a table's time alone. MySQL, unlike MariaDB, may leave it alone
// when a table is altered in place, so there they are counted too; that they
// are counted as they begin is why the times count as well.
var (
	markedStatements = []string{
		"Com_create_view", "Com_drop_view", "Com_create_trigger", "Com_drop_trigger", "Com_create_function", "Com_drop_function",
		"Com_create_procedure", "Com_drop_procedure", "Com_alter_function", "Com_alter_procedure", "Com_create_sequence",
		"Com_alter_sequence", "Com_drop_sequence", "Com_create_event", "Com_alter_event", "Com_drop_event", "Com_alter_db",
		"Com_grant", "Com_revoke", "Com_revoke_all",
	}
	markedOfMySQL = []string{"Com_create_table", "Com_alter_table", "Com_drop_table", "Com_rename_table", "Com_create_index", "Com_drop_index"}
)

// Querier is what [Mark] asks: a *sql.DB or a *sql.Conn.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Mark returns a text that is another one once the schema of the connection's
// database has changed. Statements in other databases of the server may change
// it too: a change is seen there that is none.
func Mark(ctx context.Context, q Querier) (string, error) {
	var mark, version string
	if err := q.QueryRowContext(ctx, markTables).Scan(&mark); err != nil {
		return "", fmt.Errorf("read the schema's mark: %w", err)
	}
	if err := q.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return "", fmt.Errorf("read the server's version: %w", err)
	}
	counted := markedStatements
	if !strings.Contains(version, "MariaDB") {
		counted = append(counted[:len(counted):len(counted)], markedOfMySQL...)
	}
	counts, err := statementCounts(ctx, q, counted)
	return mark + counts, err
}

// statementCounts is how often the server has begun each of the statements.
func statementCounts(ctx context.Context, q Querier, names []string) (string, error) {
	rows, err := q.QueryContext(ctx, "SHOW GLOBAL STATUS WHERE Variable_name IN ('"+strings.Join(names, "', '")+"')")
	if err != nil {
		return "", fmt.Errorf("count the server's statements: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	var counts strings.Builder
	for rows.Next() {
		var name, count string
		if err := rows.Scan(&name, &count); err != nil {
			return "", fmt.Errorf("count the server's statements: %w", err)
		}
		counts.WriteString(" " + count)
	}
	return counts.String(), rows.Err()
}

// Mark implements [engine.Engine].
func (Engine) Mark(ctx context.Context, db *sql.DB) (mark string, err error) {
	err = WithRetry(ctx, func() error {
		mark, err = Mark(ctx, db)
		return err
	})
	return mark, err
}
