// Package long decides how long a test runs that could run for hours: kill
// rounds, soaks, attacks, races with other programs.
//
// Each such test has two lengths. The short one is part of "go test ./..."
// and of .ci/run, so it takes seconds and its dice start at a fixed seed: the
// same commit does the same thing. The long one runs under .ci/long, which
// sets BERTH_TEST_LONG, and starts at a random seed. A test that fails logs
// its seed; BERTH_TEST_SEED repeats it.
//
//	for range long.Rounds(15, 200) {
//		...
//	}
package long

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// On reports whether tests run at full length: BERTH_TEST_LONG is set and not
// empty.
func On() bool { return os.Getenv("BERTH_TEST_LONG") != "" }

// Rounds is short, or full where tests run at full length.
func Rounds(short, full int) int {
	if On() {
		return full
	}
	return short
}

// For is short, or full where tests run at full length.
func For(short, full time.Duration) time.Duration {
	if On() {
		return full
	}
	return short
}

// Dice are the test's random numbers. They start at BERTH_TEST_SEED where that
// is a number, at a random seed where tests run at full length, else at 1. The
// seed is logged, so that a failure can be repeated.
func Dice(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("BERTH_TEST_SEED"), 10, 64); err == nil {
		seed = n
	} else if On() {
		seed = rand.Uint64()
	}
	t.Logf("run again with BERTH_TEST_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
