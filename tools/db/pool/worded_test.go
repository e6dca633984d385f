package pool

import (
	"errors"
	"fmt"
	"testing"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	driverms "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/tools/db/dial"
)

func TestAnErrorOfADatabaseHasWordsForEveryone(t *testing.T) {
	cfg := Config{Name: "main"}
	plain := func(err error) string {
		var p interface{ Plain() string }
		if errors.As(cfg.Explain(fmt.Errorf("read postgres://ann:hunter2@db/: %w", err)), &p) {
			return p.Plain()
		}
		return ""
	}
	assert.Contains(t, plain(&pgconn.PgError{Message: "permission denied for schema x"}), `connection "main": `)
	assert.Contains(t, plain(&pgconn.PgError{Message: "permission denied for schema x"}), "permission denied for schema x")
	assert.Contains(t, plain(&driversql.MySQLError{Message: "SELECT command denied"}), "SELECT command denied")
	assert.Contains(t, plain(driverms.Error{Message: "CREATE DATABASE permission denied"}), "CREATE DATABASE permission denied")
	assert.Equal(t, `connection "main": refused; start it`, plain(&dial.ConnectError{Cause: "refused", Fix: "start it"}))
	assert.Equal(t, `connection "main": grant it`, plain(plainError{&driversql.MySQLError{Message: "denied"}}))
	assert.Empty(t, plain(errors.New("dial ann:hunter2")), "what is not known to be safe is not said")
	assert.NotContains(t, plain(&pgconn.PgError{Message: "no"}), "hunter2")
	assert.NoError(t, cfg.Explain(nil))
}

// plainError is an engine's error with words of its own.
type plainError struct{ error }

func (plainError) Plain() string { return "grant it" }

func (e plainError) Unwrap() error { return e.error }
