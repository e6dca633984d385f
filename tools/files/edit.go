package files

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/text"
	"github.com/berth-dev/berth/tools/files/version"
)

// noVersion is the version of a file that does not exist.
const noVersion = "none"

// planArgument is the argument that names a filed plan.
const planArgument = "plan_id"

// maxEdits bounds the edits of one call.
const maxEdits = 100

// editArguments are those of fs_edit_file.
type editArguments struct {
	ProjectRoot string     `json:"projectRoot"`
	Path        string     `json:"path"`
	Version     string     `json:"version"`
	Edits       []editItem `json:"edits"`
	DryRun      bool       `json:"dry_run"`
	PlanID      string     `json:"plan_id"`
}

type editItem struct {
	Old    string `json:"old_text"`
	New    string `json:"new_text"`
	All    bool   `json:"all"`
	Expect *int   `json:"expect"`
}

func (a *editArguments) check() *failure {
	switch {
	case a.Version == "":
		return &failure{Reason: reasonInvalid, Message: "version is missing", Hint: `read the file and pass the version of fs_read_file; "none" creates a file`}
	case len(a.Edits) == 0:
		return invalid("edits is empty")
	case len(a.Edits) > maxEdits:
		return invalid("there are %d edits; the most is %d", len(a.Edits), maxEdits)
	}
	for i, e := range a.Edits {
		switch {
		case strings.ContainsRune(e.New, 0):
			return invalid("edits[%d]: new_text contains a NUL byte", i)
		case e.Expect != nil && *e.Expect < 1:
			return invalid("edits[%d]: expect must be at least 1, not %d", i, *e.Expect)
		}
	}
	return nil
}

// change is the effect of a call on a file.
type change struct {
	path     string
	was      *store.File // nil: the file is created
	content  []byte
	unified  string
	before   string // version; noVersion of a file that is created
	after    string // version
	replaced []int  // places, per edit
	diff     text.Diff
	where    store.Where
}

func (c *change) oldSize() int64 {
	if c.was == nil {
		return 0
	}
	return c.was.Size
}

// editFile handles fs_edit_file.
func (t *Tool) editFile(ctx context.Context, call tools.Call) tools.Reply {
	var a editArguments
	f := decode(call.Arguments, &a)
	if f == nil {
		f = a.check()
	}
	if f != nil {
		return f.reply()
	}
	c, err := t.plan(ctx, &a)
	if err != nil {
		return t.fail(err)
	}
	if c.where, err = t.files().Where(ctx, c.path); err != nil {
		return t.fail(err)
	}
	if a.DryRun {
		return c.receipt(receipt{Success: true, DryRun: true})
	}
	fast := t.settings.Load().Fast && !c.where.MustAsk && c.mustAsk() == nil
	if !fast {
		reply, err := t.approve(call, &a, c)
		switch {
		case err != nil:
			return t.fail(err)
		case reply != nil:
			return *reply
		}
	}
	if err := ctx.Err(); err != nil {
		return t.fail(err)
	}
	method, err := t.write(ctx, c)
	if err != nil {
		return t.fail(t.staleError(ctx, c.path, c.before, err))
	}
	notice := EditNotice{Type: "file_edited", Path: c.path, Additions: c.diff.Additions, Deletions: c.diff.Deletions, Fast: fast}
	if fast {
		notice.EditID = t.made.keep(c, approval.ClientOf(call.Client))
	}
	t.opts.Announce(notice)
	return c.receipt(receipt{Success: true, Method: method})
}

// plan computes what the edits would do.
func (t *Tool) plan(ctx context.Context, a *editArguments) (*change, error) {
	name, err := t.pathOf(ctx, a.Path, a.ProjectRoot)
	if err != nil {
		return nil, err
	}
	if err := t.writable(ctx, name); err != nil {
		return nil, err
	}
	if a.Version == noVersion {
		return t.planNew(ctx, name, a)
	}
	s, err := t.files().Read(ctx, name)
	if err != nil {
		return nil, t.missing(ctx, name, err)
	}
	if err := t.files().Writable(s); err != nil { // first, because later errors reveal content
		return nil, err
	}
	info := text.Inspect(s.Content)
	if info.Kind == text.Binary {
		return nil, &failure{Reason: reasonBinary, Size: s.Size, Message: clip.Text(name, 300) + " is binary (" + info.Guess + ") and is not edited"}
	}
	if f := unreadable(s, info); f != nil {
		return nil, f
	}
	if version.Of(s.Content) != a.Version {
		return nil, t.stale(s, a.Version)
	}
	applied, err := text.Apply(s.Content, a.texts())
	if err != nil {
		return nil, err
	}
	if applied.After == applied.Before {
		return nil, &failure{Reason: text.NoChange, Message: "the edits change nothing"}
	}
	return &change{path: name, was: s, content: applied.Content, unified: applied.After, before: a.Version, after: version.Of(applied.Content),
		replaced: applied.Replaced, diff: text.Compare(applied.Before, applied.After, applied.Spans)}, nil
}

func (a *editArguments) texts() []text.Edit {
	edits := make([]text.Edit, len(a.Edits))
	for i, e := range a.Edits {
		edits[i] = text.Edit{Old: e.Old, New: e.New, All: e.All, Expect: or(e.Expect, 0)}
	}
	return edits
}

// planNew plans a file that does not exist.
func (t *Tool) planNew(ctx context.Context, name string, a *editArguments) (*change, error) {
	if len(a.Edits) != 1 || a.Edits[0].Old != "" {
		return nil, &failure{Reason: reasonInvalid, Message: `version "none" creates a file: give one edit, with an empty old_text and the content as new_text`}
	}
	if err := t.files().Free(ctx, name); err != nil {
		return nil, err
	}
	content := []byte(a.Edits[0].New)
	u := text.Normalize(content)
	return &change{path: name, content: content, unified: u.Text, before: noVersion, after: version.Of(content), diff: text.Compare("", u.Text, nil)}, nil
}

// approve asks a person to approve the change; nil, nil means approved.
func (t *Tool) approve(call tools.Call, a *editArguments, c *change) (*tools.Reply, error) {
	arguments, err := approval.Arguments(call.Arguments, planArgument)
	if err != nil {
		return nil, invalid("%v", err)
	}
	verb := "Edit"
	if c.was == nil {
		verb = "Create"
	}
	detail, _ := c.diff.Text(c.path, c.was == nil, 0)
	d, err := t.opts.Ledger.Decide(call, approval.Plan{
		Kind:   approval.KindFile,
		Title:  fmt.Sprintf("%s %s (+%d -%d)%s%s", verb, c.path, c.diff.Additions, c.diff.Deletions, c.in(), c.warning()),
		Detail: detail, Format: approval.FormatDiff, Question: c.diff.Changed(), About: c.about(),
		Bound: fmt.Appendf(nil, "%q %q %q %q %s", c.where.Place, c.path, c.before, c.after, arguments),
		ID:    a.PlanID, Argument: planArgument,
	})
	switch {
	case err != nil:
		return nil, err
	case d.Allowed:
		return nil, nil
	case d.Ask != nil:
		return &tools.Reply{Ask: d.Ask}, nil
	}
	reply := c.refused(d.Refused)
	return &reply, nil
}

// about returns the change for programs that show it.
func (c *change) about() approval.About {
	after := string(c.content)
	file := approval.File{Path: c.path, After: &approval.Content{Version: c.after, Text: &after}}
	if c.was != nil {
		before := string(c.was.Content)
		file.Before = &approval.Content{Version: c.before, Text: &before}
	}
	return approval.About{Files: []approval.File{file}}
}

// in names the place of a file that is not in the project's folder.
func (c *change) in() string {
	if c.where.Place == "" {
		return ""
	}
	return ", in " + c.where.Place
}

// warning returns what a person must know about a file before they approve.
func (c *change) warning() string {
	if g := c.mustAsk(); g != nil {
		return ", which may run code: " + g.what
	}
	return ""
}

// write writes the change.
func (t *Tool) write(ctx context.Context, c *change) (disk.Method, error) {
	var method disk.Method
	var err error
	defer t.watch.hold(c.path)()
	if c.was == nil {
		method, err = t.files().Make(ctx, c.path, c.content)
	} else {
		method, err = t.files().Replace(ctx, c.was, c.content)
	}
	if err != nil {
		return "", err
	}
	t.recordKnown(c.path, c.after, c.unified, disk.Stamp{})
	return method, nil
}

// recordRead records that the agent was shown a version of a file.
func (t *Tool) recordRead(f *store.File, named, unified string) {
	var stamp disk.Stamp
	if s, ok := f.Origin.(*disk.Snapshot); ok {
		stamp = s.Stamp()
	}
	t.recordKnown(f.Path, named, unified, stamp)
}

// recordKnown records the version of a file that the agent knows, and the stamp
// that the file had then; the zero value: it is not known.
func (t *Tool) recordKnown(name, named, unified string, stamp disk.Stamp) {
	t.held.put(named, unified)
	if t.onDisk(name) {
		t.watch.follow(name, named, stamp)
	}
}

// staleError adds what changed to the error of a write that came too late.
func (t *Tool) staleError(ctx context.Context, name, named string, err error) error {
	var onDisk *disk.Error
	if !errors.As(err, &onDisk) || onDisk.Reason != disk.Stale {
		return err
	}
	s, failed := t.files().Read(ctx, name)
	if failed != nil || !s.Whole || version.Of(s.Content) == named || text.Inspect(s.Content).Kind != text.Text {
		return err
	}
	f := t.stale(s, named)
	f.Message = onDisk.Message
	return f
}
