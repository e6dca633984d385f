// Package discovery finds the databases that a project's own files name: the
// .devdbrc of DevDB, environment files, and the settings of frameworks
// (docs/discovery.md lists them). It reads text and runs nothing of the
// project: what only a program could tell is left out, with a note. It opens
// no database, and it does not look for SQLite files (tools/db does).
//
//	files below the root ──reader of each kind──▶ candidates ─┬─▶ connections
//	        └─ .env beside them: what variables stand for     └─▶ notes
//
// Start from [Find]. A new kind of file is a reader: a file of this package,
// a line in readers, a sample in testdata/layouts, and its row in the table.
// Files that are programs are read as expressions (code, language), which
// become the parts of a connection (declared).
//
// Invariants: nothing outside of the root is read, and nothing larger than
// maxBytes; a candidate that cannot be used is a note and hides no other; two
// findings of one server and database are one; no note carries a value of a
// file; variables are those of the project's own files, never the process's,
// so that a repository cannot have a secret of the environment sent to a
// server of its choice.
package discovery
