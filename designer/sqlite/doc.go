// Package sqlite tells the designer about SQLite: [Dialect] is what
// validation has to know, [Inspect] reads a database into a
// [designer.Definition]. It opens nothing and writes nothing; the caller
// brings the connection.
//
// Inspect asks SQLite's own pragmas, as table-valued functions, a fixed
// number of times whatever the number of tables, and reads from the stored
// CREATE statements what pragmas do not tell: names of constraints, checks,
// collations, deferral, generated expressions, AUTOINCREMENT, expressions and
// conditions of indexes, and types as they were written.
//
// Invariant: what Inspect returns is what the database has. Where pragmas and
// text do not agree, or the text cannot be read, it is an error and not a
// guess: publishing rebuilds tables from a design, and what was left out
// would be lost.
package sqlite
