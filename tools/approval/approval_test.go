package approval_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

func TestAnAnswerIsGoodForWhatWasAskedOnceAndForTenMinutes(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	asker, err := approval.New(clock)
	require.NoError(t, err)
	other, err := approval.New(clock)
	require.NoError(t, err)
	const yes, no = `{"confirm":{"action":"accept"}}`, `{"confirm":{"action":"decline"}}`
	for name, tt := range map[string]struct {
		asker   *approval.Asker
		bound   string
		answers string
		after   time.Duration
		problem string
	}{
		"a yes":                     {asker, "drop t", yes, 9 * time.Minute, ""},
		"a no":                      {asker, "drop t", no, 0, "a person declined this"},
		"a dismissal":               {asker, "drop t", `{"confirm":{"action":"cancel"}}`, 0, "was not answered"},
		"no answer":                 {asker, "drop t", ``, 0, "was not answered"},
		"an answer to another":      {asker, "drop t", `{"ok":{"action":"accept"}}`, 0, "was not answered"},
		"an answer that is none":    {asker, "drop t", `[]`, 0, "cannot be read"},
		"a yes to something else":   {asker, "drop u", yes, 0, "is not the one that was asked about"},
		"a yes that comes too late": {asker, "drop t", yes, 11 * time.Minute, "after ten minutes"},
		"a yes to another process":  {other, "drop t", yes, 0, "its state is not ours"},
	} {
		t.Run(name, func(t *testing.T) {
			now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			ask, err := asker.Ask([]byte("drop t"), "Drop t?")
			require.NoError(t, err)
			now = now.Add(tt.after)
			call := tools.Call{State: ask.State, Answers: json.RawMessage(tt.answers)}
			err = tt.asker.Check(call, []byte(tt.bound))
			if tt.problem != "" {
				assert.ErrorContains(t, err, tt.problem)
				return
			}
			require.NoError(t, err)
			assert.ErrorContains(t, asker.Check(call, []byte(tt.bound)), "used before")
		})
	}
}

func TestTheQuestionIsAForm(t *testing.T) {
	asker, err := approval.New(nil)
	require.NoError(t, err)
	ask, err := asker.Ask(nil, "Drop \"t\"?")
	require.NoError(t, err)
	assert.JSONEq(t, `{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"Drop \"t\"?","requestedSchema":{"type":"object","properties":{}}}}}`, string(ask.Requests))
	assert.NotContains(t, ask.State, "Drop")
}
