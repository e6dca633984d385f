//go:build !unix

package driver

import "os"

// writableFile goes by the file's read-only attribute.
func writableFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 != 0
}
