// Package session holds the designs of one project: it makes the model of
// package designer durable and shared. It orders changes, stores them, and
// publishes events about them. It does not define what an edit means
// (designer), read a database (designer/sqlite and its siblings, seen here as a
// [Source]), or format replies (tools/schema).
//
// Start with [Manager]: OpenStore, NewManager, Show, then the [Designer] that
// it returns.
//
// An agent's edits, a page's edits, undo, redo and a re-read of the database
// are all runs of the same function:
//
//	agent ─ Apply ─┐
//	page ── Apply ─┤              one mutex a design
//	Undo, Redo ────┼─▶ check ──▶ play ──▶ journal ──▶ version ──▶ event ──▶ pages
//	Refresh, Show ─┘   target     edits   state.db,   in the      ring of
//	                   version    on the  one trans-  receipt     1,024
//	                      │       model   action
//	                      ▼         │        │
//	                   refusal      ◀── take back ── error
//
// Processes coordinate in the state directory:
//
//	state.lock  held for the life of the process: one owner at a time
//	state.pid   who that is, for the other's error message
//	state.db    SQLite, in WAL mode with synchronous=FULL
//
// A successor waits until OpenStore no longer fails with [ErrStateLocked]: the
// predecessor's Close has by then written everything back.
//
// Invariants:
//
//   - What was acknowledged is on disk: an Outcome is returned, and an event
//     published, after the transaction committed. A killed process loses
//     nothing it has acknowledged.
//   - After a failed commit, model, stacks and version are those of the last
//     commit, and stay readable.
//   - What an edit writes is proportional to the edit: the tables it changed
//     and a step with the difference. Nothing is rewritten as a whole.
//   - Event numbers increase by one with every commit that changes a design, in
//     the order of the commits, even across restarts.
//   - Locks are taken in the order Designer, Store, then Manager or hub.
package session
