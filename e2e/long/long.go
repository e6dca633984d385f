// Package long decides how long a test runs that could run for hours: kill
// rounds, soaks, attacks, races with other programs.
//
// Each such test has two lengths. The short one is part of .ci/run, and a
// quarter of its rounds of "go test ./...": it takes seconds and its dice start at a
// fixed seed, so the same commit does the same thing. The long one runs under
// .ci/long, which sets BERTH_TEST_LONG, and starts at a random seed. A test
// that fails logs its seed; BERTH_TEST_SEED repeats it.
//
//	for range long.Rounds(15, 200) {
//		...
//	}
package long

import (
	"cmp"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/berth-dev/berth/e2e/needs"
)

// On reports whether tests run at full length: BERTH_TEST_LONG is set and not
// empty.
func On() bool { return os.Getenv("BERTH_TEST_LONG") != "" }

// newcomers is the part of the short length that "go test ./..." plays, which
// has to end within minutes.
const newcomers = 4

// Rounds is short, or full where tests run at full length, or a quarter of
// short, and at least one, where they are not thorough.
func Rounds(short, full int) int {
	switch {
	case On():
		return full
	case Thorough():
		return short
	}
	return (short + newcomers - 1) / newcomers
}

// For is short, or full where tests run at full length.
func For(short, full time.Duration) time.Duration {
	if On() {
		return full
	}
	return short
}

// Thorough reports whether tests play all of their cases: BERTH_TEST_REQUIRE
// is "all", tests run at full length, or -run names those that somebody wants.
func Thorough() bool {
	return On() || needs.Everything() || Named()
}

// Named reports whether -run names the tests that somebody wants.
func Named() bool {
	run := flag.Lookup("test.run") // nil in a program that is no test
	return run != nil && run.Value.String() != ""
}

// Thoroughly skips a test that takes long, unless tests are thorough: what a
// newcomer types, go test ./..., has to end within minutes.
func Thoroughly(t testing.TB) {
	t.Helper()
	if !Thorough() {
		t.Skip("BERTH_TEST_REQUIRE=all, BERTH_TEST_LONG=1 or -run plays it")
	}
}

// Sample is n of the cases in their order, drawn by [Dice], or all of them
// where tests are thorough. It logs how many it leaves out.
func Sample[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	if Thorough() || n >= len(all) {
		return all
	}
	chosen := Dice(t).Perm(len(all))[:n]
	slices.Sort(chosen)
	some := make([]T, 0, n)
	for _, i := range chosen {
		some = append(some, all[i])
	}
	t.Logf("%d of %d cases; BERTH_TEST_REQUIRE=all or BERTH_TEST_LONG=1 plays them all", n, len(all))
	return some
}

// Some is [Sample] of a map.
func Some[K cmp.Ordered, V any](t testing.TB, n int, all map[K]V) map[K]V {
	t.Helper()
	some := map[K]V{}
	for _, name := range Sample(t, n, slices.Sorted(maps.Keys(all))) {
		some[name] = all[name]
	}
	return some
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

// Check is [rapid.Check] with the dice of [Dice]: at the short length the same
// commit draws the same values, and where tests are not thorough a quarter as
// many. The flags -rapid.seed and -rapid.checks go before.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		n := Dice(t).Uint64() | 1 // to rapid, 0 is none
		if err := seed.Value.Set(strconv.FormatUint(n, 10)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = seed.Value.Set("0") }()
	}
	if checks := flag.Lookup("rapid.checks"); !Thorough() && checks.Value.String() == checks.DefValue {
		n, err := strconv.Atoi(checks.DefValue)
		if err == nil {
			err = checks.Value.Set(strconv.Itoa((n + newcomers - 1) / newcomers))
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = checks.Value.Set(checks.DefValue) }()
	}
	rapid.Check(t, property)
}
