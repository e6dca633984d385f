// Package postgres is the designer's engine for PostgreSQL: [Dialect] is what
// validation has to know, [Inspect] reads a database into a
// [designer.Definition], and [Engine] plans, tries and makes changes. It
// opens nothing but a scratch database of its own; the caller brings the
// pool, of the driver pgx.
//
// Inspect asks the catalogue a fixed number of times, whatever the number of
// tables, in one read-only snapshot with settings of its own, so that two
// readers get the same text. Names in SQL text are fully qualified.
//
// A plan is one transaction. Its order, see planner:
//
//	schemas ─ drop what is in the way ─ make and change types ─ alter columns ─
//	put views back ─ rename ─ create and add ─ put the rest back ─ comments ─
//	drop types
//
// so that everything up to the renames uses the old names, and
// everything after them the new ones.
//
// Versions 12 and later are served.
package postgres
