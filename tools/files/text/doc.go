// Package text handles the content of files for the file tools: version, line
// endings and encoding, finding and applying edits, and comparing two contents.
// It does no I/O.
//
//	content ─▶ Inspect ─▶ Info
//	content ─┐
//	edits ───┴▶ Apply ─▶ Applied ─▶ Compare ─▶ Diff
//
// Start with [Inspect] and [Apply]. Invariants: line breaks are matched
// whatever their kind and written in the file's own; bytes outside the edited
// ranges are unchanged; an error never repeats the caller's text.
package text
