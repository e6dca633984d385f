package designs

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/berth-dev/berth/designer/session"
)

// origin is the origin of the session's steps for a file.
const origin = session.OriginFile

// unreadStamp is the stamp of a file that has to be read again.
const unreadStamp = "?"

// file is the file of one design, as far as it is known. Only the keeper's
// goroutine uses it.
type file struct {
	design     *session.Designer
	connection string // its name when the file was named
	stem       string

	stamp   string // of the file when it was last read
	own     string // hash of content that is berth's, or says what the design says; "": none is known
	last    string // hash of the design's content when the file last had it; "": never
	refused string // hash of content that was refused; "": none
	against string // hash of the design's own content when it was
	dirty   bool   // the design has changed since it was compared
	wanted  bool   // the design has changes of its own: it gets a file if it has none
}

func (f *file) name() string { return f.stem + ".json" }
func (f *file) path() string { return path.Join(folder, f.name()) }

// beginWith decides, after a start, what to do with a file:
//
//	content is what berth wrote last   the design stays: it may have changed
//	                                   since, as before a crash
//	any other content                  it comes in: others wrote it; not where
//	                                   a team shares the design
//	there is none, and there was one   others removed it: it comes back with
//	                                   the design's next change
//	there is none, nor was there       a design with changes gets one
func (k *Keeper) beginWith(ctx context.Context, f *file) {
	text, err := k.disk.read(f.name())
	f.dirty = true
	switch {
	case err != nil:
		k.trouble(f, err)
		f.dirty = false
	case text == nil:
		_, had := k.record.Files[f.name()]
		info := f.design.Info()
		f.wanted = !had && (info.Sync != session.Synced || info.UndoSteps > 0)
		_ = k.record.forget(f.name()) // or again at the next start
	case k.record.has(f.name(), f.design.ID(), hash(text)):
		f.own, f.stamp = hash(text), unreadStamp
	default:
		k.look(ctx, f)
	}
}

// look imports a file that others have changed.
func (k *Keeper) look(ctx context.Context, f *file) {
	stamp := k.disk.stamp(f.name())
	if stamp == f.stamp {
		return
	}
	text, err := k.disk.read(f.name())
	if err != nil {
		k.trouble(f, err)
		return
	}
	f.stamp = stamp
	if text == nil {
		k.gone(f)
		return
	}
	if h := hash(text); h != f.own && h != f.refused {
		k.takeIn(ctx, f, text)
	}
}

// gone handles a file that others removed: it is written again when the design
// changes next.
func (k *Keeper) gone(f *file) {
	f.own, f.refused = "", ""
	_ = k.record.forget(f.name()) // or again at the next start
	k.fine(f)
}

// takeIn imports a file's content into the design as one batch, or refuses it
// as a whole.
func (k *Keeper) takeIn(ctx context.Context, f *file, text []byte) {
	if team := f.design.Shared(); team != nil {
		k.refuse(f, text, fmt.Errorf("the design is team design %q, which a file does not change; berth import %s brings it in as an edit", team.Name, f.path()))
		return
	}
	def, err := decode(text, f.design.Info().Dialect, f.connection)
	if err != nil {
		k.refuse(f, text, err)
		return
	}
	out, err := f.design.Import(ctx, session.Import{Definition: def, Replace: true, Origin: origin,
		Description: "Take over " + f.path(), File: f.path()})
	switch {
	case err != nil:
		f.stamp = unreadStamp // not read; retry later
		k.trouble(f, err)
	case out.Err != nil:
		k.refuse(f, text, errors.New(out.Err.Message))
	default:
		if back := out.FileRevert; back != nil {
			k.opts.Logger.Warn("a design's file took acknowledged edits back: undo brings them back", "file", f.path(), "edits", back.Edits, "version", out.Version)
		}
		f.own, f.refused, f.dirty = hash(text), "", true
		k.fine(f)
		_ = k.record.put(f.name(), f.design.ID(), f.own) // else it comes in again, and changes nothing
		if out.BatchID != "" {
			k.opts.Logger.Info("took a design over from its file", "file", f.path(), "version", out.Version)
		}
	}
}

// refuse leaves a file as it is until the file or the design changes.
func (k *Keeper) refuse(f *file, text []byte, reason error) {
	f.refused, f.against = hash(text), ""
	if _, now, err := k.render(f); err == nil {
		f.against = hash(now)
	}
	k.trouble(f, fmt.Errorf("not taken over: %w", reason))
}
