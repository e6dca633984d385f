// Package text is what the file tools know of a file's content: its version,
// line endings and encoding, how edits are found and applied, and how two
// contents differ. It is not for files: it opens nothing.
//
//	content ─▶ Inspect ─▶ Info
//	content ─┐
//	edits ───┴▶ Apply ─▶ Applied ─▶ Compare ─▶ Diff
//
// Start from [Inspect] and [Apply]. Invariants: line breaks are matched
// whatever their kind and written in the file's own; bytes outside the edited
// ranges come out as they went in; an error never repeats the caller's text.
package text
