// Package designs keeps a readable copy of each design in the project, to be
// read, compared and committed, and takes over what comes into it from
// outside: a git pull, an edit by hand. The state that berth works on is the
// session's; these files are a second way in and out of it. It is not for the
// pages' layout, which lies beside in a file of its own that this package
// leaves alone, nor for what a database has beside tables.
//
// Start from [Keep]. The files, for a connection called main:
//
//	.berth/designs/main.json           the design, one property a line
//	.berth/designs/main.layout.json    where tables stand on the page; not read, not written
//	.berth/designs/main.rejected.json  text that was refused and had to make way
//
// One goroutine decides what goes which way:
//
//	session events ──▶ debounce ──▶ save: design ──▶ file
//	changes of the folder ─▶ settle ─▶ look: file ──▶ session.Designer.Import
//
// Invariants:
//
//   - A file is only written over where its content is berth's own, or says
//     the same, or is kept as .rejected.json: what others wrote is never lost.
//   - What comes in comes in as one batch, or is refused whole with a reason;
//     a refused file stays as it is until it is mended or the design changes.
//   - Whose a file's content is, is known by its hash, kept beside the
//     session's state: decision 0019.
//   - Nothing is written or read outside the project's root.
package designs
