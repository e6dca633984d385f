//go:build !unix

package e2e

// envThief has the test binary act as another user, on systems with uids.
const envThief = "BERTH_TEST_THIEF"

func thieve([]string) {}
