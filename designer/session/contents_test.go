package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// follower is a page: a snapshot, kept up by events.
type follower struct {
	seq     uint64
	version string
	tables  map[designer.ID]*designer.Table
}

func follow(m Contents) *follower {
	f := &follower{seq: m.Seq, version: m.Version, tables: map[designer.ID]*designer.Table{}}
	for _, t := range m.Tables {
		f.tables[t.ID] = t
	}
	return f
}

// take applies an event. It returns false if the page must read the design
// again.
func (f *follower) take(e Event) bool {
	f.seq = e.Seq
	if e.Changes == nil || e.Tables == nil && e.Dropped == nil || e.Previous != f.version {
		return false
	}
	f.version = e.Version
	for _, t := range e.Tables {
		f.tables[t.ID] = t
	}
	for _, id := range e.Dropped {
		delete(f.tables, id)
	}
	return true
}

func (f *follower) sees(t *testing.T, m Contents) {
	t.Helper()
	want := follow(m)
	assert.Equal(t, want.version, f.version)
	assert.Equal(t, want.tables, f.tables)
}

func contentsOf(t *testing.T, d *Designer) Contents {
	t.Helper()
	m, err := d.Contents()
	require.NoError(t, err)
	return m
}

func TestASnapshotAndTheEventsAfterItAreTheDesign(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x"), table("B")))
	apply(t, d, addTable("C"))
	start := contentsOf(t, d)
	assert.EqualValues(t, 2, start.Seq)
	assert.True(t, start.Active)
	page := follow(start)
	events, cancel := p.Subscribe(start.Seq)
	defer cancel()

	apply(t, d, addColumn("A", "y"), renameTable("B", "Bee"), dropTable("C"))
	apply(t, d, addTable("D"), addColumn("D", "z"))
	_, err := d.Undo(t.Context(), Steps{Count: 2})
	require.NoError(t, err)
	_, err = d.Redo(t.Context(), Steps{})
	require.NoError(t, err)
	for _, e := range drain(events) {
		require.True(t, page.take(e), "event %d of type %s", e.Seq, e.Type)
	}
	page.sees(t, contentsOf(t, d))
	assert.Equal(t, contentsOf(t, d).Seq, page.seq)
}

func TestAnEventOfVeryManyTablesSendsThePageToTheSnapshot(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db"))
	page := follow(contentsOf(t, d))
	events, cancel := p.Subscribe(page.seq)
	defer cancel()
	edits := make([]designer.Edit, maxEventTables+1)
	for i := range edits {
		edits[i] = addTable(fmt.Sprintf("T%d", i))
	}
	for chunk := range slices.Chunk(edits, 100) {
		apply(t, d, chunk...)
	}
	for _, e := range drain(events) {
		require.True(t, page.take(e))
	}
	_, err := d.Undo(t.Context(), Steps{Count: len(edits)})
	require.NoError(t, err)
	last := drain(events)
	require.Len(t, last, 1)
	assert.False(t, page.take(last[0]))
	assert.Equal(t, &Status{Sync: Synced, RedoSteps: len(edits)}, last[0].Status)
}

func TestThePastShowsEachStepWithItsTables(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x")))
	apply(t, d, addColumn("A", "y"), addTable("B"))
	apply(t, d, renameTable("A", "Ay"), dropTable("B"))
	steps, version, err := d.Past(t.Context(), 10)
	require.NoError(t, err)
	assert.Equal(t, d.Version(), version)
	require.Len(t, steps, 4)
	told := []string{}
	for _, s := range steps {
		require.Len(t, s.Tables, 1)
		told = append(told, fmt.Sprintf("%d %s: %s -> %s", s.Number, s.BatchID, inWords(s.Tables[0].Before), inWords(s.Tables[0].After)))
	}
	assert.Equal(t, []string{
		"4 batch-2: B(Id) -> -",
		"3 batch-2: A(Id x y) -> Ay(Id x y)",
		"2 batch-1: - -> B(Id)",
		"1 batch-1: A(Id x) -> A(Id x y)",
	}, told)
	few, _, err := d.Past(t.Context(), 1)
	require.NoError(t, err)
	assert.Len(t, few, 1)
}

func inWords(t *designer.Table) string {
	if t == nil {
		return "-"
	}
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return t.Name + "(" + strings.Join(names, " ") + ")"
}

func TestWhatAPageKeepsSurvivesARestartAndIsNoChange(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A")))
	before, seq := d.Info(), p.LastEvent()
	body, counter, err := d.Document(t.Context(), "layout")
	require.NoError(t, err)
	assert.Zero(t, counter)
	assert.Empty(t, body)
	for i := range 3 {
		counter, err = d.SetDocument(t.Context(), "layout", func(was string) (string, error) { return was + "x", nil })
		require.NoError(t, err)
		assert.EqualValues(t, i+1, counter)
	}
	assert.Equal(t, before, d.Info())
	assert.Equal(t, seq, p.LastEvent())

	_, err = d.SetDocument(t.Context(), "layout", func(string) (string, error) { return strings.Repeat("x", maxDocument+1), nil })
	require.ErrorIs(t, err, ErrDocumentTooLarge)
	p.restart()
	body, counter, err = p.designer("db").Document(t.Context(), "layout")
	require.NoError(t, err)
	assert.Equal(t, "xxx", body)
	assert.EqualValues(t, 3, counter)
}
