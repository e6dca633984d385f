package session

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// A design that a team shares is a replica of a journal. An edit is played on
// the model, taken back, appended as an entry with its result, and made by
// applying that entry, as every other replica does:
//
//	edit ─▶ play ─▶ take back ─▶ entry ─▶ journal ─▶ apply ─▶ state.db ─▶ event
//	                                         │  n+1
//	others' entries ◀── Follow ──────────────┘
//
// What differs between hosts stays out of it: the database as last adopted,
// drift, layout. No lock that readers need is held while the broker is asked.

// Team is what is known of a design's part in a team.
type Team struct {
	Name      string    `json:"name"`
	Author    string    `json:"author"` // whom this instance edits for
	Seq       uint64    `json:"seq"`    // entries of the journal that the design has
	Connected bool      `json:"connected"`
	Since     time.Time `json:"since"`             // of Connected
	Reason    string    `json:"reason,omitempty"`  // why it is not connected
	Stopped   string    `json:"stopped,omitempty"` // why the journal is not followed any more
	Unknown   string    `json:"unknown,omitempty"` // batch of an edit whose outcome is not known yet
	// Published is the last publish to each database, the newest first.
	Published []Publication `json:"published,omitempty"`
}

// originPublish is the origin of steps that a publish has made.
const originPublish = "publish"

// teamSteps is how many steps of a shared design are kept, on every replica.
const teamSteps = 1000

// teamDocument is the name of the document that stores a teamRecord.
const teamDocument = "team"

// teamRecord is the stored part of a sharing.
type teamRecord struct {
	Name   string           `json:"name"`
	Author string           `json:"author"`
	At     journal.Position `json:"at"`
	Digest string           `json:"digest"`         // of the design at At, ids included
	Gone   string           `json:"gone,omitempty"` // who removed the author from the team
	// Published is the last publish to each database, the newest first.
	Published []Publication `json:"published,omitempty"`
}

// sharing is a design's part in a team. The designer's lock guards it.
type sharing struct {
	record  teamRecord
	marks   []mark          // of the steps kept, oldest first
	journal journal.Journal // nil: not connected
	since   time.Time       // since when there is none
	why     string          // there is none
	stopped error           // why it is not followed any more; nil
	unknown *unknownEdit    // nil: none
	recent  []touch         // the newest entries
	moved   chan struct{}   // closed when an entry was applied or the state changed
	gate    chan struct{}   // held by the edit that is being appended

	// While it is connected:
	ctx    context.Context // of everything that waits for the broker
	cancel context.CancelFunc
	jobs   sync.WaitGroup // the follower, and what else waits for the broker
}

// unknownEdit is an edit whose outcome is not known yet.
type unknownEdit struct{ batch string }

// touch is what an entry changed.
type touch struct {
	seq    uint64
	tables []designer.ID
	types  bool
}

// keptTouches bounds how far an edit that lost a race is rebased.
const keptTouches = 512

// notConnected is why there is no journal unless something else is known.
const notConnected = "this instance is not connected yet"

func newSharing(record teamRecord, now time.Time) *sharing {
	return &sharing{record: record, since: now, why: notConnected, moved: make(chan struct{}), gate: make(chan struct{}, 1)}
}

// mark is what undo has to know of a step.
type mark struct {
	seq    int64
	batch  string
	origin string
	author string
	undoes []int64
}

// stepNumbers reads what stepList writes.
func stepNumbers(list string) []int64 {
	var numbers []int64
	for part := range strings.SplitSeq(list, ",") {
		if n, err := strconv.ParseInt(part, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func stepList(numbers []int64) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	return b.String()
}

// sharedResult is what a playResult has beyond one of a local design.
type sharedResult struct {
	author string
	at     time.Time   // of the steps; zero: now
	undoes [][]int64   // of each step; nil: none takes anything back
	record *teamRecord // nil: stays
	leaves bool        // the design is no longer a team's
	// published means that publishing changed the design, which is nobody's step
	// to undo.
	published bool
	report    *Publication // of a publish that was made; nil: none was
	steps     *[]stepRow   // take the place of all that there were; nil: they stay
}

func (r *sharedResult) undoesOf(i int) []int64 {
	if i < len(r.undoes) {
		return r.undoes[i]
	}
	return nil
}

// sharings reads which designs have a part in a team.
func (r reader) sharings(path string, now time.Time) (map[int64]*sharing, error) {
	all := map[int64]*sharing{}
	err := r.each(selectTeams, func(rows *sql.Rows) error {
		var design int64
		var body string
		if err := rows.Scan(&design, &body); err != nil {
			return err
		}
		var record teamRecord
		if err := json.Unmarshal([]byte(body), &record); err != nil {
			return damaged(path, "team: %w", err)
		}
		all[design] = newSharing(record, now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for design, s := range all {
		if s.marks, err = r.marks(design); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (w *writer) saveTeam(e *entry) error {
	if e.leaves {
		return w.exec(deleteDocument, e.row.id, teamDocument)
	}
	if e.team == nil {
		return nil
	}
	body, err := encode(e.team)
	if err != nil {
		return err
	}
	return w.exec(upsertDocument, e.row.id, teamDocument, 1, body)
}

// takeSharingLocked updates the sharing to what was committed.
func (d *Designer) takeSharingLocked(e *entry) {
	if e.leaves {
		d.shared = nil
		d.m.opts.TeamChanged()
		return
	}
	if e.team == nil {
		return
	}
	if d.shared == nil {
		d.shared = newSharing(*e.team, d.m.opts.Now())
		d.m.opts.TeamChanged()
	}
	s := d.shared
	if s.record.Gone != e.team.Gone {
		d.m.opts.TeamChanged()
	}
	s.record = *e.team
	if e.replace {
		s.marks = nil
	}
	s.marks = s.with(e)
	s.wake()
}

// wake wakes those that wait for the sharing to change.
func (s *sharing) wake() {
	close(s.moved)
	s.moved = make(chan struct{})
}

// statusAfterLocked is the status once e is committed.
func (d *Designer) statusAfterLocked(e *entry) *Status {
	st := &Status{Sync: e.row.sync(), UndoSteps: e.row.steps.done(), RedoSteps: e.row.steps.undone()}
	if e.leaves || e.team == nil && d.shared == nil {
		return st
	}
	var after sharing
	if d.shared != nil {
		after.record, after.marks = d.shared.record, d.shared.marks
	}
	if e.replace {
		after.marks = nil
	}
	if e.team != nil {
		after.record = *e.team
	}
	after.marks = after.with(e)
	st.UndoSteps, st.RedoSteps = len(after.undoable()), len(after.redoable())
	return st
}

// with returns the marks after a commit.
func (s *sharing) with(e *entry) []mark {
	marks := slices.Clone(s.marks)
	for _, row := range e.steps {
		marks = append(marks, mark{row.seq, row.batch, row.origin, row.author, row.undoes})
	}
	return slices.DeleteFunc(marks, func(m mark) bool { return m.seq < e.row.steps.first })
}

// info describes the sharing.
func (s *sharing) info() *Team {
	t := &Team{Name: s.record.Name, Author: s.record.Author, Seq: s.record.At.Seq, Since: s.since, Reason: s.why,
		Published: slices.Clone(s.record.Published)}
	if s.journal != nil {
		reach := s.journal.Reach()
		t.Connected, t.Since, t.Reason = reach.Connected, reach.Since, reach.Reason
	}
	if err := s.whyStopped(); err != nil {
		t.Stopped = err.Error()
	}
	if s.unknown != nil {
		t.Unknown = s.unknown.batch
	}
	return t
}

// Shared returns the design's part in a team; nil: it has none.
func (d *Designer) Shared() *Team {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.shared == nil {
		return nil
	}
	return d.shared.info()
}

// Shared returns the designs that have a part in a team.
func (m *Manager) Shared() []*Designer {
	return slices.DeleteFunc(slices.Clone(m.all()), func(d *Designer) bool { return d.Shared() == nil })
}

// undoable returns the steps of the sharing's own person that undo can take,
// the next one first.
func (s *sharing) undoable() []mark {
	alive := s.alive()
	var list []mark
	for _, m := range slices.Backward(s.marks) {
		if m.author == s.record.Author && m.undoes == nil && alive[m.seq] && m.origin != originPublish {
			list = append(list, m)
		}
	}
	return list
}

// redoable returns the steps that took others back, of the sharing's own
// person, as far as no edit of theirs came after them; the next one first.
func (s *sharing) redoable() []mark {
	alive := s.alive()
	var list []mark
	for _, m := range slices.Backward(s.marks) {
		if m.author != s.record.Author || m.origin == originPublish {
			continue
		}
		if m.undoes == nil {
			break
		}
		if alive[m.seq] && s.undoes(m) {
			list = append(list, m)
		}
	}
	return list
}

// alive returns the steps whose effect no later step has taken back.
func (s *sharing) alive() map[int64]bool {
	alive := make(map[int64]bool, len(s.marks))
	for _, m := range s.marks {
		alive[m.seq] = true
	}
	for _, m := range slices.Backward(s.marks) { // what takes a step back comes after it
		for _, n := range m.undoes {
			if alive[m.seq] {
				alive[n] = false
			}
		}
	}
	return alive
}

// undoes reports whether a step takes edits back, not undoing of edits.
func (s *sharing) undoes(m mark) bool {
	for _, n := range m.undoes {
		i, ok := slices.BinarySearchFunc(s.marks, n, func(m mark, n int64) int { return cmp.Compare(m.seq, n) })
		if ok && s.marks[i].undoes != nil {
			return false
		}
	}
	return len(m.undoes) > 0
}
