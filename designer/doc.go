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
//	JSON ─DecodeEdits─▶ Edit ─Schema.Apply─▶ Change ─Summarize─▶ Changes (the receipt)
//	                             │             │
//	                             │             └─ Undo / Redo, the journal
//	                             └─ Version
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
