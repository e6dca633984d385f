package readonly

import (
	"slices"
	"strings"
)

// A question about several names has a slot for each, and is one of a few
// fixed texts: the number of its slots is a power of two. What is left over
// asks for the last name again.

// maxSlots bounds the slots of one question: servers take some 2,000.
const maxSlots = 512

// slots returns how many slots n names take; 0: none.
func slots(n int) int {
	size := min(n, 1)
	for size < n {
		size *= 2
	}
	return size
}

// filled fills up names to their slots.
func filled[T any](names []T) []T {
	n := slots(len(names))
	for names = slices.Clip(names); len(names) < n; {
		names = append(names, names[len(names)-1])
	}
	return names
}

// repeated writes a part of a question n times.
func repeated(part, between string, n int) string {
	return strings.TrimSuffix(strings.Repeat(part+between, n), between)
}
