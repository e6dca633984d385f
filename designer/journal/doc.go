// Package journal is the history of a design that several instances share: one
// sequence of entries, in which place n+1 belongs to the first entry that a
// broker put there. It says what an entry, a position and an outcome are, and
// checks a whole history. How entries reach a broker is designer/journal/stream;
// what they mean is designer/session.
//
//	instance ─ Append(after n, id, body) ─▶ broker ─▶ n+1 is this entry, or another
//	every instance ◀─ Follow(after n) ──────┘
//
// Start with [Journal], then [Check].
//
// Invariants:
//
//   - An entry names the one before it by its hash: two entries are the same
//     only if everything before them is.
//   - An Append ends as committed, lost, refused or unknown. Unknown is not an
//     error that may be repeated with another id: the entry may be in the
//     journal, or may still get there.
package journal
