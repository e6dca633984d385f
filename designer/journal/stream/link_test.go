package stream

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
)

// A link that is held in one direction while an entry is on its way, then cut or
// continued, while another client appends or does not: the outcome is unknown,
// and then decided by what is in the journal. The entry is never there twice.
func TestALinkThatIsHeldAtEachStep(t *testing.T) {
	t.Parallel()
	for _, held := range []broker.Direction{broker.Requests, broker.Answers} {
		for _, cut := range []bool{false, true} {
			for _, raced := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, cut %t, raced %t", held, cut, raced), (&heldEntry{held, cut, raced}).run)
			}
		}
	}
}

// heldEntry is one entry that ann appends through a link, and what happens to
// the link and beside it.
type heldEntry struct {
	direction  broker.Direction
	cut, raced bool
}

func (h *heldEntry) run(t *testing.T) {
	b := broker.Start(t)
	link := broker.NewLink(t, b)
	j := create(t, dial(t, link.URL, "ann"))
	ben, err := dial(t, b.URL, "ben").Open(ctx, "shop")
	require.NoError(t, err)
	after := end(t, j)
	told := []journal.Told{}

	link.Hold(h.direction)
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err = j.Append(short, after, "ann's", []byte("edit"))
	var unknown *journal.UnknownError
	require.ErrorAs(t, err, &unknown, "there was no answer")
	if h.raced {
		at, err := ben.Append(ctx, end(t, ben), "ben's", []byte("another"))
		require.NoError(t, err)
		told = append(told, journal.Told{Client: "ben", ID: "ben's", Outcome: journal.Committed, At: at})
	}
	if h.cut {
		link.Cut()
		require.Eventually(t, func() bool { return !j.Reach().Connected }, patience, time.Millisecond)
	}
	link.Mend()
	patient, stop := context.WithTimeout(ctx, patience)
	defer stop()
	at, err := unknown.Resolve(patient)
	first := h.direction == broker.Answers || !h.raced // the entry had come, or nobody else's
	if first {
		require.NoError(t, err)
		assert.Equal(t, after.Seq+1, at.Seq)
		told = append(told, journal.Told{Client: "ann", ID: "ann's", Outcome: journal.Committed, At: at})
	} else {
		require.ErrorIs(t, err, journal.ErrLost)
		told = append(told, journal.Told{Client: "ann", ID: "ann's", Outcome: journal.Lost})
	}
	ids, want := []string{}, []string{"genesis"}
	for _, e := range all(t, ben) {
		ids = append(ids, e.ID)
	}
	if first {
		want = append(want, "ann's")
	}
	if h.raced {
		want = append(want, "ben's")
	}
	assert.Equal(t, want, ids, "once or never")
	assert.Empty(t, journal.Check(all(t, ben), told, nil))
}

// The connection is closed while the broker's answer is on its way, as where an
// instance ends: the entry was sent, and has become one.
func TestAnEntryWhoseConnectionIsClosedIsUnknown(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	link := broker.NewLink(t, b)
	team := dial(t, link.URL, "ann")
	j := create(t, team)
	ben, err := dial(t, b.URL, "ben").Open(ctx, "shop")
	require.NoError(t, err)
	after := end(t, j)

	link.Hold(broker.Answers)
	short, cancel := context.WithCancel(ctx)
	defer cancel()
	outcome := make(chan error, 1)
	go func() {
		_, err := j.Append(short, after, "ann's", []byte("edit"))
		outcome <- err
	}()
	require.Eventually(t, func() bool { return end(t, ben).Seq == after.Seq+1 }, patience, time.Millisecond, "the entry has come")
	team.Close()
	cancel()
	err = <-outcome
	var unknown *journal.UnknownError
	require.ErrorAs(t, err, &unknown, "it may be there, and is: %v", err)
	assert.Equal(t, "ann's", unknown.ID)

	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	_, err = j.Append(short, after, "later", nil)
	var unreachable *journal.UnreachableError
	assert.ErrorAs(t, err, &unreachable, "nothing is sent once the connection is closed")
}
