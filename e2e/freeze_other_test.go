//go:build !unix

package e2e

import "testing"

// freeze needs SIGSTOP.
func freeze(t *testing.T, _ *instance) {
	t.Helper()
	missing(t, "a signal that stops a process without ending it")
}
