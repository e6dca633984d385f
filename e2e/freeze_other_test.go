//go:build !unix

package e2e

import (
	"testing"

	"github.com/berth-dev/berth/e2e/needs"
)

// freeze needs SIGSTOP.
func freeze(t *testing.T, _ *instance) {
	t.Helper()
	needs.Missing(t, "SIGSTOP", "nothing here stops a process without ending it")
}

func thaw(*testing.T, *instance) {}
