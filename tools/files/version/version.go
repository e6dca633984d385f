// Package version computes the version of a file's content, which identifies
// what a reader saw and is compared before an edit. It does no I/O. tools/files
// and tools/files/search share it so that a hit can be edited without reading
// the file again.
package version

import (
	"crypto/sha256"
	"encoding/base64"
)

// Of returns the version of a whole file's content: the first 128 bits of its
// SHA-256 in base64url without padding, 22 characters. Empty content has a
// version, too.
func Of(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
