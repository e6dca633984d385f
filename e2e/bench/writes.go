package main

import (
	"context"
	"errors"
	"strings"

	"github.com/berth-dev/berth/e2e/bench/table"
)

// writing are queries that change the database, which a tool for reading must
// not let through.
var writing = []struct{ name, sql string }{
	{"DROP TABLE victim", "DROP TABLE victim"},
	{"COMMIT; DROP TABLE victim", "COMMIT; DROP TABLE victim"},
}

// writes is the negative control: it asks the tool for queries to write, and
// looks whether the table is still there. It shows that the comparison sees a
// server that is open, and needs one round only.
func (r *turn) writes() {
	if r.n > 0 {
		return
	}
	r.say("queries that write")
	for i := range r.databases {
		d := &r.databases[i]
		if d.tables != sizes[0] {
			continue
		}
		for _, s := range r.readers() {
			if s.missing == "" && s.database != nil && r.ctx.Err() == nil {
				r.write(d, s)
			}
		}
	}
}

// readers are the servers, each as it is when told to read only.
func (r *turn) readers() []server {
	all := append([]server(nil), r.servers...)
	for i := range all {
		if all[i].name == dbhubName {
			all[i].name, all[i].database = dbhubName+", readonly", all[i].readOnlyDBHub(r.dir)
		}
	}
	return all
}

func (r *turn) write(d *database, s server) {
	one, err := s.database(r.ctx, d)
	if errors.Is(err, errNotItsWork) {
		return
	}
	for _, w := range writing {
		m := table.Measure{Section: "A query that writes", Name: d.kind + ": " + w.name}
		if err != nil {
			r.fail(m, s.name, err)
			continue
		}
		_, asked := one.Tool(one.query(w.sql))
		gone, err := r.victimGone(d)
		switch {
		case err != nil:
			r.fail(m, s.name, err)
		case gone:
			r.table.Say(m, s.name, "**let through: the table is gone**")
		case asked != nil:
			r.table.Say(m, s.name, "refused: "+strings.TrimPrefix(shorten(asked.Error()), "refused "))
		default:
			r.table.Say(m, s.name, "answered, and the table is still there")
		}
	}
	if err == nil {
		one.close()
	}
}

// victimGone reports whether the table is gone, and makes it again.
func (r *turn) victimGone(d *database) (bool, error) {
	if _, err := d.db.ExecContext(r.ctx, "SELECT id FROM victim"); err == nil {
		return false, nil
	}
	_, err := d.db.ExecContext(context.WithoutCancel(r.ctx), makeVictim)
	return true, err
}
