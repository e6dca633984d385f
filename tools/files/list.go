package files

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/tree"
)

// maxEntries is the most that one reply lists.
const maxEntries = 500

// entry is one file, folder or link.
type entry struct {
	Path      string    `json:"path"`
	UpdatedAt string    `json:"updated_at"` // RFC 3339, UTC
	Kind      tree.Kind `json:"kind"`
	Ignored   bool      `json:"ignored,omitzero"`
	HeldBack  bool      `json:"held_back,omitzero"` // because of its name: it may contain secrets and is not read
}

// listReply is the reply of fs_list_entries.
type listReply struct {
	Entries []jsontext.Value `json:"entries"` // each an encoded entry
	Shown   int              `json:"shown"`
	Total   int              `json:"total"`
	Cursor  string           `json:"cursor,omitzero"` // for the next call; "": no more entries
	Ignored hiddenCounts     `json:"ignored,omitzero"`
	// Unreadable counts folders that could not be read.
	Unreadable int `json:"unreadable,omitzero"`
}

// hiddenCounts counts the entries hidden by .gitignore.
type hiddenCounts struct {
	Files   int `json:"files"`
	Folders int `json:"directories"`
}

// listEntries handles fs_list_entries.
func (t *Tool) listEntries(ctx context.Context, call tools.Call) tools.Reply {
	var a struct {
		ProjectRoot    string `json:"projectRoot"`
		PathPrefix     string `json:"path_prefix"`
		Glob           string `json:"glob"`
		Cursor         string `json:"cursor"`
		IncludeIgnored bool   `json:"include_ignored"`
	}
	if f := decode(call.Arguments, &a); f != nil {
		return f.reply()
	}
	prefix, err := t.prefixOf(ctx, a.PathPrefix, a.ProjectRoot)
	if err != nil {
		return t.fail(err)
	}
	matches, f := glob(a.Glob)
	if f != nil {
		return f.reply()
	}
	entries, total, counts, err := t.files().List(ctx, prefix, tree.Listing{
		Options: tree.Options{IncludeIgnored: a.IncludeIgnored}, After: a.Cursor, Most: maxEntries + 1,
		Match: func(e *tree.Entry) bool { return !disk.IsTemp(e.Path) && matches(e.Path) },
	})
	if err != nil {
		return t.fail(err)
	}
	l := listReply{Entries: []jsontext.Value{}, Total: total, Ignored: hiddenCounts{counts.HiddenFiles, counts.HiddenFolders}, Unreadable: counts.Unreadable}
	size := 300 // the rest of the reply
	for i, e := range entries {
		next := encode(entry{Path: e.Path, UpdatedAt: e.Stat.ModTime.UTC().Format(time.RFC3339), Kind: e.Kind, Ignored: e.Ignored,
			HeldBack: e.Kind == tree.File && t.heldBack(e.Path)})
		length := len(next) + 1
		if i == maxEntries || i > 0 && size+length+longestEncoded(e.Path) > maxReply && size+length+len(encode(e.Path)) > maxReply {
			l.Cursor = entries[i-1].Path
			break
		}
		size += length
		l.Entries = append(l.Entries, jsontext.Value(next))
	}
	l.Shown = len(l.Entries)
	return tools.Reply{Content: []string{encode(l)}}
}

// longestEncoded returns the most bytes that a text has when it is encoded: all
// of them escaped, and the quotes.
func longestEncoded(text string) int { return 6*len(text) + 2 }
