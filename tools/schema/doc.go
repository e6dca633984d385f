// Package schema answers the tool mssql_schema_designer: it reads a call
// strictly, finds the design it means, has package session do the work and
// words a reply that stays small however large the schema is. It is not for
// what an edit means (designer), nor for the order and the durability of
// changes (designer/session), nor for the wire.
//
// Start from [Tool]: New, then Handle for each call. An operation is a file.
//
//	arguments ─decodeRequest─▶ request ─the operation─▶ reply │ failure ─▶ JSON
//	                                       │
//	                              session.Manager, Designer
//
// Invariants:
//
//   - A reply is compact JSON in the order of the tool contract, of at most 32
//     KB; a receipt or an error of at most 4 KB, save that stale_state carries
//     an overview, which follows the overview's own rule.
//   - A receipt and an error never hold the schema.
//   - What went wrong inside goes to the log; the reply says what to do.
//   - Nothing changes before the call is known to be well-formed, meant for
//     this database and based on its current version, in this order, and
//     allowed by a person where the setting designer.confirm asks for one.
//
// Decisions where the contract leaves room:
//
//   - dataType is the bare type in every reply; maxLength, precision and scale
//     stand beside it in get_table where the column has them.
//   - Foreign key actions are written as words, "onDeleteAction":"cascade",
//     with the shipped tool's number beside it, "onDeleteActionCode":0;
//     restrict has no number and so no code.
//   - The overview's threshold counts the tables that options.pattern selects,
//     so that a large schema can be read in parts. Where columns are left out,
//     by the threshold or on request, columnsOmitted is true and an entry has
//     columnCount and, unless it is 0, foreignKeyCount.
//   - total and nextOffset appear where a page was asked for or is needed.
//   - The receipt of undo and redo counts undoneEdits or redoneEdits.
package schema
