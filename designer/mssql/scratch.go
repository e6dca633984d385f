package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer/engine"
)

// dropWait bounds the dropping of a scratch database, which happens even
// where the caller's context has ended.
const dropWait = 30 * time.Second

// scratchList asks for the scratch databases that this user sees.
const scratchList = "SELECT name FROM sys.databases WHERE name LIKE 'berth[_]scratch[_]%'"

// makeScratch makes an empty database and returns its name.
func makeScratch(ctx context.Context, db *sql.DB) (string, error) {
	name, err := engine.BeginScratch(ctx)
	if err != nil {
		return "", err
	}
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+quote(name)); err != nil {
		if refused := interface{ SQLErrorNumber() int32 }(nil); !errors.As(err, &refused) {
			return "", errors.Join(err, endScratch(ctx, db, name)) // it may have been made nevertheless
		}
		engine.EndScratch(ctx, name, nil)
		return "", err
	}
	return name, nil
}

// endScratch drops a scratch database, whatever became of the caller.
func endScratch(ctx context.Context, db *sql.DB, name string) (err error) {
	defer func() { engine.EndScratch(ctx, name, err) }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
	defer cancel()
	return Engine{}.DropScratch(ctx, db, name)
}

// DropScratch implements [engine.Engine]. It removes a scratch database,
// throwing out who is still in it.
func (Engine) DropScratch(ctx context.Context, db *sql.DB, name string) error {
	var last error
	for _, statement := range dropStatements(name) {
		_, last = db.ExecContext(ctx, statement) // of the others the last one says what is wrong
	}
	if last != nil {
		return fmt.Errorf("drop scratch database %s: %w", name, last)
	}
	return nil
}

func dropStatements(name string) []string {
	return []string{
		"ALTER DATABASE " + quote(name) + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
		"DROP DATABASE " + quote(name),
	}
}

// Scratches implements [engine.Engine].
func (Engine) Scratches(ctx context.Context, db *sql.DB) ([]string, error) {
	return engine.ScratchNames(ctx, db, scratchList)
}
