// Package convert maps a design of one dialect to another: types by what they
// hold, defaults, checks and formulas as far as they mean the same, names as
// far as they fit. It is not for rendering SQL, which is the work of the other
// dialect's package, and it converts no rows.
//
// Start from [Convert]:
//
//	Schema ─names─▶ ─types─▶ ─expressions─▶ ─keys─▶ Definition of the other dialect
//	                                  │
//	                                  └─▶ notes: what is lost or otherwise, and where
//
// Invariants:
//
//   - Whatever is not carried over, or not as it was, is in a note that names
//     the table and the column, key or index.
//   - The result builds with designer.Build, and what it says the other
//     database can make.
//   - SQL text is taken over only as a whole: identifiers, literals and the
//     operators and functions that mean the same on both sides. Nothing is
//     passed on that was not understood.
package convert
