// Package db offers the project's databases to agents: it finds them, opens
// them when they are first asked for, and answers get-tables, get-schema,
// get-database-type and run-query, the REST routes that go with them, and the
// designer's reading of a schema. All of it reads; nothing here writes to a
// database.
//
//	call ─▶ handler ─▶ Connections.pick ─▶ database (one per dialect)
//	          │                              │ check: is it one statement that reads?
//	          │                              │ query: on a connection that cannot write
//	          └ reply: bounded, cleaned  ◀───┘ rows
//
// Start from [New]. What differs between kinds of databases stands behind the
// interface database; [Config] does not say which kind, since SQLite is the
// only one so far.
//
// Invariants: a query runs only after the dialect's check admitted it, and
// then on a connection on which the engine itself refuses to write; a reply
// is on its way within 100 ms after its context ended, whatever the engine is
// doing; text from a database is shown without characters that a reader does
// not see, and marked as data.
package db
