package instance_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
)

func TestAnInstanceFileThatIsRemovedComesBack(t *testing.T) {
	t.Parallel()
	r := start(t)
	require.NoError(t, os.Remove(r.config.InstanceFile))
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		again, err := wire.ReadInstance(r.config.InstanceFile)
		require.NoError(c, err)
		assert.Equal(c, r.self, again)
	}, patience, 10*time.Millisecond)
	r.stop()
	r.wait()
	assert.NoFileExists(t, r.config.InstanceFile, "it goes with the instance all the same")
}

func TestAnInstanceFileThatOthersMayReadIsNotReplaced(t *testing.T) {
	t.Parallel()
	var tended atomic.Int32
	r := start(t, func(c *instance.Config) {
		c.KeepReachable = func(context.Context) error { tended.Add(1); return nil }
	})
	require.NoError(t, os.WriteFile(r.config.InstanceFile, []byte("{}"), 0o600))
	seen := tended.Load()
	require.Eventually(t, func() bool { return tended.Load() > seen+1 }, patience, 10*time.Millisecond)
	text, err := os.ReadFile(r.config.InstanceFile)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(text))
}

func TestAnInstanceThatLostItsPlaceEnds(t *testing.T) {
	t.Parallel()
	r := start(t, func(c *instance.Config) {
		c.KeepReachable = func(context.Context) error { return errors.New("another serves the project") }
	})
	end := r.wait()
	assert.Equal(t, instance.Failed, end.outcome)
	require.ErrorContains(t, end.err, "another serves the project")
	assert.NoFileExists(t, r.config.InstanceFile)
}
