package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// maxBytes bounds the files that are read: Claude Code's own state is large.
const maxBytes = 32 << 20

// A Target is one file of one client.
type Target struct {
	Client  *Client
	Scope   Scope
	Path    string // absolute
	Shown   string // as messages name it: below the project, or with ~ for the home
	Purpose string // what the client does with the entry

	root   string // the project that links must not lead out of; empty: none
	format format
}

// A Change is what is to be written to a file. Before is nil for a file that is
// not there, After for one that is to be removed.
type Change struct {
	*Target
	Before, After []byte

	place place
	mode  fs.FileMode
	undo  bool // takes back what the record says
}

// A ForeignError is returned for an entry that has berth's name and is not
// berth's.
type ForeignError struct{ Target *Target }

func (e *ForeignError) Error() string {
	return e.Target.Shown + ": another server has the name berth there"
}

// Hint says what to do about it.
func (e *ForeignError) Hint() string {
	return "give that server another name, or leave " + e.Target.Client.Name + " out with --client"
}

// A Finding is what a file says of berth now.
type Finding struct {
	Exists bool // the file
	Found  bool // the entry
	Entry  Entry
}

// Look reads the entry. The error says what of the file its client could not
// read, too.
func (t *Target) Look() (Finding, error) {
	p, err := t.locate()
	if err != nil {
		return Finding{}, err
	}
	defer p.close()
	text, _, err := p.read()
	if err != nil || text == nil {
		return Finding{}, t.wrap(err)
	}
	doc, _, err := t.parse(text)
	if err != nil {
		return Finding{Exists: true}, err
	}
	entry, found, err := doc.entry()
	return Finding{Exists: true, Found: found, Entry: entry}, t.wrap(err)
}

// parse reads a text by the client's rules; mark is its byte order mark.
func (t *Target) parse(text []byte) (doc document, mark []byte, err error) {
	mark, rest := cutMark(text)
	if doc, err = t.format.parse(rest); err != nil {
		return nil, nil, t.wrap(err)
	}
	return doc, mark, nil
}

func (t *Target) wrap(err error) error {
	var said *FileError
	if err == nil || errors.As(err, &said) {
		return err
	}
	return &FileError{File: t.Shown, Cause: err}
}

// A FileError is what is wrong with one file.
type FileError struct {
	File   string // as Target.Shown
	Cause  error
	Advice string
}

func (e *FileError) Error() string { return e.File + ": " + e.Cause.Error() }

func (e *FileError) Unwrap() error { return e.Cause }

// Hint says what to do about it; it may be empty.
func (e *FileError) Hint() string { return e.Advice }

// Add plans the entry of this berth. Without a change to make it returns a nil
// Change and the state of the entry that is there.
func (t *Target) Add(b Berth) (*Change, State, error) {
	c, doc, mark, err := t.open()
	if err != nil {
		return nil, 0, err
	}
	entry, found, err := doc.entry()
	if err != nil {
		return nil, 0, t.wrap(err)
	}
	want := b.Entry(t.Client)
	state := Stale
	if found {
		state = b.Judge(entry)
	}
	switch {
	case state == Foreign:
		return nil, state, &ForeignError{t}
	case state != Stale:
		return nil, state, nil
	case found:
		c.After, err = doc.mend(want)
	default:
		c.After, err = doc.add(want)
	}
	if err != nil {
		return nil, 0, t.wrap(err)
	}
	if err := t.proves(c.After, b); err != nil {
		return nil, 0, t.wrap(fmt.Errorf("the entry does not fit into the file: %w", err))
	}
	c.After = append(bytes.Clone(mark), c.After...)
	return c, state, nil
}

// proves reads the new text as the client would: better no file than a broken
// one.
func (t *Target) proves(text []byte, b Berth) error {
	doc, err := t.format.parse(text)
	if err != nil {
		return err
	}
	entry, found, err := doc.entry()
	switch {
	case err != nil:
		return err
	case !found || b.Judge(entry) != Ours:
		return errors.New("add it by hand")
	default:
		return nil
	}
}

// open reads the file and checks that it can be written.
func (t *Target) open() (c *Change, doc document, mark []byte, err error) {
	p, err := t.locate()
	if err != nil {
		return nil, nil, nil, err
	}
	defer p.close()
	c = &Change{Target: t, place: p.closed()}
	if c.Before, c.mode, err = p.read(); err != nil {
		return nil, nil, nil, t.wrap(err)
	}
	doc, mark, err = t.parse(c.Before)
	return c, doc, mark, err
}

// Remove plans taking berth's entry out: exactly what the record says was put
// in, else the entry alone. A nil Change has nothing to take out.
func (t *Target) Remove(r *Record) (*Change, error) {
	c, doc, mark, err := t.open()
	if err != nil || c.Before == nil {
		return nil, err
	}
	if before, ok := r.undo(c.place.path(), c.Before); ok {
		c.After, c.undo = before, true
		return c, nil
	}
	entry, found, err := doc.entry()
	if err != nil || !found {
		return nil, t.wrap(err)
	}
	if !isBerth(entry.Command) {
		return nil, &ForeignError{t}
	}
	if t.fresh(entry, c.Before) {
		return c, nil
	}
	if c.After, err = doc.remove(); err != nil {
		return nil, t.wrap(err)
	}
	rest, err := t.format.parse(c.After)
	if err == nil {
		_, found, err = rest.entry()
	}
	if err != nil || found {
		return nil, t.wrap(errors.New("the entry cannot be taken out cleanly: do it by hand"))
	}
	c.After = append(bytes.Clone(mark), c.After...)
	return c, nil
}

// fresh reports whether a text is what Add makes of no file: then the file goes
// with the entry.
func (t *Target) fresh(e Entry, text []byte) bool {
	doc, err := t.format.parse(nil)
	if err != nil {
		return false
	}
	made, err := doc.add(e)
	return err == nil && bytes.Equal(made, text)
}

// cutMark splits a byte order mark off.
func cutMark(text []byte) (mark, rest []byte) {
	bom := []byte("\xef\xbb\xbf")
	if rest, ok := bytes.CutPrefix(text, bom); ok {
		return bom, rest
	}
	return nil, text
}
