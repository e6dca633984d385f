// Package merge joins a design with a database that has changed meanwhile, and
// takes changes out of the middle of a design's history. It compares three
// states of one schema part by part: a common base, the design, and the
// database. It reads no database and keeps nothing.
//
//	base ──┬─▶ design   ─┐
//	       └─▶ database ─┴▶ Schemas ─▶ Result: the design, its new base, conflicts
//	undo and redo steps ─▶ Rebase.Change ─▶ the same steps on the new base
//	earlier steps ───────▶ Revert ─▶ a change that takes them out
//
// Start from [Schemas]; [Definition] is for a database just read.
//
// Invariants: the same object has the same id in all three states, and shared
// names get one (ids.go); of what only one side changed, that side stands; what
// both changed differently is a [Conflict] and stays as in the design until a
// side is chosen; the three states are only read, but for the design that Revert
// changes.
package merge
