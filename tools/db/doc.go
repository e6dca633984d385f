// Package db offers the project's databases to agents: it opens them when
// they are first asked for, and answers the database tools, the REST routes
// that go with them, and the designer's reading and publishing of a schema.
// It does not look for connections, but for SQLite files (cmd/berth reads the
// others from the settings and from the project's files), and it knows no
// design.
//
//	call ─▶ handler ─▶ Connections.pick ─▶ database (one per dialect)
//	          │                              │ check: is it one statement that reads? (readonly)
//	          │                              │ query: in a session that cannot write
//	          │                              │ execute: what a person, or the settings, allowed
//	          └ reply: bounded, cleaned  ◀───┘ rows
//
// Start from [New]. What differs between kinds of databases stands behind the
// interface database; a [Source] is one of them as designers know it.
//
// Invariants: a query runs only after the dialect's check admitted it, and
// then where the engine itself refuses to write; nothing is written but by
// execute-sql, after a person's approval or under allowWrites, and by
// [Source.Publish]; a reply to a reader is on its way within 100 ms after its
// context ended, whatever the engine is doing, and one to a writer says what
// became of the change; no secret is in a reply or an error; text from a
// database is shown without characters that a reader does not see, and marked
// as data.
package db
