// Package browse makes the queries with which a person looks at a table's rows:
// sorted, filtered, a page at a time, counted. It knows no database and runs
// nothing.
//
//	Request ─▶ [Request.Rows], [Request.Count] ─▶ [Statement]: a text and its values
//
// Start from [Request]. Invariants: a name is in the text as a quoted
// identifier, behind the table's alias where it is a column's, so that no
// dialect reads one as a text; a value is never in the text.
package browse
