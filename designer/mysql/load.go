package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Load implements [engine.Engine]. It runs the statements of a script that
// make or change objects, in a scratch database, and reads it. What chooses or
// makes databases, and what is about rows, is passed over; what reaches into
// another database is refused. Events are passed over too: they would begin to
// act. What is passed over is reported.
func (Engine) Load(ctx context.Context, db *sql.DB, text string) (loaded designer.LoadResult, err error) {
	charset, collation, err := charsetOf(ctx, db)
	if err != nil {
		return loaded, fmt.Errorf("load a script: %w", err)
	}
	statements, err := definitions(text, &loaded)
	if err != nil {
		return loaded, err
	}
	x, err := newScratch(ctx, db, charset, collation)
	if err != nil {
		return loaded, fmt.Errorf("load a script: %w", err)
	}
	defer func() { err = errors.Join(err, x.drop(ctx)) }()
	if _, err := x.ExecContext(ctx, "SET SESSION sql_mode = DEFAULT"); err != nil { // the script says what it needs
		return loaded, fmt.Errorf("load a script: %w", err)
	}
	for _, s := range statements {
		if _, err := x.ExecContext(ctx, droppedFrom(x.name, s.text)); err != nil {
			return loaded, refusalOf(text, s, err)
		}
	}
	loaded.Definition, err = inspect(ctx, x.Conn)
	return loaded, err
}

// charsetOf is the character set and collation of the default database, of
// the server where there is none.
func charsetOf(ctx context.Context, db *sql.DB) (charset, collation string, err error) {
	err = db.QueryRowContext(ctx, "SELECT @@character_set_database, @@collation_database").Scan(&charset, &collation)
	return charset, collation, err
}
