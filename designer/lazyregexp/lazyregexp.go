// Package lazyregexp puts the compiling of regular expressions off until they
// are used: those of all packages together are a fifth of what "berth mcp" takes
// to start, which uses none of them.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a function that returns the expression, compiled at its first
// call. The program of a test compiles it at once, so that one that is wrong is
// found by any test of its package; New panics then, as [regexp.MustCompile].
func New(expr string) func() *regexp.Regexp {
	get := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	if isTest(os.Args) {
		get()
	}
	return get
}

func isTest(args []string) bool {
	return len(args) > 0 && strings.HasSuffix(strings.TrimSuffix(args[0], ".exe"), ".test")
}
