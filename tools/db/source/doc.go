// Package source gives the designer its connections: the schema that a database
// has, a mark that changes with it, and the planning, verifying and publishing
// of a design, through the dialect's engine (designer/engine). It also drops
// the scratch databases that a killed process left on a server.
//
//	Sources ─▶ Source ─▶ Read, Mark          through pool's lane of the catalogue
//	              └────▶ Verify, Publish, Load ─▶ pool.Write ─▶ engine.Engine
//	scratch databases: recorded before they are made ─▶ SweepScratch
//
// Start from [New]. A [Source] is what designer/session calls a Database.
//
// Invariants: nothing is written but by [Source.Publish], and by Verify and
// Load in what they undo or drop; a scratch database is recorded before it
// exists, and only one of this project is dropped.
package source
