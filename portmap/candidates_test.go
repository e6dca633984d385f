package portmap

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The order in which ports are tried, from a map and reservations that are
// there already. Ports are counted from the first one of the span.
func TestTheOrderInWhichPortsAreTried(t *testing.T) {
	const span = 4
	type ports map[string]int
	cases := map[string]struct {
		entries, reserved ports
		foreign           []int // held by processes that know nothing of berth
		want              int   // -1: none is free
	}{
		"nothing is known: the first":                    {want: 0},
		"a foreign listener on the first port: the next": {foreign: []int{0}, want: 1},
		"foreign listeners in a row: the first gap":      {foreign: []int{0, 1, 3}, want: 2},
		"its own entry": {entries: ports{"me": 2}, want: 2},
		"its own entry before its own reservation":           {entries: ports{"me": 2}, reserved: ports{"me": 3}, want: 2},
		"its own reservation":                                {reserved: ports{"me": 3}, want: 3},
		"its entry's port is taken: its reservation":         {entries: ports{"me": 2}, reserved: ports{"me": 3}, foreign: []int{2}, want: 3},
		"its reservation's port is taken: the first":         {reserved: ports{"me": 3}, foreign: []int{3}, want: 0},
		"its reservation is by now another project's entry":  {entries: ports{"a": 3}, reserved: ports{"me": 3}, want: 0},
		"its reservation is another project's too: its own":  {reserved: ports{"me": 3, "a": 3}, want: 3},
		"the entry of a crashed project is left to it":       {entries: ports{"a": 0}, want: 1},
		"a port reserved for another is not taken":           {reserved: ports{"a": 0}, want: 1},
		"reserved for others, when nothing else is free":     {reserved: ports{"a": 0, "b": 2}, foreign: []int{1, 3}, want: 0},
		"reserved for others and taken: the other reserved":  {reserved: ports{"a": 0, "b": 2}, foreign: []int{0, 1, 3}, want: 2},
		"all ports are other projects', running or not":      {entries: ports{"a": 0, "b": 1, "c": 2, "d": 3}, want: -1},
		"all ports are taken":                                {foreign: []int{0, 1, 2, 3}, want: -1},
		"its own entry outside of the range is used":         {entries: ports{"me": span}, want: span},
		"its own entry is named by another entry too":        {entries: ports{"me": 1, "a": 1}, want: 1},
		"all are other projects' but the one that it has":    {entries: ports{"a": 0, "b": 1, "c": 2, "me": 3}, want: 3},
		"it has one, taken, and the rest is other projects'": {entries: ports{"a": 0, "b": 1, "c": 2, "me": 3}, foreign: []int{3}, want: -1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, span+1)
			s.opts.LastPort--
			first, projects := s.opts.FirstPort, t.TempDir()
			root := func(name string) string { return filepath.Join(projects, name) }
			l := &ledger{entries: map[string]int{}, reserved: map[string]reservation{}}
			for name, port := range tc.entries {
				l.entries[root(name)] = first + port
			}
			for name, port := range tc.reserved {
				l.reserve(root(name), first+port, time.Now(), 10)
			}
			require.NoError(t, os.MkdirAll(s.dir(), 0o700))
			writeLedger(t, s, l)
			for _, port := range tc.foreign {
				occupy(t, first+port)
			}
			before := entries(t, s)

			c, err := s.Claim(t.Context(), root("me"))
			if tc.want < 0 {
				require.ErrorIs(t, err, ErrNoFreePort)
				assert.Nil(t, c)
				assert.Equal(t, before, entries(t, s), "a claim that failed changed the map")
				return
			}
			require.NoError(t, err)
			defer c.Listener.Close()
			assert.Equal(t, tc.want, c.Port-first)
			after := entries(t, s)
			assert.Equal(t, c.Port, after[root("me")])
			assertDistinct(t, after)
		})
	}
}
