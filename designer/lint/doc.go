// Package lint looks at a design for what its author will probably regret: a
// table without a key, a foreign key that no index serves, money in a float.
// It is for advice that never blocks; what a design may not be at all is the
// business of package designer, which refuses it.
//
// It is pure: a [designer.Schema] goes in, a list of [Finding] comes out. What
// a server knows of use (rows, scans) is an input, [designer.Statistics], that may be
// missing.
//
//	Schema ─▶ Check ─▶ []Finding ─▶ Prove ─▶ those whose edits the design takes
//
// Start from [Check]; [Rules] describes every rule, and docs/lint.md is printed
// from it. The names are in designer/lint/rule, which settings read too.
//
// A finding has edits only where there is one way to do it that takes nothing
// from any row: an index that is added, a repeated one that is dropped, a type
// that holds all that the old one held. Where a person has to decide what is
// meant, there are none.
package lint
