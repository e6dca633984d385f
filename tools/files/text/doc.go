// Package text is what the file tools know of a file's content: its version,
// line endings and encoding, how edits are found and applied, and how two
// contents differ. It is not for files: it opens nothing.
//
//	content ─▶ Inspect ─▶ Info
//	content ─┐
//	edits ───┴▶ Apply ─▶ Applied ─▶ Compare ─▶ Diff
//
// Start from [Inspect] and [Apply]. Invariants: line breaks are matched
// whatever their kind and written in the file's own; bytes outside the edited
// ranges come out as they went in; an error never repeats the caller's text.
package text

import (
	"crypto/sha256"
	"encoding/base64"
)

// VersionBytes is how much of the digest a version keeps: 128 bits, past any
// chance of two contents with one version.
const VersionBytes = 16

// Version names a content: the first 128 bits of its SHA-256 in base64url, 22
// characters. Contents that differ in one byte differ in their version.
func Version(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:VersionBytes])
}
