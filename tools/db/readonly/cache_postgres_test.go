package readonly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// known reports whether all names of a query are known to be certain, and has
// the cache hold that they are.
func known(t *testing.T, m *PostgresCache, query string) bool {
	t.Helper()
	p, refusal := ParsePostgres(query, false)
	require.Nil(t, refusal)
	c, ok := NewPostgresReach(nil, m).Certain(p)
	require.True(t, ok)
	if !c.Known {
		m.Held(c, false)
	}
	return c.Known
}

func steady(m *PostgresCache, state string) {
	m.keep(&ambientState{state: state})
	m.keep(&ambientState{state: state})
}

func TestNamesAreKnownByKindAndInOneState(t *testing.T) {
	m := &PostgresCache{}
	steady(m, "1:1:")
	assert.False(t, known(t, m, "SELECT a.upper FROM a"))
	assert.True(t, known(t, m, "SELECT a.upper FROM a WHERE a.upper IS NULL"))
	assert.False(t, known(t, m, "SELECT upper(a.upper) FROM a"), "a column is not what is called")
	assert.True(t, known(t, m, "SELECT upper(a.upper) FROM a"))
	assert.False(t, known(t, m, "SELECT b.upper FROM a, b"), "another table")
	steady(m, "2:2:")
	assert.False(t, known(t, m, "SELECT upper(a.upper) FROM a"), "in another state nothing is known")
	steady(m, "1:1:")
	assert.False(t, known(t, m, "SELECT upper(a.upper) FROM a"), "nor in one that comes again")
}

func TestWhatWasFoundInOneStateIsNotKnownInTheNext(t *testing.T) {
	m := &PostgresCache{}
	steady(m, "1:1:")
	p, _ := ParsePostgres("SELECT * FROM a", false)
	c, ok := NewPostgresReach(nil, m).Certain(p)
	require.True(t, ok)
	steady(m, "2:2:") // another session's, before this one's answer came
	m.Held(c, false)
	assert.False(t, known(t, m, "SELECT * FROM a"))
}

func TestTheCacheIsBounded(t *testing.T) {
	m := &PostgresCache{}
	steady(m, "1:1:")
	for n := range 3 * maxNoted {
		known(t, m, fmt.Sprintf("SELECT * FROM t%d", n))
		require.LessOrEqual(t, len(m.known.certain), maxNoted)
	}
	known(t, m, "SELECT * FROM "+strings.Repeat("x", 1000))
	for name := range m.known.certain {
		require.LessOrEqual(t, len(name), 64)
	}
	many := "SELECT * FROM a0"
	for n := range 2 * maxNoted {
		many += fmt.Sprintf(", a%d", n)
	}
	assert.False(t, known(t, m, many))
	assert.LessOrEqual(t, len(m.known.certain), maxNoted)
}
