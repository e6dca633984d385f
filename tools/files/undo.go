package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/text"
	"github.com/berth-dev/berth/tools/files/version"
)

// Limits on the edits of fast mode that are kept for undo. The oldest are
// forgotten first.
const (
	maxMade      = 64
	maxMadeBytes = 16 << 20 // of their texts
)

// EditState describes how a file stands to an edit of fast mode.
type EditState string

// The states.
const (
	EditStands  EditState = "made"    // the file is what the edit made of it
	EditUndone  EditState = "undone"  // a person undid the edit
	EditChanged EditState = "changed" // the file is something else by now
)

// MadeEdit is an edit that fast mode made. Its texts are nil if they are longer
// than [approval.MaxText].
type MadeEdit struct {
	ID    string    `json:"id"`
	State EditState `json:"state"`
	approval.File
}

// ErrUnknownEdit means that no edit of fast mode is kept under that id.
var ErrUnknownEdit = errors.New("no edit is kept under that id: newer ones displaced it, or berth was restarted; the file's own history may have it")

// madeEdits keeps the latest edits of fast mode.
type madeEdits struct {
	undoing sync.Mutex // one undo at a time

	mu    sync.Mutex
	list  []*madeEdit // oldest first
	bytes int
}

type madeEdit struct {
	id     string
	client string
	change *change
	undone bool
}

func (e *madeEdit) size() int { return len(e.change.content) + len(e.change.was.Content) }

// keep keeps an edit and returns its id. The id is "" if the edit cannot be
// undone: it created the file, and nothing here removes files, or its texts are
// larger than all that is kept.
func (m *madeEdits) keep(c *change, client string) string {
	if c.was == nil {
		return ""
	}
	e := &madeEdit{id: strings.ToLower(rand.Text()[:10]), client: client, change: c}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.size() > maxMadeBytes {
		return ""
	}
	m.list, m.bytes = append(m.list, e), m.bytes+e.size()
	for len(m.list) > maxMade || m.bytes > maxMadeBytes {
		m.bytes -= m.list[0].size()
		m.list = m.list[1:]
	}
	return e.id
}

// find returns an edit, and whether it was undone.
func (m *madeEdits) find(id string) (e *madeEdit, undone bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.list {
		if e.id == id {
			return e, e.undone, nil
		}
	}
	return nil, false, ErrUnknownEdit
}

func (m *madeEdits) markUndone(e *madeEdit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.undone = true
}

// FindEdit returns an edit of fast mode. The error is [ErrUnknownEdit] or why
// the file cannot be read.
func (t *Tool) FindEdit(ctx context.Context, id string) (*MadeEdit, error) {
	e, undone, err := t.made.find(id)
	if err != nil {
		return nil, err
	}
	if undone {
		return e.as(EditUndone), nil
	}
	now, err := t.resultOf(ctx, e)
	if err != nil {
		return nil, err
	}
	if now == nil {
		return e.as(EditChanged), nil
	}
	return e.as(EditStands), nil
}

// UndoEdit undoes an edit of fast mode for a person. It writes the former
// version if the file is what the edit made of it, and records that in the
// ledger as an approved edit. Otherwise it writes nothing; the returned state
// tells which. The error is [ErrUnknownEdit] or why the file cannot be read or
// written.
func (t *Tool) UndoEdit(ctx context.Context, id string) (*MadeEdit, error) {
	t.made.undoing.Lock()
	defer t.made.undoing.Unlock()
	e, undone, err := t.made.find(id)
	if err != nil {
		return nil, err
	}
	if undone {
		return e.as(EditUndone), nil
	}
	now, err := t.resultOf(ctx, e)
	if err != nil {
		return nil, err
	}
	if now == nil {
		return e.as(EditChanged), nil
	}
	_, err = t.files().Replace(ctx, now, e.change.was.Content)
	if reason(err) == disk.Stale {
		return e.as(EditChanged), nil
	}
	if err != nil {
		return nil, err
	}
	t.made.markUndone(e)
	t.opts.Ledger.Record(e.client, e.reversed())
	return e.as(EditUndone), nil
}

// resultOf returns the file of an edit if it is what the edit made of it, else
// nil: it was edited since, is gone, or the settings have it elsewhere by now.
func (t *Tool) resultOf(ctx context.Context, e *madeEdit) (*store.File, error) {
	files := t.files()
	where, err := files.Where(ctx, e.change.path)
	if err != nil {
		return nil, err
	}
	if where.Place != e.change.where.Place {
		return nil, nil
	}
	now, err := files.Read(ctx, e.change.path)
	switch {
	case reason(err) == disk.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case !now.Whole || version.Of(now.Content) != e.change.after:
		return nil, nil
	}
	return now, nil
}

// reason returns the reason of an error of a store; "": none.
func reason(err error) disk.Reason {
	if known := (*disk.Error)(nil); errors.As(err, &known) {
		return known.Reason
	}
	return ""
}

func (e *madeEdit) as(s EditState) *MadeEdit {
	return &MadeEdit{ID: e.id, State: s, File: e.change.about().Bounded().Files[0]}
}

// reversed is the plan that takes the edit back.
func (e *madeEdit) reversed() approval.Plan {
	c := e.change
	diff := text.Compare(c.unified, text.Normalize(c.was.Content).Text, nil)
	detail, _ := diff.Text(c.path, false, 0)
	about := c.about()
	about.Files[0].Before, about.Files[0].After = about.Files[0].After, about.Files[0].Before
	return approval.Plan{Kind: approval.KindFile, Title: fmt.Sprintf("Undo the edit of %s (+%d -%d)%s", c.path, diff.Additions, diff.Deletions, c.in()),
		Detail: detail, Format: approval.FormatDiff, About: about}
}
