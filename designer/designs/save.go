package designs

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// save writes a design to its file, unless that is equivalent already. It first
// imports what others wrote meanwhile.
func (k *Keeper) save(ctx context.Context, f *file) {
	stamp := k.disk.stamp(f.name())
	text, err := k.disk.read(f.name())
	if err == nil && text == nil && f.own != "" {
		k.gone(f)
	}
	if err == nil && text != nil && hash(text) != f.own && hash(text) != f.refused {
		f.stamp = stamp
		k.takeIn(ctx, f, text)
	}
	if err == nil && (text != nil || f.wanted) {
		err = k.write(f, text, stamp)
	}
	switch {
	case err == nil:
		f.dirty = false
	case !errors.Is(err, errAgain):
		k.trouble(f, err) // dirty: again with the next change
	}
}

// errAgain means that a file changed between being read and being written.
var errAgain = errors.New("the file is being changed")

// write writes the design's content to the file if it differs.
func (k *Keeper) write(f *file, text []byte, stamp string) error {
	s, now, err := k.render(f)
	if err != nil {
		return err
	}
	switch {
	case bytes.Equal(text, now):
		k.wrote(f, now, stamp)
		return nil
	case text == nil && f.last == hash(now):
		return nil // it was removed, and nothing has changed since
	case text == nil:
	case hash(text) == f.refused && f.against == hash(now):
		return nil // nothing has changed since
	case hash(text) == f.refused:
		if err := k.setAside(f, text); err != nil {
			return err
		}
	case hash(text) != f.last && k.means(f, s, text, now): // berth's own text means what it says
		return nil // it is left in the form that others gave it
	}
	if err := k.record.put(f.name(), f.design.ID(), f.own, hash(now)); err != nil {
		k.opts.Logger.Debug("the record of a design's file is not kept", "file", f.path(), "cause", err)
	}
	if stamp, err = k.disk.replace(f.name(), now, stamp); err != nil {
		return err
	}
	k.wrote(f, now, stamp)
	return nil
}

// wrote records that the file has the design's own content.
func (k *Keeper) wrote(f *file, now []byte, stamp string) {
	f.own, f.last, f.refused, f.wanted, f.stamp = hash(now), hash(now), "", false, stamp
	k.fine(f)
	if err := k.record.put(f.name(), f.design.ID(), f.own); err != nil {
		k.opts.Logger.Debug("the record of a design's file is not kept", "file", f.path(), "cause", err)
	}
}

// setAside keeps refused text under another name before the design is written
// in its place.
func (k *Keeper) setAside(f *file, text []byte) error {
	for n := 1; ; n++ {
		name := f.stem + ".rejected.json"
		if n > 1 {
			name = fmt.Sprintf("%s.rejected-%d.json", f.stem, n)
		}
		kept, err := k.disk.read(name)
		switch {
		case err != nil:
			return err
		case kept != nil && !bytes.Equal(kept, text):
			continue
		case kept == nil:
			if _, err := k.disk.write(name, text); err != nil {
				return err
			}
		}
		k.opts.Logger.Warn("a design's file was refused and the design has changed since: its text is kept beside it", "file", f.path(), "kept", name)
		return nil
	}
}

// render returns a copy of the current design and its file's content.
func (k *Keeper) render(f *file) (*designer.Schema, []byte, error) {
	var dialect *designer.Dialect
	var tables []*designer.Table
	var opts designer.Options
	err := f.design.View(func(s *designer.Schema) {
		dialect, tables = s.Dialect(), s.Tables()
		opts = designer.Options{DefaultSchema: s.DefaultSchema(), Catalog: s.Catalog()}
	})
	if err != nil {
		return nil, nil, err
	}
	s, err := designer.Restore(dialect, tables, &opts)
	if err != nil {
		return nil, nil, err
	}
	now, err := encode(s, f.connection)
	return s, now, err
}

// means reports whether a file's content is equivalent to the design.
func (k *Keeper) means(f *file, s *designer.Schema, text, now []byte) bool {
	def, err := decode(text, s.Dialect().Name, f.connection)
	if err != nil {
		return false
	}
	built, err := designer.Build(s.Dialect(), def, &designer.Options{DefaultSchema: s.DefaultSchema()})
	if err != nil {
		return false
	}
	again, err := encode(built, f.connection)
	return err == nil && bytes.Equal(again, now)
}
