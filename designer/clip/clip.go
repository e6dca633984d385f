// Package clip shortens text for messages: a caller's own long input is never
// repeated whole. It knows nothing of what the text means and does not make it
// safe to show (tools/visible does).
//
// Start with [Text], or with [Quote] for a name in a message. Invariant: valid UTF-8 stays valid, since no character is
// cut in two.
package clip

import "unicode/utf8"

// Text returns s if it has at most limit bytes, else as much of its start as
// fits and "…".
func Text(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Prefix(s, limit) + "…"
}

// Prefix returns as many whole characters of the start of s as fit into limit
// bytes.
func Prefix(s string, limit int) string { return s[:Boundary(s, limit)] }

// Boundary returns the last start of a character of s at or before byte at, or
// len(s) where at lies behind the end. In bytes that are not UTF-8 it is at.
func Boundary(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	for i := at; i >= 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return max(at, 0)
}
