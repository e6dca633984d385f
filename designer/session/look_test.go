package session

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// markedDatabase is a database whose mark shows whether it has changed.
type markedDatabase struct {
	*database
	clock *clock
	costs struct{ mark, read time.Duration }

	mu    sync.Mutex
	mark  string
	fails error
	marks int
}

func (m *markedDatabase) Mark(context.Context) (string, error) {
	m.clock.pass(m.costs.mark)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks++
	return m.mark, m.fails
}

func (m *markedDatabase) changed(mark string, columns ...string) {
	m.set(table("Orders", columns...))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mark = mark
}

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// watched is a design of a database with a mark.
func watched(t *testing.T) (*Designer, *markedDatabase) {
	m := &markedDatabase{database: newDatabase("db", table("Orders")), clock: &clock{now: time.Unix(1_800_000_000, 0)}, mark: "1"}
	store, err := OpenStore(t.TempDir())
	require.NoError(t, err)
	manager, err := NewManager(store, Options{Dialect: dialects, Now: m.clock.time})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, manager.Close()) })
	d, err := manager.Show(t.Context(), m)
	require.NoError(t, err)
	return d, m
}

func columnsOf(t *testing.T, d *Designer) int {
	s, err := d.Snapshot()
	require.NoError(t, err)
	return len(s.Tables()[0].Columns)
}

func TestAGlanceReadsOnlyWhereTheMarkIsAnotherOne(t *testing.T) {
	d, m := watched(t)
	look := func(care Effort) DatabaseState {
		seen, err := d.CheckDatabase(t.Context(), m, care)
		require.NoError(t, err)
		return seen
	}
	reads := m.reads
	m.clock.pass(3 * time.Second)
	seen := look(Poll)
	assert.Equal(t, reads, m.reads, "nothing has changed")
	assert.Equal(t, m.clock.time(), seen.SeenAt)
	assert.Equal(t, m.clock.time().Add(-3*time.Second), seen.ReadAt)

	m.changed("2", "Mail")
	look(Poll)
	assert.Equal(t, 1, columnsOf(t, d), "asked again at once: however many pages ask, one in two seconds is answered")
	m.clock.pass(3 * time.Second)
	look(Poll)
	assert.Equal(t, 2, columnsOf(t, d))

	m.changed("3", "Mail", "Fax")
	look(Compare)
	assert.Equal(t, 3, columnsOf(t, d), "a call does not wait for its turn")

	m.set(table("Orders")) // which the mark has missed
	m.clock.pass(3 * time.Second)
	look(Poll)
	assert.Equal(t, 3, columnsOf(t, d))
	m.clock.pass(time.Minute)
	look(Poll)
	assert.Equal(t, 1, columnsOf(t, d), "once a minute nobody relies on the mark")

	m.set(table("Orders", "Mail"))
	look(Read)
	assert.Equal(t, 2, columnsOf(t, d))
}

func TestLookingTakesASmallShareOfTheTime(t *testing.T) {
	d, m := watched(t)
	m.costs.mark = 50 * time.Millisecond
	begin, marks := m.clock.time(), m.marks
	for i := range 600 { // a page asks every second, and the schema changes each time
		m.changed(string(rune('a'+i)), "Mail")
		_, err := d.CheckDatabase(t.Context(), m, Poll)
		require.NoError(t, err)
		m.clock.pass(time.Second)
	}
	spent := time.Duration(m.marks-marks) * m.costs.mark
	share := float64(spent) / float64(m.clock.time().Sub(begin))
	t.Logf("%d marks in %v: %.4f of the time", m.marks-marks, m.clock.time().Sub(begin), share)
	assert.Positive(t, m.marks-marks)
	assert.LessOrEqual(t, share, 0.02)
}

func TestADatabaseThatCannotBeReadIsNotTakenForSeen(t *testing.T) {
	d, m := watched(t)
	before := d.DatabaseState()
	m.clock.pass(3 * time.Second)
	down := errors.New("the server is down")
	m.fails = down
	m.fail(down)
	seen, err := d.CheckDatabase(t.Context(), m, Read)
	require.ErrorIs(t, err, down)
	require.ErrorIs(t, seen.Err, down)
	assert.Equal(t, before.SeenAt, seen.SeenAt, "what was known then is no older and no younger")
	m.fails = nil
	m.fail(nil)
	m.clock.pass(3 * time.Second)
	seen, err = d.CheckDatabase(t.Context(), m, Poll)
	require.NoError(t, err)
	require.NoError(t, seen.Err)
	assert.Equal(t, m.clock.time(), seen.SeenAt)
}

func TestAMarkThatFailsIsNoReasonNotToRead(t *testing.T) {
	d, m := watched(t)
	m.fails = errors.New("no such view here")
	m.set(table("Orders", "Mail"))
	m.clock.pass(3 * time.Second)
	_, err := d.CheckDatabase(t.Context(), m, Poll)
	require.NoError(t, err)
	assert.Equal(t, 2, columnsOf(t, d))
}

func TestTheMarkIsThatOfBeforeTheReading(t *testing.T) {
	d, m := watched(t)
	m.clock.pass(3 * time.Second)
	m.mark = "2"
	racing := &racingDatabase{markedDatabase: m}
	_, err := d.CheckDatabase(t.Context(), racing, Poll)
	require.NoError(t, err)
	m.clock.pass(3 * time.Second)
	_, err = d.CheckDatabase(t.Context(), m, Poll)
	require.NoError(t, err)
	assert.Equal(t, 2, columnsOf(t, d), "what changed while it was read is seen at the next look")
}

// racingDatabase changes during a read, after its result is fixed.
type racingDatabase struct{ *markedDatabase }

func (r *racingDatabase) Read(ctx context.Context) (def designer.Definition, err error) {
	def, err = r.markedDatabase.Read(ctx)
	r.changed("3", "Mail")
	return def, err
}
