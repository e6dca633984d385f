// Package readonly judges whether a statement only reads. It knows what a
// query for PostgreSQL, MySQL and MariaDB, SQL Server and SQLite may be, and
// follows it through what it reaches on a server: views, functions, operators,
// casts, domains and the rest that runs without being named. It decides; it
// runs nothing of the query, and what keeps a session from writing is the
// business of those who open it, as is what a person may have executed.
//
//	text ─▶ Parse… / CheckSQLite ─▶ a query, or a Refusal
//	query ─▶ …Reach.Query ──questions──▶ Catalogue (the server, in the same session)
//	                      ◀──answers────
//	plan  ─▶ PostgresReach.Plan
//
// Start from [ParsePostgres] and [PostgresReach]; each dialect has its check_,
// reach_ and functions_ or judge_ file. Nothing here does I/O but through a
// [Catalog], and nothing is kept between two queries but a [PostgresCache].
//
// Invariants: what is admitted is exactly one statement of a kind that reads;
// no name of a text is taken for harmless because of how it is written, only
// because of what the server says of it, or, where the server says nothing,
// because a list has it; when in doubt, refuse; a refusal says which rule and,
// where there is one, the way that is open.
package readonly
