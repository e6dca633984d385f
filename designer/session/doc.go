// Package session holds the designs of one project: it makes the model of
// package designer durable and shared. It decides in what order changes come,
// keeps them, and tells everyone of them. It is not for what an edit means
// (designer), for reading a database (designer/sqlite and its siblings, seen
// here as a [Source]), or for what replies look like (tools/schema).
//
// Start from [Manager]: OpenStore, NewManager, Show, then the [Designer] that
// it gives.
//
// There is one way in. An agent's edits, a page's edits, undo, redo and a
// re-read of the database are all one run of the same function:
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
// Two processes meet in the state directory:
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
//     nothing it has answered for.
//   - Where a commit fails, model, stacks and version are those of the last
//     commit, and stay readable.
//   - What an edit writes is in proportion to the edit: the tables it touched
//     and a step that holds the difference. Nothing is rewritten wholesale.
//   - Event numbers grow by one with every commit that changes a design, in
//     the order of the commits, restarts included.
//   - Locks are taken in the order Designer, Store, then Manager or hub.
package session
