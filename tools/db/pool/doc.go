// Package pool keeps the databases of a project: which connections there are,
// which one a call means, the database behind each, opened when it is first
// asked for, and who may use it at once. It looks for SQLite files
// (sqlitefiles); the other connections are given to it, since cmd/berth reads
// them from the settings and from the project's files. It knows no tools and no
// design.
//
//	name ─▶ Pick ─▶ Config ─▶ Database (one per what is reached, lazily opened)
//	call ─▶ lane ─▶ ReadIn:  answered within 50 ms after ctx ended
//	              └▶ Settle:  waits, and says what became of the change
//	designer ───────▶ Write:  no lane; Close waits for it
//
// Start from [New] and [Connections.Open].
//
// Invariants: a connection that is withheld is not contacted; a SQLite file
// outside of the project is opened only if its connection may lead there; two
// connections share a database only if they reach the same with the same
// credentials; an agent's queries take no place from reading the catalogue, the
// designer's work and approved writes; a panic of a driver ends the call that
// caused it and not the process; no secret is in an error.
package pool
