//go:build !unix

package tree

import "os"

// nonblock: no flag is needed where opening a file never waits for another
// process.
const nonblock = 0

// openFolder opens the root for a walk.
func openFolder(root *os.Root) (folder, error) { return openRooted(root) }
