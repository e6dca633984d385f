// Package designer holds the model of a database schema that is being
// designed, the edits it takes and the rules they have to keep. It is the
// only place where a design changes: the agent's edits, the page's, undo,
// redo and a re-read of the database all go through [Schema].
//
// It is pure: no files, no database, no clock, no locks. Storing a design,
// serving several callers and telling the pages is designer/session's work;
// what one kind of database allows is data in a [Dialect].
//
// Start from [Schema]. The way of an edit:
//
//	JSON ─edits.Decode─▶ Edit ─Schema.Apply─▶ Change ─Summarize─▶ Changes (the receipt)
//	                             │             │
//	                             │             └─ Undo / Redo, the journal
//	                             └─ Version
//
// Inside of Apply it goes through four steps once, each in the files of its
// name, and never back:
//
//	resolve_*.go             names → objects; what is not found is kept for check to report
//	write_*.go, complete_*   copies of the tables as the edit wants them, and what follows from
//	                         that by itself: names, indexes of keys, types' defaults; cannot fail
//	check_*.go               may it be so? reads before and after; a test proves that it only reads
//	commit                   the copies take the tables' places
//
// keys.go, names.go and types.go hold the facts that several steps ask for.
//
// Invariants, checked by [Schema.Check]:
//
//   - A [Table] in a Schema is never modified; an edit replaces it by a copy.
//   - A refused edit leaves no trace.
//   - Undoing a [Change] puts back the very tables that were there before.
//   - The version depends on names and properties only, never on ids, order
//     or the path that led to the schema, and is kept up to date from the
//     changed tables alone: an edit costs the same on ten tables and on ten
//     thousand.
//   - What a database holds can be read, even where an edit could not make
//     it: names that differ in case only, types the dialect does not know,
//     keys to tables that do not exist. Rules apply to what an edit changes.
package designer
