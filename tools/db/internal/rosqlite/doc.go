// Package rosqlite opens SQLite files for reading only, as a driver for
// database/sql. It stands on the same transpiled engine as
// modernc.org/sqlite, one level below that package's own driver, because
// that driver cannot do what untrusted queries need:
//
//   - an authorizer, which SQLite asks about every action of a statement
//     while it compiles it ([allowed] has the rules);
//   - an interrupt that reaches a statement in any of its steps, not in the
//     first one only;
//   - text as the database has it, also in columns declared DATE.
//
// A connection is guarded several times over, so that no single guard has to
// be perfect: the file is opened with SQLITE_OPEN_READONLY, query_only is set,
// ATTACH is limited to nothing, defensive mode is on, the schema is not
// trusted, the authorizer refuses, and a compiled statement that SQLite does
// not call read-only is not run. Decision record 0008 has the reasons.
//
//	database/sql ─▶ Connector ─▶ conn ─▶ rows
//	                               │        └ step by step, interrupted when ctx ends
//	                               └ authorizer, limits
//
// Start from [NewConnector]. Invariant: nothing that goes through this package
// changes a byte of the database, and none makes a file beside it but for what
// SQLite needs to read a write-ahead log that another program left.
//
// It is not for the designer's own store and not for publishing: both write,
// and use the ordinary driver.
package rosqlite
