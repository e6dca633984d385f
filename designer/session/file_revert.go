package session

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/berth-dev/berth/designer"
)

// FileRevert reports that importing the design's file reverted edits that had
// been acknowledged. Undoing the import's step restores them.
type FileRevert struct {
	File    string    `json:"file"`    // in the project
	Edits   int       `json:"edits"`   // at least so many steps, undos of steps included
	BatchID string    `json:"batchId"` // of the step that imported the file
	Version string    `json:"version"` // of the design with the file's content
	At      time.Time `json:"at"`
	Step    int64     `json:"step"`            // the number of that step
	Steps   int       `json:"steps,omitempty"` // how many undo steps lead to before it; in an answer only
}

const (
	// keptFileReverts is the number of file reverts kept for a design.
	keptFileReverts = 8
	// fileRevertSteps is the number of steps examined in each direction.
	fileRevertSteps = 1000
	// fileRevertsDocument is the name of the document that stores them.
	fileRevertsDocument = "took_back"
)

// FileReverts returns the imports that reverted edits, oldest first, as far as
// undo can still restore them.
func (d *Designer) FileReverts() ([]FileRevert, error) {
	if err := d.load(); err != nil {
		return nil, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	var list []FileRevert
	for _, b := range d.fileReverts {
		if at := d.row.steps; at.first <= b.Step && b.Step <= at.top {
			b.Steps = int(at.top - b.Step + 1)
			list = append(list, b)
		}
	}
	return list, nil
}

// fileRevertBy returns the edits reverted by c, with which a file was just
// imported into s; nil if there are none.
func (d *Designer) fileRevertBy(s *designer.Schema, c designer.Change, file, batch string) (*FileRevert, error) {
	at := d.row.steps
	var rows []stepRow
	err := d.m.store.read(background, func(r reader) (err error) {
		rows, err = r.steps(d.row.id, max(at.first, at.top-fileRevertSteps+1), min(at.last, at.top+fileRevertSteps))
		return err
	})
	if err != nil {
		return nil, err
	}
	taken := c.Decides()
	done := slices.IndexFunc(rows, func(r stepRow) bool { return r.seq > at.top })
	if done < 0 {
		done = len(rows)
	}
	undone, err := d.countTaken(taken, before(s, c), rows[done:], false)
	if err != nil {
		return nil, err
	}
	slices.Reverse(rows[:done])
	edits, err := d.countTaken(taken, before(s, c), rows[:done], true)
	if err != nil || undone+edits == 0 {
		return nil, err
	}
	return &FileRevert{File: file, Edits: undone + edits, BatchID: batch, At: d.m.opts.Now().UTC()}, nil
}

// before returns the state before c, which was just applied.
func before(s *designer.Schema, c designer.Change) pastTables {
	past := pastTables{s, map[designer.ID]*designer.Table{}}
	for _, tc := range c.Tables {
		past.over[tc.ID()] = tc.Before
	}
	return past
}

// countTaken counts the steps of rows, in the order in which undo (back) or
// redo would take them from a state, that set an aspect in taken. Each aspect
// counts only for the last step that set it.
func (d *Designer) countTaken(taken designer.Aspects, state pastTables, rows []stepRow, back bool) (n int, err error) {
	for _, row := range rows {
		if len(taken) == 0 {
			break
		}
		c, err := decodeChange(row.change, state, back)
		if err != nil {
			return n, damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		if taken.Take(c.Decides()) && row.origin != originDatabase && row.origin != OriginFile {
			n++
		}
		for _, tc := range c.Tables {
			if back {
				state.over[tc.ID()] = tc.Before
			} else {
				state.over[tc.ID()] = tc.After
			}
		}
	}
	return n, nil
}

// addFileRevert adds b, which belongs to the step just pushed, to the stored
// list.
func (e *entry) addFileRevert(list []FileRevert, b *FileRevert) {
	kept := slices.DeleteFunc(slices.Clone(list), func(old FileRevert) bool {
		return old.Step > e.row.steps.top-int64(len(e.steps)) // undone, and another step has its number now
	})
	if b != nil {
		b.Step, b.Version = e.row.steps.top, e.row.version
		kept = append(kept, *b)
	}
	if b != nil || len(kept) != len(list) {
		e.fileReverts = kept[max(0, len(kept)-keptFileReverts):]
	}
}

func (w *writer) saveFileReverts(e *entry) error {
	if e.fileReverts == nil {
		return nil
	}
	body, err := encode(e.fileReverts)
	if err != nil {
		return err
	}
	return w.exec(upsertDocument, e.row.id, fileRevertsDocument, 1, body)
}

// fileReverts reads the list of a design. If it cannot be read, the design is
// still usable.
func (r reader) fileReverts(design int64) (list []FileRevert, err error) {
	body, _, err := r.document(design, fileRevertsDocument)
	if err != nil || body == "" {
		return nil, err
	}
	if json.Unmarshal([]byte(body), &list) != nil {
		return nil, nil
	}
	return list, nil
}
