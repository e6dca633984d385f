// Package dbml writes a design in DBML, the language of dbdiagram.io, and
// reads files of it (https://dbml.dbdiagram.io/docs, read July 2026). It is
// not for keeping a design: DBML has no word for collations, computed
// columns, partial indexes, views and much else. What it cannot say is in
// comments beside what it can.
//
// Start from [Render] and [Parse]:
//
//	Schema ─Render─▶ text ─Parse─▶ Definition ─designer.Build─▶ Schema
//	                   │ lex         ▲ resolve
//	                   └──▶ file ────┘   names, types, partials
//
// Invariants:
//
//   - Rendering what was parsed from a rendering gives the same text, comments
//     aside.
//   - Text from outside is bounded before it is looked at; no text panics.
//   - An error names the line and what was expected there.
package dbml
