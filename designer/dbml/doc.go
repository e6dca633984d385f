// Package dbml writes a design in DBML, the language of dbdiagram.io, and reads
// files of it (https://dbml.dbdiagram.io/docs, read July 2026). It is not for
// keeping a design: DBML has no syntax for collations, computed columns,
// partial indexes, views and much else. What it cannot express is written as
// comments.
//
// Start with [Render] and [Parse]:
//
//	Schema ─Render─▶ text ─Parse─▶ Definition ─designer.Build─▶ Schema
//	                   │ lex         ▲ resolve
//	                   └──▶ file ────┘   names, types, partials
//
// Invariants:
//
//   - Rendering what was parsed from a rendering gives the same text, except
//     for comments.
//   - Input is bounded before it is parsed; no input causes a panic.
//   - An error names the line and what was expected there.
package dbml
