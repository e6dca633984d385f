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

	// Inspect reads the whole schema with a fixed number of queries, in one
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
	// be tried.
	Verify(ctx context.Context, db *sql.DB, p designer.Plan) error

	// Publish runs the plan. It calls progress before each step; an error from
	// it stops the plan there. After an error, a transactional plan is rolled
	// back as a whole; of any other, StepError.Applied steps remain. For a plan
	// that was interrupted, steps before from are skipped.
	Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress Progress) error

	// Load runs a script of the dialect in an empty scratch database of the
	// server, reads it and drops it: DDL understood by the server itself.
	// Statements that are not part of a definition are listed in LeftOut.
	Load(ctx context.Context, db *sql.DB, script string) (designer.Loaded, error)

	// Scratches lists the scratch databases that this user sees on the server,
	// by the names that [ScratchPrefix] describes, whoever made them.
	Scratches(ctx context.Context, db *sql.DB) ([]string, error)

	// DropScratch drops one of those, with what still runs in it and what was
	// made for it.
	DropScratch(ctx context.Context, db *sql.DB, name string) error
}

// Owned is an Engine whose databases say who owns an object and who may use
// it.
type Owned interface {
	// Rights reads them, in one query or two.
	Rights(ctx context.Context, db *sql.DB) (designer.Rights, error)
}

// Progress is told that a step is about to run (done false) or has run (done
// true; in a transaction not yet committed).
type Progress func(step int, done bool) error
