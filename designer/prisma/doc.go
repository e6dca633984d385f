// Package prisma reads and writes designs as Prisma schemas
// (https://www.prisma.io/docs/orm/reference/prisma-schema-reference, read
// November 2026). It is not for keeping a design: a Prisma schema has no syntax
// for checks, computed columns, partial indexes, views' queries and much else.
//
// Start with [Render] and [Parse]; [Provider] returns which database a schema is
// for:
//
//	Schema ─Render─▶ text ─Parse─▶ Definition ─designer.Build─▶ Schema
//	                   │ lex, parse  ▲ resolve
//	                   └──▶ file ────┘  types, keys, relations, enums
//
// A schema is read as what Prisma's own migrations make of it: the types that
// stand for a scalar, the names of keys and indexes, the actions of foreign keys,
// the tables of relations of many to many.
//
// Invariants:
//
//   - What cannot be read of one field or attribute leaves the rest, and is in a
//     note with its line. A text that is no Prisma schema is an error with its
//     place.
//   - What cannot be written is in a note, and in the text as a comment.
//   - Nothing panics, whatever the text.
package prisma
