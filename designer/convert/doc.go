// Package convert maps a design of one dialect to another: types by the values
// they hold, defaults, checks and formulas if they mean the same, names if they
// fit. It does not render SQL, which the other dialect's package does, and it
// converts no rows.
//
// Start with [Convert]:
//
//	Schema ─names─▶ ─types─▶ ─expressions─▶ ─keys─▶ Definition of the other dialect
//	                                  │
//	                                  └─▶ notes: what is lost or otherwise, and where
//
// Invariants:
//
//   - Whatever is left out or changed is in a note that names the table and the
//     column, key or index.
//   - The result builds with designer.Build, and the other database supports
//     it.
//   - SQL text is converted only if all of it is understood: identifiers,
//     literals and the operators and functions that mean the same on both
//     sides.
package convert
