//go:build !linux

package cli

// askForShortTurns does nothing: macOS and Windows favor programs that mostly
// wait by themselves, or by a priority that takes a right.
func askForShortTurns() {}
