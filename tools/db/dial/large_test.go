package dial

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneLargeRowIsReadAtATime(t *testing.T) {
	const moment, forEver = 30 * time.Millisecond, time.Hour
	var first, second largeGate
	require.NoError(t, first.passWithin(forEver))
	require.NoError(t, first.passWithin(forEver), "the next part of the same row")

	require.NoError(t, second.passWithin(moment), "beside it, in the end")
	assert.False(t, second.passed.Load())
	require.NoError(t, second.passWithin(forEver), "who gave up does not wait again for each part of the row")
	second.used()

	past := time.Now().Add(-time.Second)
	second.deadline.Store(&past)
	require.ErrorIs(t, second.passWithin(forEver), os.ErrDeadlineExceeded)
	second.deadline.Store(&time.Time{})
	second.closed.Store(true)
	require.ErrorIs(t, second.passWithin(forEver), net.ErrClosed)
	second.closed.Store(false)

	first.coming.Store(true)
	first.used()
	assert.True(t, first.passed.Load(), "what was used came before the row")
	first.coming.Store(false)
	first.used()
	require.NoError(t, second.passWithin(forEver))
	assert.True(t, second.passed.Load())
	second.leave()
}
