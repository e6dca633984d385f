package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

const patience = 20 * time.Second

// broker is a journal in memory, and what can go wrong with one.
type broker struct {
	mu        sync.Mutex
	entries   []journal.Entry
	came      chan struct{} // closed when an entry came
	snapshot  []byte
	snapped   journal.Position
	noForward bool  // entries are not delivered to followers
	gone      error // why the journal cannot be followed; nil: it can
}

func newBroker() *broker { return &broker{came: make(chan struct{})} }

// link is one instance's way to a broker.
type link struct {
	*broker
	name string

	faults sync.Mutex
	down   bool
	before func()       // runs before an append, once
	fate   func() error // decides an append in the broker's place, once
	told   []journal.Told
}

func (l *link) Name() string { return l.name }

func (l *link) Reach() journal.Reach {
	l.faults.Lock()
	defer l.faults.Unlock()
	r := journal.Reach{Connected: !l.down, Since: time.Date(2026, 8, 1, 11, 0, 0, 0, time.UTC)}
	if l.down {
		r.Reason = "the cable is cut"
	}
	return r
}

func (l *link) cut(down bool) {
	l.faults.Lock()
	defer l.faults.Unlock()
	l.down = down
}

func (l *link) take() (before func(), fate func() error) {
	l.faults.Lock()
	defer l.faults.Unlock()
	before, fate = l.before, l.fate
	l.before, l.fate = nil, nil
	return before, fate
}

func (l *link) Append(_ context.Context, after journal.Position, id string, body []byte) (journal.Position, error) {
	before, fate := l.take()
	if before != nil {
		before()
	}
	if fate != nil {
		if err := fate(); err != nil {
			if unknown, ok := err.(*journal.UnknownError); ok {
				unknown.ID = id
				unknown.Resolve = func(ctx context.Context) (journal.Position, error) { return l.Append(ctx, after, id, body) }
			}
			return journal.Position{}, err
		}
	}
	at, err := l.put(after, id, body)
	l.faults.Lock()
	defer l.faults.Unlock()
	told := journal.Told{Client: l.name, ID: id, Outcome: journal.Committed, At: at}
	if err != nil {
		told = journal.Told{Client: l.name, ID: id, Outcome: journal.Lost}
	}
	l.told = append(l.told, told)
	return at, err
}

func (b *broker) put(after journal.Position, id string, body []byte) (journal.Position, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.IndexFunc(b.entries, func(e journal.Entry) bool { return e.ID == id }); i >= 0 {
		return b.entries[i].Position(), nil
	}
	if uint64(len(b.entries)) != after.Seq {
		return journal.Position{}, journal.ErrLost
	}
	e := journal.Entry{Seq: after.Seq + 1, ID: id, Previous: after.Hash, Body: slices.Clone(body)}
	b.entries = append(b.entries, e)
	close(b.came)
	b.came = make(chan struct{})
	return e.Position(), nil
}

// lose has the journal be gone for followers; nil: it is back.
func (b *broker) lose(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = why
	close(b.came)
	b.came = make(chan struct{})
}

func (b *broker) since(seq uint64) ([]journal.Entry, <-chan struct{}, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.noForward || b.gone != nil {
		return nil, b.came, b.gone
	}
	return slices.Clone(b.entries[min(seq, uint64(len(b.entries))):]), b.came, nil
}

func (l *link) Read(_ context.Context, after journal.Position, deliver func(journal.Entry) error) error {
	list, _, err := l.since(after.Seq)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := deliver(e); err != nil {
			return err
		}
	}
	return nil
}

func (l *link) Follow(ctx context.Context, after journal.Position, deliver func(journal.Entry) error) error {
	for {
		list, came, err := l.since(after.Seq)
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := deliver(e); err != nil {
				return err
			}
			after = e.Position()
		}
		select {
		case <-came:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *link) SaveSnapshot(_ context.Context, at journal.Position, data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.snapshot, l.snapped = data, at
	return nil
}

func (l *link) Snapshot(context.Context) (journal.Position, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snapped, l.snapshot, nil
}

// mate is one person's project with a design that is the team's.
type mate struct {
	*project
	name string
	db   *database
	link *link
	d    *Designer
}

// newMate opens a project on a database of its own.
func newMate(t testing.TB, b *broker, name string, defs ...designer.TableDefinition) *mate {
	t.Helper()
	m := &mate{project: newProject(t), name: name, db: newDatabase("db", defs...), link: &link{broker: b, name: "shop"}}
	m.d = m.show(m.db)
	return m
}

func (m *mate) attach() {
	m.t.Helper()
	_, err := m.d.Attach(context.Background(), m.link, m.name)
	require.NoError(m.t, err)
}

// reopen restarts the project and follows the journal again.
func (m *mate) reopen() {
	m.t.Helper()
	m.restart()
	m.d = m.designer("db")
	require.NoError(m.t, m.d.Connect(m.link))
}

// found begins a team with ann's design, which has tables A and B, and lets
// others join it.
func found(t testing.TB, names ...string) (*broker, []*mate) {
	t.Helper()
	b := newBroker()
	var mates []*mate
	for i, name := range names {
		m := newMate(t, b, name, table("A", "x"), table("B", "y"))
		if i == 0 {
			id, body, err := m.d.Genesis(name)
			require.NoError(t, err)
			_, err = m.link.Append(context.Background(), journal.Position{}, id, body)
			require.NoError(t, err)
		}
		m.attach()
		mates = append(mates, m)
	}
	return b, mates
}

// settled waits until every mate has all entries, and checks that they are one.
func settled(t testing.TB, b *broker, mates ...*mate) {
	t.Helper()
	last := len(b.entries)
	for _, m := range mates {
		require.Eventually(t, func() bool { return m.d.Shared().Seq == uint64(last) }, patience, time.Millisecond, "%s: %+v, want %d", m.name, m.d.Shared(), last)
	}
	want := sharedModelOf(t, mates[0])
	for _, m := range mates[1:] {
		require.Equal(t, want, sharedModelOf(t, m), "%s and %s", mates[0].name, m.name)
	}
	r, err := replicate(context.Background(), mates[0].link, dialects, nil)
	require.NoError(t, err)
	assert.Equal(t, want.Version, r.schema.Version())
	var told []journal.Told
	for _, m := range mates {
		told = append(told, m.link.told...)
	}
	assert.Empty(t, journal.Check(b.entries, told, nil))
}

// sharedModel is everything of a shared design that is the same everywhere.
type sharedModel struct {
	Version, Digest string
	Tables          string // JSON, ids included
	Steps           []stepRow
	First, Top      int64
}

func sharedModelOf(t testing.TB, m *mate) sharedModel {
	t.Helper()
	var s sharedModel
	require.NoError(t, m.d.View(func(schema *designer.Schema) {
		require.NoError(t, schema.Check())
		tables := schema.Tables()
		slices.SortFunc(tables, func(a, b *designer.Table) int { return compareIDs(a.ID, b.ID) })
		raw, err := json.Marshal(tables)
		require.NoError(t, err)
		s.Tables, s.Version = string(raw), schema.Version()
		digest, err := identityOfSchema(schema)
		require.NoError(t, err)
		s.Digest = digest.String()
		require.Equal(t, m.d.shared.record.Digest, s.Digest, "%s: the digest kept by sums is that of the whole", m.name)
	}))
	s.First, s.Top = m.d.row.steps.first, m.d.row.steps.top
	require.NoError(t, m.d.m.store.read(context.Background(), func(r reader) (err error) {
		s.Steps, err = r.steps(m.d.row.id, s.First, s.Top)
		return err
	}))
	return s
}

func compareIDs(a, b designer.ID) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// try applies edits and returns the outcome, refused or not.
func (m *mate) try(edits ...designer.Edit) Outcome {
	m.t.Helper()
	out, err := m.d.Apply(context.Background(), Batch{Edits: edits, ExpectedVersion: m.d.Version(), Origin: "page"})
	require.NoError(m.t, err)
	return out
}

// edit applies edits that are taken.
func (m *mate) edit(edits ...designer.Edit) Outcome {
	m.t.Helper()
	out := m.try(edits...)
	require.Nil(m.t, out.Err, "%s: %v", m.name, out.Err)
	return out
}

func (m *mate) undo(n Steps) Outcome {
	m.t.Helper()
	n.Origin = "page"
	out, err := m.d.Undo(context.Background(), n)
	require.NoError(m.t, err)
	return out
}

func (m *mate) redo(n Steps) Outcome {
	m.t.Helper()
	n.Origin = "page"
	out, err := m.d.Redo(context.Background(), n)
	require.NoError(m.t, err)
	return out
}

func withAuthors(steps []Step) (list []string) {
	for _, s := range steps {
		list = append(list, fmt.Sprint(s.Author, ": ", s.Description))
	}
	return list
}
