// Package engine says what a dialect package offers beside its data: reading
// a database of its kind, planning the way from one state of a schema to
// another, trying a plan and making it. The packages designer/sqlite,
// designer/postgres, designer/mysql and designer/mssql each have an Engine,
// with the same file names: inspect, types, render, plan, verify, publish.
//
// An engine opens nothing: the caller brings the pool. It keeps no state.
//
//	database ─Inspect─▶ Definition ─Build─▶ Schema ─edits─▶ Schema
//	    ▲                                     └──── DiffOf ────┘
//	    │                                             │
//	    └──── Publish ◀── Verify ◀── designer.Plan ◀─Plan
//
// Invariants, proven for every engine by package enginetest:
//
//   - Inspect after Publish of a plan for d is d.To: the new diff is empty.
//   - Verify changes nothing that lasts.
//   - What the model carries but does not edit survives a plan.
package engine

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer"
)

// Engine is one dialect at work. Implementations are values without fields
// and safe for concurrent use.
type Engine interface {
	// Dialect returns the dialect's data, the caller's own.
	Dialect() *designer.Dialect

	// Inspect reads the whole schema with a fixed number of queries, in one
	// consistent view where the server offers one. Names of the connection's
	// default schema are spelled as the database has them, except on MySQL,
	// where a table's Schema is left empty: there the schema is the database.
	Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error)

	// Mark returns a text that is another one once the schema has changed
	// since: far cheaper to ask for than Inspect, so that it can be asked every
	// few seconds. It may change without the schema; it must not stay the same
	// with another one. Marks are for comparing, within one run of a program.
	Mark(ctx context.Context, db *sql.DB) (string, error)

	// Plan orders what brings a database that is as d.From says to d.To. It
	// is a pure function. The error is a [*designer.PlanError] where the
	// dialect has no way there.
	Plan(d *designer.Diff) (designer.Plan, error)

	// Script makes the whole of s in an empty database: schemas, types,
	// sequences, tables, keys, indexes, comments, routines, views, triggers.
	Script(s *designer.Schema) (designer.Plan, error)

	// Verify tries the plan for real and leaves no trace: in a transaction
	// that is rolled back, or on a scratch copy. The error is a
	// [*designer.StepError] where the server refuses a step, and a
	// [*designer.NotTriedError] where nothing was refused but not all of it
	// could be tried.
	Verify(ctx context.Context, db *sql.DB, p designer.Plan) error

	// Publish makes the plan. Before each step progress is told; an error of
	// it stops the plan there. Of a transactional plan nothing lasts after an
	// error; of another, StepError.Applied steps do. Steps before from are
	// taken as made, for a plan that was interrupted.
	Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress Progress) error

	// Load runs a script of the dialect in an empty scratch database of the
	// server, reads it and drops it: DDL understood by the server itself.
	// What of it is no part of a definition is told in LeftOut.
	Load(ctx context.Context, db *sql.DB, script string) (designer.Loaded, error)

	// Scratches lists the scratch databases that this user sees on the server,
	// by the names that [ScratchPrefix] describes, whoever made them.
	Scratches(ctx context.Context, db *sql.DB) ([]string, error)

	// DropScratch drops one of those, with what still runs in it and what was
	// made for it.
	DropScratch(ctx context.Context, db *sql.DB, name string) error
}

// Progress is told that a step is about to run (done false) or has run (done
// true; in a transaction not yet committed).
type Progress func(step int, done bool) error
