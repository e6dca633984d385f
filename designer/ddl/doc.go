// Package ddl reads the tables that a script of SQL makes from its text,
// without a server: a dump pasted into a design of another dialect, or where no
// server is at hand. Where one is, its own reading is exact and this one is not
// used (designer/engine, Load).
//
// Start with [Read]:
//
//	text ─split─▶ statements ─Read─▶ Definition, and notes of what is left out
//	               CREATE TABLE ─▶ columns, keys, checks
//	               ALTER TABLE, CREATE INDEX, COMMENT ON, sp_addextendedproperty
//	               CREATE TYPE, CREATE DOMAIN
//
// It knows the four dialects' dumps (mysqldump, mariadb-dump, pg_dump, scripts
// of SQL Server Management Studio, SQLite's .dump) and what people write by hand.
//
// Invariants:
//
//   - What cannot be read of one column, key or index leaves the rest as it is,
//     and is in a note with its line.
//   - A text that is no SQL is an error with its place.
//   - Nothing runs, and nothing panics, whatever the text.
package ddl
