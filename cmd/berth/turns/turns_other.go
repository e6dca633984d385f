//go:build !linux

package turns

// AskForShort does nothing: macOS and Windows favor programs that mostly
// wait by themselves, or by a priority that takes a right.
func AskForShort() {}
