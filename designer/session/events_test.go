package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drain reads what a subscriber has pending.
func drain(ch <-chan Event) []Event {
	var list []Event
	for {
		select {
		case e, open := <-ch:
			if !open {
				return list
			}
			list = append(list, e)
		default:
			return list
		}
	}
}

func seqs(events []Event) []uint64 {
	var list []uint64
	for _, e := range events {
		list = append(list, e.Seq)
	}
	return list
}

func TestASubscriberResumesWhereItStopped(t *testing.T) {
	const restored, published = 5000, keptEvents + 10
	const last = restored + published
	cases := map[string]struct {
		after uint64
		reset bool
		first uint64 // number of the first event
		count int
	}{
		"from the newest: nothing yet":     {after: last},
		"from one before: one event":       {after: last - 1, first: last, count: 1},
		"from the oldest kept: all kept":   {after: last - keptEvents, first: last - keptEvents + 1, count: keptEvents},
		"from one no longer kept: a reset": {after: last - keptEvents - 1, reset: true, first: last, count: 1},
		"from the beginning: a reset":      {after: 0, reset: true, first: last, count: 1},
		"from the future: a reset":         {after: last + 1, reset: true, first: last, count: 1},
		"from the far future: a reset":     {after: ^uint64(0), reset: true, first: last, count: 1},
		"from before the restart: a reset": {after: restored - 1, reset: true, first: last, count: 1},
	}
	h := newHub(restored)
	for i := range published {
		h.publish(Event{Seq: restored + 1 + uint64(i), Type: Committed})
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ch, cancel := h.subscribe(c.after)
			defer cancel()
			events := drain(ch)
			require.Len(t, events, c.count)
			if c.count > 0 {
				assert.Equal(t, c.first, events[0].Seq)
				assert.Equal(t, c.reset, events[0].Type == Reset)
			}
		})
	}
}

func TestASubscriberOfAnEmptyHubHearsWhatComes(t *testing.T) {
	h := newHub(0)
	ch, cancel := h.subscribe(0)
	defer cancel()
	h.publish(Event{Seq: 1})
	h.publish(Event{Seq: 2})
	assert.Equal(t, []uint64{1, 2}, seqs(drain(ch)))
}

func TestASlowSubscriberGetsAResetAndHoldsUpNobody(t *testing.T) {
	h := newHub(0)
	slow, cancelSlow := h.subscribe(0)
	defer cancelSlow()
	quick, cancelQuick := h.subscribe(0)
	defer cancelQuick()
	const n = 3 * (keptEvents + pendingEvents)
	for i := range n {
		h.publish(Event{Seq: uint64(i + 1), Type: Committed})
		require.Equal(t, []uint64{uint64(i + 1)}, seqs(drain(quick)))
	}
	events := drain(slow)
	require.NotEmpty(t, events)
	assert.Equal(t, Reset, events[0].Type)
	assert.Equal(t, uint64(n), events[len(events)-1].Seq, "and is up to date after it")
	for i, e := range events[1:] {
		require.Equal(t, events[0].Seq+uint64(i)+1, e.Seq, "nothing is missing after the reset")
	}
}

func TestCancelAndCloseEndSubscriptions(t *testing.T) {
	h := newHub(0)
	ch, cancel := h.subscribe(0)
	cancel()
	cancel()
	_, open := <-ch
	assert.False(t, open)
	ch, cancel = h.subscribe(0)
	h.close()
	cancel()
	_, open = <-ch
	assert.False(t, open)
	ch, _ = h.subscribe(0)
	_, open = <-ch
	assert.False(t, open, "a closed hub has nothing to say")
}
