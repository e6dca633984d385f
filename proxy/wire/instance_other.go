//go:build !unix

package wire

import "io/fs"

// checkPrivate has nothing to check: the per-user directory is private by its
// access list, which mode bits do not show.
func checkPrivate(fs.FileInfo) error { return nil }
