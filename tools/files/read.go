package files

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/text"
	"github.com/berth-dev/berth/tools/files/version"
)

// Limits on what one call reads.
const (
	maxShownLines = 1900
	maxShownBytes = catalog.ReplyBytes
	maxLineBytes  = 2000
)

// fileHeader is the first item of the reply of fs_read_file; the second is the
// content. Version, lines and size are those of the whole file.
type fileHeader struct {
	Path         string `json:"path"`
	Version      string `json:"version,omitzero"`
	Size         int64  `json:"size"`                // bytes
	Kind         string `json:"kind,omitzero"`       // of a file that is no text
	MediaType    string `json:"media_type,omitzero"` // likewise
	Lines        int    `json:"lines,omitzero"`      // line breaks and one
	LineEnding   string `json:"line_ending,omitzero"`
	BOM          bool   `json:"bom,omitzero"`
	FinalNewline *bool  `json:"final_newline,omitzero"`
	From         int    `json:"from,omitzero"` // the lines shown, from 1
	To           int    `json:"to,omitzero"`
	CutLines     int    `json:"cut_lines,omitzero"` // shown in part
	Note         string `json:"note,omitzero"`
}

// readArguments are those of fs_read_file.
type readArguments struct {
	ProjectRoot string `json:"projectRoot"`
	Path        string `json:"path"`
	Head        *int   `json:"head"`
	Tail        *int   `json:"tail"`
	From        *int   `json:"from"`
	To          *int   `json:"to"`
	Numbers     bool   `json:"numbers"`
}

func (a *readArguments) check() *failure {
	for name, n := range map[string]*int{"head": a.Head, "tail": a.Tail, "from": a.From, "to": a.To} {
		if f := atLeastOne(name, n); f != nil {
			return f
		}
	}
	if given(a.Head)+given(a.Tail)+min(1, given(a.From, a.To)) > 1 {
		return invalid("give head, or tail, or from and to")
	}
	if given(a.From, a.To) == 2 && *a.To < *a.From {
		return invalid("to is before from: %d, %d", *a.To, *a.From)
	}
	return nil
}

// readFile handles fs_read_file.
func (t *Tool) readFile(ctx context.Context, call tools.Call) tools.Reply {
	var a readArguments
	f := decode(call.Arguments, &a)
	if f == nil {
		f = a.check()
	}
	if f != nil {
		return f.reply()
	}
	s, info, err := t.load(ctx, a.Path, a.ProjectRoot)
	if err != nil {
		return t.fail(err)
	}
	if info.Kind == text.Binary {
		return tools.Reply{Content: []string{encode(fileHeader{Path: s.Path, Size: s.Size, Kind: string(info.Kind), MediaType: info.Guess})}}
	}
	if f := unreadable(s, info); f != nil {
		return f.reply()
	}
	u := text.Normalize(s.Content)
	r := fileHeader{Path: s.Path, Version: version.Of(s.Content), Size: s.Size, Lines: info.Lines,
		LineEnding: info.LineEnding, BOM: info.BOM, FinalNewline: &info.FinalNewline}
	t.recordRead(s, r.Version, u.Text)
	w := windowOf(&a, info)
	if w.from > info.Lines {
		return (&failure{Reason: reasonInvalid, Message: fmt.Sprintf("from is %d, and the file has %d lines", w.from, info.Lines)}).reply()
	}
	content := w.show(u.Text, &r)
	reply := tools.Reply{Content: []string{encode(r)}}
	if content != "" {
		reply.Content = append(reply.Content, content)
	}
	return reply
}

// load reads a file that may be read.
func (t *Tool) load(ctx context.Context, given, root string) (*store.File, text.Info, error) {
	name, err := t.pathOf(ctx, given, root)
	if err != nil {
		return nil, text.Info{}, err
	}
	if f := t.readable(name); f != nil {
		return nil, text.Info{}, f
	}
	s, err := t.files().Read(ctx, name)
	if err != nil {
		return nil, text.Info{}, t.missing(ctx, name, err)
	}
	if f := t.linkedSecret(ctx, s); f != nil {
		return nil, text.Info{}, f
	}
	return s, text.Inspect(s.Content), nil
}

// unreadable returns the failure for a file without text to show.
func unreadable(s *store.File, info text.Info) *failure {
	switch {
	case info.Kind == text.Foreign && info.Bad >= 0 && !s.Whole && info.Bad > len(s.Content)-4:
		// the head of a large file ends within a character
	case info.Kind == text.Foreign:
		f := &failure{Reason: reasonEncoding, Size: s.Size,
			Message: clip.Text(s.Path, 300) + " is not UTF-8; it looks like " + info.Guess + ", and is neither shown nor edited"}
		if info.Bad >= 0 {
			f.Hint = fmt.Sprintf("the first byte that is not UTF-8 is in line %d", 1+strings.Count(string(s.Content[:info.Bad]), "\n"))
		}
		return f
	}
	if !s.Whole {
		return &failure{Reason: string(disk.TooLarge), Size: s.Size,
			Message: fmt.Sprintf("%s has %d bytes; files over %d are neither shown nor edited", clip.Text(s.Path, 300), s.Size, disk.MaxFile)}
	}
	return nil
}

// window is the requested part of a file.
type window struct {
	from, to int  // lines, from 1
	last     bool // if it is too large, its end is shown
	numbers  bool
}

func windowOf(a *readArguments, info text.Info) window {
	w := window{from: or(a.From, 1), to: min(or(a.To, info.Lines), info.Lines), numbers: a.Numbers}
	switch {
	case a.Head != nil:
		w.to = min(*a.Head, info.Lines)
	case a.Tail != nil:
		w.last = true
		end := info.Lines
		if info.FinalNewline { // the line after it is empty
			end--
		}
		w.from = max(1, end-*a.Tail+1)
	}
	return w
}

// show returns the window of a text and records in r what is shown.
func (w window) show(whole string, r *fileHeader) string {
	lines := strings.SplitAfter(whole, "\n")[w.from-1 : w.to]
	shown := make([]string, 0, min(len(lines), maxShownLines))
	size, cut := 0, 0
	at := func(i int) int {
		if w.last {
			return len(lines) - 1 - i
		}
		return i
	}
	for i := range lines {
		line, isCut := w.line(lines[at(i)], w.from+at(i))
		if i == maxShownLines || size+len(line) > maxShownBytes {
			break
		}
		size += len(line)
		cut += isCut
		shown = append(shown, line)
	}
	r.CutLines = cut
	r.From, r.To = w.from, w.from+len(shown)-1
	var b strings.Builder
	b.Grow(size)
	for i := range shown {
		if w.last {
			b.WriteString(shown[len(shown)-1-i])
		} else {
			b.WriteString(shown[i])
		}
	}
	if w.last {
		r.From, r.To = w.to-len(shown)+1, w.to
	}
	r.Note = w.note(r, len(shown) < len(lines))
	return b.String()
}

// note returns which limits were hit and how to read the rest.
func (w window) note(r *fileHeader, limited bool) string {
	var notes []string
	switch {
	case limited && w.last:
		notes = append(notes, fmt.Sprintf("at most %d lines or %d bytes are shown at once; for those before, read from %d to %d", maxShownLines, maxShownBytes, w.from, r.From-1))
	case limited:
		notes = append(notes, fmt.Sprintf("at most %d lines or %d bytes are shown at once; read on with from: %d", maxShownLines, maxShownBytes, r.To+1))
	}
	if r.CutLines > 0 {
		notes = append(notes, fmt.Sprintf("lines over %d bytes are cut, marked …[+bytes]", maxLineBytes))
	}
	return strings.Join(notes, "; ")
}

// line returns one line as shown, with its line break.
func (w window) line(line string, number int) (shown string, cut int) {
	if body := strings.TrimSuffix(line, "\n"); len(body) > maxLineBytes {
		at := clip.Boundary(body, maxLineBytes)
		line = fmt.Sprintf("%s…[+%d]%s", body[:at], len(body)-at, line[len(body):])
		cut = 1
	}
	if w.numbers && line != "" {
		line = fmt.Sprintf("%d\t%s", number, line)
	}
	return line, cut
}
