// Package version names the content of a file: what a reader saw, and what an
// edit is held against. It does no I/O; tools/files and tools/files/search
// share it so that a hit can be edited without another read.
package version

import (
	"crypto/sha256"
	"encoding/base64"
)

// Of is the version of a whole file's content: the first 128 bits of its
// SHA-256 in base64url without padding, 22 characters. Empty content has a
// version like any other.
func Of(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
