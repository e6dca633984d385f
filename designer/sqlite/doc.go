// Package sqlite is the designer's engine for SQLite: [Dialect] is what
// validation has to know, [Inspect] reads a database into a
// [designer.Definition], and [Engine] plans, tries and publishes changes. The
// caller brings the pool; of its own the package opens databases in memory
// and, to try a plan, a private copy.
//
// Inspect asks SQLite's own pragmas, as table-valued functions, a fixed
// number of times whatever the number of tables, and reads from the stored
// CREATE statements what pragmas do not give: names of constraints, checks,
// collations, deferral, generated expressions, AUTOINCREMENT, conflict
// clauses, expressions and conditions of indexes, and types as they were
// written.
//
// SQLite changes little of a table in place. What it does, by ALTER TABLE, a
// plan leaves to it, renaming above all, since SQLite carries new names into
// views and triggers; the rest is a rebuild (see plan_rebuild.go). Publishing
// is one transaction with foreign keys off:
//
//	what is wrong before ─▶ steps ─▶ what is wrong now? ─▶ COMMIT
//	                                     └─ more ─▶ ROLLBACK
//
// Invariants:
//
//   - What Inspect returns is what the database has. Where pragmas and text do
//     not agree, or the text cannot be read, it is an error and not a guess:
//     a rebuild would lose what was left out.
//   - What a script of the engine makes reads back as the model it is of.
//   - A publish that fails or is killed leaves the database as it was.
package sqlite
