// Package rowedit makes the statements with which a person's changes of rows
// are written: one for each row, its key and the values that were read in the
// WHERE. It knows no connection and runs nothing.
//
//	Changes + the table as the database has it ─▶ [Plan] ─▶ [Statement]: a text and its values
//
// Start from [Changes]. Invariants: a name is in the text as a quoted
// identifier and is one that the database has; a value is never in the text,
// only in what a person is shown of it; a statement that finds another row than
// the one that was read finds none.
package rowedit
