//go:build !unix

package dial

// nonBlocking is 0 where opening a file does not wait.
const nonBlocking = 0
