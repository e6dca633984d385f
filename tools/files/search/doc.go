// Package search finds text in a project's files: a literal, case-blind unless
// asked otherwise, or a regular expression. [Search] scans the tree that
// tools/files/tree walks, with a worker per processor and no index, so that
// results are never stale.
//
// Each worker reads one file at a time into a buffer of its own, so memory is
// bounded by workers × [MaxFile]. The hits returned are the first by path and
// position, whichever worker found them; the totals count all of them.
//
// The package knows nothing about tools, replies or approval; see tools/files.
package search
