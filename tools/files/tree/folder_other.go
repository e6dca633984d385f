//go:build !unix

package tree

import "os"

// nonblock is 0: opening a file never blocks here.
const nonblock = 0

// openFolder opens the root for a walk.
func openFolder(root *os.Root) (folder, error) { return openRootFolder(root) }
