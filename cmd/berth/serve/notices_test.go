package serve

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/instance"
)

func TestNoticesReachWhoListensBetweenTheEvents(t *testing.T) {
	store, err := session.OpenStore(t.TempDir())
	require.NoError(t, err)
	m, err := session.NewManager(store, session.Options{Dialect: dialect})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	n := newNotices()
	n.Announce(notice{"nobody listens"})
	source := newEventSource(m, n)
	first, end := source.Subscribe(0)
	second, endSecond := source.Subscribe(0)
	t.Cleanup(endSecond)
	n.Announce(notice{noticeApprovals})
	want := instance.Event{Data: []byte(`{"type":"approvals"}`)}
	assert.Equal(t, want, <-first, "without a number: it does not move where a reader resumes")
	assert.Equal(t, want, <-second)
	assert.Equal(t, 2, source.listeners())

	end()
	end()
	assert.Equal(t, 1, source.listeners())
	n.Announce(map[string]any{"type": "file_edited", "path": "a.go", "additions": 1})
	assert.JSONEq(t, `{"type":"file_edited","path":"a.go","additions":1}`, string((<-second).Data))
	_, open := <-first
	assert.False(t, open)
}

func TestANoticeDoesNotOvertakeTheEventsBeforeIt(t *testing.T) {
	for range 100 { // each time another order would be as likely as not
		events, notes := make(chan session.Event, 2), make(chan json.RawMessage, 1)
		events <- session.Event{Seq: 1}
		events <- session.Event{Seq: 2}
		notes <- json.RawMessage(`{}`)
		l := eventSequence{events: events, notes: notes}
		for _, want := range []uint64{1, 2, 0} {
			got, ok := l.next()
			require.True(t, ok)
			require.Equal(t, want, got.Seq)
		}
		close(events)
		_, ok := l.next()
		require.False(t, ok)
	}
}

func TestAReaderThatIsTooSlowForNoticesComesBackForTheLists(t *testing.T) {
	n := newNotices()
	slow, cancel := n.subscribe()
	for range noticeRoom + 1 {
		n.Announce(notice{noticeApprovals})
	}
	seen := 0
	for range slow { // ends, or the reader would never learn that it missed one
		seen++
	}
	assert.Equal(t, noticeRoom, seen)
	cancel()
	n.Announce(notice{noticeApprovals})
}
