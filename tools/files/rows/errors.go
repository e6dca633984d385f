package rows

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
)

// stateOf returns the SQLSTATE, or SQLite's code, of an error of the database;
// "": it is none.
func stateOf(err error) string {
	var server interface{ SQLState() string }
	var file interface{ Code() int }
	switch {
	case errors.As(err, &server):
		return server.SQLState()
	case errors.As(err, &file):
		return fmt.Sprint(file.Code() & 0xff)
	}
	return ""
}

// worded returns an error of the database as one for the caller. Others are
// returned as they are.
func (s *Store) worded(ctx context.Context, err error) error {
	var known *disk.Error
	if err == nil || errors.As(err, &known) || ctx.Err() != nil {
		return err
	}
	state := stateOf(err)
	if state == "" {
		return err
	}
	s.forget() // the table may be another one now
	what := clip.Text(err.Error(), 300)
	switch state {
	case "42501": // insufficient privilege, or a policy
		return refuse(disk.Forbidden, "the login of connection %s is not allowed that in table %s: %s", s.opts.Connection, s.opts.Table, what)
	case "25006", "8": // a read-only transaction, or file
		return refuse(disk.ReadOnly, "connection %s is read-only: %s", s.opts.Connection, what)
	case "23505":
		return refuse(disk.Exists, "%s has a row of that path already: %s", s.place(), what)
	case "55P03", "40001", "40P01", "5", "6":
		return refuse(disk.InUse, "another client holds the row; nothing was written: call again (%s)", what)
	case "53100", "13":
		return refuse(disk.DiskFull, "the database has no room: %s", what)
	}
	return refuse(disk.Unavailable, "%s: %s", s.place(), what)
}
