package portmap

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheHolderOfALockAsTheSystemTells(t *testing.T) {
	cases := map[string]struct {
		locks string
		want  int
	}{
		"nobody":                      {"", 0},
		"one":                         {"1: FLOCK  ADVISORY  WRITE 42 fe:00:7 0 EOF\n", 42},
		"a file with a similar inode": {"1: FLOCK  ADVISORY  WRITE 42 fe:00:77 0 EOF\n", 0},
		"a lock of another kind":      {"1: POSIX  ADVISORY  WRITE 42 fe:00:7 0 EOF\n", 0},
		"a holder and who waits":      {"1: FLOCK  ADVISORY  WRITE 42 fe:00:7 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 43 fe:00:7 0 EOF\n", 42},
		"only one who waits":          {"1: -> FLOCK  ADVISORY  WRITE 43 fe:00:7 0 EOF\n", 0},
		"the same inode elsewhere":    {"1: FLOCK  ADVISORY  WRITE 41 08:01:7 0 EOF\n2: FLOCK  ADVISORY  WRITE 42 fe:00:7 0 EOF\n", 42},
		"another device, as overlays": {"1: FLOCK  ADVISORY  WRITE 42 00:2b:7 0 EOF\n", 42},
		"two on other devices":        {"1: FLOCK  ADVISORY  WRITE 41 08:01:7 0 EOF\n2: FLOCK  ADVISORY  WRITE 42 00:2b:7 0 EOF\n", 0},
		"a process that is not seen":  {"1: FLOCK  ADVISORY  WRITE 0 fe:00:7 0 EOF\n", 0},
		"a process that is unknown":   {"1: FLOCK  ADVISORY  WRITE -1 fe:00:7 0 EOF\n", 0},
		"lines of another format":     {"lock held by 42\n\n1: FLOCK\n", 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, findHolder(tc.locks, 0xfe, 0, 7))
		})
	}
}
