//go:build !linux

package e2e

// atTerminal needs a terminal that a test can type at, which is made here on
// Linux alone.
var atTerminal func(s *scene)
