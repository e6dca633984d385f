// Package engine defines what a dialect package does besides providing its
// data: reading a database, planning the steps from one state of a schema to
// another, trying a plan and publishing it. The packages designer/sqlite,
// designer/postgres, designer/mysql and designer/mssql each have an Engine,
// with the same file names: inspect, types, render, plan, verify, publish.
//
// An engine opens no connections: the caller passes the pool. It keeps no
// state.
//
//	database ─Inspect─▶ Definition ─Build─▶ Schema ─edits─▶ Schema
//	    ▲                                     └──── DiffOf ────┘
//	    │                                             │
//	    └──── Publish ◀── Verify ◀── designer.Plan ◀─Plan
//
// Invariants, proven for every engine by package enginetest:
//
//   - Inspect after Publish of a plan for d is d.To: the new diff is empty.
//   - Verify makes no permanent changes.
//   - What the model carries but does not edit survives a plan.
package engine

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
)

// Engine is the implementation of one dialect. Implementations are values
// without fields and safe for concurrent use.
type Engine interface {
	// Dialect returns the dialect's data, the caller's own.
	Dialect() *designer.Dialect

	// Inspect reads the whole schema with a fixed number of queries, and on
	// MySQL some for views and what acts by itself, in one
	// consistent view where the server offers one. Names of the connection's
	// default schema are spelled as the database has them, except on MySQL,
	// where a table's Schema is left empty: there the schema is the database.
	Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error)

	// Mark returns a text that differs after a change of the schema. It is far
	// cheaper than Inspect, so that it can be called every few seconds. The
	// mark may change without the schema, but must not stay the same when the
	// schema changes. Marks are only comparable within one run of a program.
	Mark(ctx context.Context, db *sql.DB) (string, error)

	// Plan returns the steps from d.From to d.To, in order. It is a pure
	// function. The error is a [*designer.PlanError] if the dialect cannot make
	// the change.
	Plan(d *designer.Diff) (designer.Plan, error)

	// Script returns the statements that create all of s in an empty database:
	// schemas, types, sequences, tables, keys, indexes, comments, routines,
	// views, triggers.
	Script(s *designer.Schema) (designer.Plan, error)

	// Verify tries the plan on the server and leaves no trace: in a transaction
	// that is rolled back, or on a scratch copy. The error is a
	// [*designer.StepError] if the server refuses a step, and a
	// [*designer.NotTriedError] if nothing was refused but not everything could
	// be tried. It calls progress, which may be nil, before and after each step
	// that is tried; an error from it ends the trial.
	Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress Progress) error

	// VerifyNew tries a plan that begins with an empty database as Verify does,
	// in a scratch database of db's server, whatever db's own database holds. A
	// dialect without servers needs no db.
	VerifyNew(ctx context.Context, db *sql.DB, p designer.Plan, progress Progress) error

	// Publish runs the plan. It calls progress before each step; an error from
	// it stops the plan there. After an error, a transactional plan is rolled
	// back as a whole; of any other, StepError.Applied steps remain. For a plan
	// that was interrupted, steps before from are skipped.
	//
	// It holds a lock of the database, on the connection that runs the plan, so
	// that one publish at a time is in a database, whoever runs it. The error is
	// a [*designer.LockedError], or that of a database in use, where another has
	// it. With the lock it calls [Ready], before any statement.
	Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress Progress) error

	// Load runs a script of the dialect in an empty scratch database of the
	// server, reads it and drops it: DDL understood by the server itself.
	// Statements that are not part of a definition are listed in LeftOut.
	Load(ctx context.Context, db *sql.DB, script string) (designer.LoadResult, error)

	// Scratches lists the scratch databases that this user sees on the server,
	// by the names that [ScratchPrefix] describes, whoever made them.
	Scratches(ctx context.Context, db *sql.DB) ([]string, error)

	// DropScratch drops one of those, with what still runs in it and what was
	// made for it.
	DropScratch(ctx context.Context, db *sql.DB, name string) error
}

// Finder is an Engine that can read some tables without reading all.
type Finder interface {
	// Find reads the tables and views that wanted takes. What it returns of
	// them is what Inspect would, in that order and as far as depth asks;
	// nothing but the names is read of a view. There are no objects.
	Find(ctx context.Context, db *sql.DB, depth Depth, wanted func(Named) bool) (designer.Definition, error)
}

// Depth is how much is read of a table.
type Depth int

// The depths. Each has what is before it too.
const (
	Names   Depth = iota // of tables, views and columns
	Columns              // data types
	Keys                 // the rest of columns, primary and foreign keys, indexes, the comment
)

// Named is a table or view by its names.
type Named struct {
	Schema, Name string
	View         bool
	Columns      []string // of a table, in its order
}

// NamesOf is what Find may return for a table or view at the depth [Names].
func NamesOf(list []Named) designer.Definition {
	def := designer.Definition{}
	for _, n := range list {
		if n.View {
			def.Views = append(def.Views, designer.View{Schema: n.Schema, Name: n.Name})
			continue
		}
		t := designer.TableDefinition{Schema: n.Schema, Name: n.Name}
		for _, column := range n.Columns {
			t.Columns = append(t.Columns, designer.Column{Name: column})
		}
		def.Tables = append(def.Tables, t)
	}
	return def
}

// Find is that of an engine, or reads the whole where it has none.
func Find(ctx context.Context, e Engine, db *sql.DB, depth Depth, wanted func(Named) bool) (designer.Definition, error) {
	if f, ok := e.(Finder); ok {
		return f.Find(ctx, db, depth, wanted)
	}
	def, err := e.Inspect(ctx, db)
	return Found(def, wanted), err
}

// Found keeps of a whole schema the tables and views that wanted takes.
func Found(whole designer.Definition, wanted func(Named) bool) (found designer.Definition) {
	for _, t := range whole.Tables {
		n := Named{Schema: t.Schema, Name: t.Name}
		for _, c := range t.Columns {
			n.Columns = append(n.Columns, c.Name)
		}
		if wanted(n) {
			found.Tables = append(found.Tables, t)
		}
	}
	for _, v := range whole.Views {
		if wanted(Named{Schema: v.Schema, Name: v.Name, View: true}) {
			found.Views = append(found.Views, v)
		}
	}
	return found
}

// LockReader is an Engine whose servers say who publishes to a database.
type LockReader interface {
	// Locked returns a [*designer.LockedError] if a publish, anybody's, holds the
	// lock of db's database now, and nil if none does.
	Locked(ctx context.Context, db *sql.DB) error
}

// RightsReader is an Engine whose databases say who owns an object and who may use
// it.
type RightsReader interface {
	// Rights reads them, in one query or two.
	Rights(ctx context.Context, db *sql.DB) (designer.Rights, error)
}

// StatisticsReader is an Engine whose servers count how tables are used.
type StatisticsReader interface {
	// Statistics reads what was counted, in a few queries of the catalogue.
	Statistics(ctx context.Context, db *sql.DB) (designer.Statistics, error)
}

// Progress is told that a step is about to run (done false) or has run (done
// true; in a transaction not yet committed).
type Progress func(step int, done bool) error

// Step runs one step between the two calls of p, which may be nil. An error of
// p or of run ends it.
func (p Progress) Step(step int, run func() error) error {
	if p == nil {
		return run()
	}
	if err := p(step, false); err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	return p(step, true)
}
