package approval_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/clock"
	"github.com/berth-dev/berth/tools/approval"
)

// A person or a time server sets the machine's clock while questions are open.
func TestAClockThatIsSetNeitherEndsNorRenewsAQuestion(t *testing.T) {
	var c clock.Clock
	b := newBench(t)
	var err error
	b.Ledger, err = approval.New(approval.Options{Now: c.Now})
	require.NoError(t, err)
	asked := func() (state string) {
		call, plan := dropT(true)
		return b.decide(call, plan).Ask.State
	}
	answered := func(state string) approval.Decision {
		call, plan := dropT(true)
		call.State, call.Answers = state, json.RawMessage(yes)
		return b.decide(call, plan)
	}
	used, open := asked(), asked()
	require.True(t, answered(used).Allowed)
	waiting, plan := dropT(false)
	filed := b.decide(waiting, plan).Refused.PlanID

	c.Set(time.Hour)
	assert.True(t, answered(open).Allowed, "set ahead: the answer came within ten minutes")
	require.True(t, answered(asked()).Allowed)
	require.Equal(t, filed, b.List()[0].ID)
	assert.Equal(t, approval.Pending, b.List()[0].State)

	c.Set(0)
	got := answered(used)
	require.False(t, got.Allowed, "set back: what was used is used")
	assert.Contains(t, got.Refused.Message, "used before")
	late := asked()
	c.Set(-24 * time.Hour)
	assert.True(t, answered(late).Allowed)
}
