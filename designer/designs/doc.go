// Package designs keeps a readable copy of each design in the project, to be
// read, compared and committed, and imports changes of these files from
// outside: a git pull, an edit by hand. The canonical state is the session's.
// The package does not handle the page's layout, which is in a file beside the
// design's, nor database objects other than tables.
//
// Start with [Keep]. The files, for a connection called main:
//
//	.berth/designs/main.json           the design, one property a line
//	.berth/designs/main.layout.json    where tables stand on the page; not read, not written
//	.berth/designs/main.rejected.json  text that was refused and had to make way
//
// One goroutine decides in which direction to copy:
//
//	session events ──▶ debounce ──▶ save: design ──▶ file
//	changes of the folder ─▶ settle ─▶ look: file ──▶ session.Designer.Import
//
// Invariants:
//
//   - A file is overwritten only if its content is berth's own or equivalent,
//     or is kept as .rejected.json: what others wrote is never lost.
//   - A file is imported as one batch or refused as a whole with a reason; a
//     refused file stays as it is until it is corrected or the design changes.
//   - Whether a file's content is berth's own is determined by its hash, stored
//     beside the session's state: decision 0019.
//   - Nothing is written or read outside the project's root.
package designs
