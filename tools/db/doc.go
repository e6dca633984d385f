// Package db offers the project's databases to agents: the database tools, one
// file each, and the REST routes that go with them. What a project's databases
// are stands in pool, what runs a statement in driver, what connects to a server
// in dial, what only reads in readonly, and the designer's view in source.
//
//	call ─▶ handler ─▶ pool.Open ─▶ driver.Database (one per dialect)
//	          │                        │ Check: is it one statement that reads? (readonly)
//	          │                        │ Query: in a session that cannot write
//	          │                        │ Execute: what a person, or the settings, allowed
//	          └ reply: bounded, cleaned ◀┘ rows (rowset)
//
// Start from [New] and [Tools.Handlers]; a tool's file has its name.
//
// Invariants: a query runs only after the dialect's check admitted it, and
// then where the engine itself refuses to write; nothing is written but by
// execute-sql, after a person's approval or under allowWrites; a reply to a
// reader is on its way within 100 ms after its context ended, whatever the
// engine is doing, and one to a writer says what became of the change; no
// secret is in a reply or an error; text from a database is shown without
// characters that a reader does not see, and marked as data.
package db
