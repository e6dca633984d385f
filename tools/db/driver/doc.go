// Package driver runs statements on a database: it is PostgreSQL, MySQL and
// MariaDB, SQL Server and SQLite behind one interface, [Database]. A query runs
// in a session that cannot write, after everything that it reaches was judged
// (readonly); its rows go to a [rowset.Sink] as they come. It knows no tools, no
// settings and no time limits of its own but those that end what nobody waits
// for any longer.
//
//	query ─▶ Check ─▶ Query ─▶ session ─▶ judged (readonly) ─▶ cursor ─▶ Sink
//	statement ─▶ Execute ─▶ transaction, or alone where it cannot be in one
//	designer ─▶ Definition, Mark, Engine with the pool of Writer
//
// Start from [Database]; OpenPostgres, OpenMySQL, OpenMSSQL and OpenSQLite make
// one. A dialect's files end in its name: what it opens (postgres.go), a
// guarded session (session_), its queries (query_), its values (values_).
//
// Invariants: nothing of a query is written by the engine, whatever a check
// overlooked; a session is as new after a query, or its connection is closed; a
// query whose context ended is ended on the server too; what a server sends is
// outside input, and an answer of the wrong shape is an error ([Restate] words
// it).
package driver
