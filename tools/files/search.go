package files

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/files/search"
)

// hit is one occurrence of the text.
type hit struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 0, in UTF-16 code units
	Snippet string `json:"snippet"`
	Version string `json:"version"` // of the whole file: an edit may follow
}

// searchReply is the reply of fs_search_content.
type searchReply struct {
	Hits  []hit `json:"hits"`
	Shown int   `json:"shown"`
	Total int   `json:"total"`
	Files int   `json:"files"` // with hits
	// Partial reports that the time was up; totals are those of the files
	// searched.
	Partial  bool       `json:"partial,omitzero"`
	Searched int        `json:"searched"` // files
	Skipped  skipCounts `json:"skipped,omitzero"`
	// HeldBack names the first of the files that were not searched because of
	// their names; Skipped counts all.
	HeldBack []string     `json:"held_back,omitempty"`
	Ignored  hiddenCounts `json:"ignored,omitzero"`
	Note     string       `json:"note,omitzero"`
}

// skipCounts counts files that were not searched.
type skipCounts struct {
	Binary     int `json:"binary,omitzero"`
	TooBig     int `json:"over_4_MiB,omitzero"`
	Secret     int `json:"secret,omitzero"`
	Unreadable int `json:"unreadable,omitzero"`
}

// searchContent handles fs_search_content.
func (t *Tool) searchContent(ctx context.Context, call tools.Call) tools.Reply {
	var a struct {
		ProjectRoot   string `json:"projectRoot"`
		Query         string `json:"query"`
		PathPrefix    string `json:"path_prefix"`
		CaseSensitive bool   `json:"case_sensitive"`
		Limit         *int   `json:"limit"`
		Regex         bool   `json:"regex"`
		Rank          bool   `json:"rank"`
	}
	if f := decode(call.Arguments, &a); f != nil {
		return f.reply()
	}
	if f := atLeastOne("limit", a.Limit); f != nil {
		return f.reply()
	}
	prefix, err := t.prefixOf(ctx, a.PathPrefix, a.ProjectRoot)
	if err != nil {
		return t.fail(err)
	}
	var held heldPaths
	r, err := t.files().Search(ctx, search.Query{Text: a.Query, Prefix: prefix, CaseSensitive: a.CaseSensitive, Regexp: a.Regex, Limit: or(a.Limit, 0), Rank: a.Rank},
		search.Options{Withhold: held.noting(func(path string) bool { return t.readable(path) != nil }), WithholdLinked: held.noting(t.linkedSecrets(ctx))})
	switch {
	case errors.Is(err, search.ErrQuery):
		return invalid("%s", strings.TrimPrefix(err.Error(), "search query: ")).reply()
	case err != nil:
		return t.fail(err)
	}
	return tools.Reply{Content: []string{encodeResult(r, held.first(), or(a.Limit, 0) > search.MaxLimit)}}
}

// encodeResult encodes a result within the limit of a reply, dropping hits at
// the end.
func encodeResult(r search.Result, held []string, limited bool) string {
	f := searchReply{HeldBack: held, Hits: []hit{}, Total: r.Total, Files: r.Files, Partial: r.Partial, Searched: r.Searched,
		Skipped: skipCounts{r.Binary, r.TooBig, r.Withheld, r.Unreadable}, Ignored: hiddenCounts{r.HiddenFiles, r.HiddenFolders}}
	for _, h := range r.Hits {
		f.Hits = append(f.Hits, hit{h.Path, h.Line, h.Column, dots(h.CutBefore) + h.Snippet + dots(h.CutAfter), h.Version})
	}
	for {
		f.Shown, f.Note = len(f.Hits), ""
		switch {
		case f.Partial:
			f.Note = "the time was up: files are missing; narrow path_prefix"
		case f.Shown < f.Total && limited:
			f.Note = "limit is at most 50; narrow path_prefix or the query"
		case f.Shown < f.Total:
			f.Note = "there are more; raise limit (at most 50), or narrow path_prefix or the query"
		}
		if r.Note != "" {
			f.Note = strings.TrimPrefix(f.Note+"; "+r.Note, "; ")
		}
		encoded := encode(f)
		if len(encoded) <= maxReply || len(f.Hits) == 0 {
			return encoded
		}
		f.Hits = f.Hits[:len(f.Hits)-1]
	}
}

// maxHeldPaths bounds the files that a search names as held back.
const maxHeldPaths = 5

// heldPaths collects the first files, in alphabetical order, that a search left
// out. It is safe for concurrent use.
type heldPaths struct {
	mu   sync.Mutex
	list []string
}

// noting returns withhold extended to record what it holds back.
func (h *heldPaths) noting(withhold func(string) bool) func(string) bool {
	if withhold == nil {
		return nil
	}
	return func(path string) bool {
		if !withhold(path) {
			return false
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		at, _ := slices.BinarySearch(h.list, path)
		if h.list = slices.Insert(h.list, at, path); len(h.list) > maxHeldPaths {
			h.list = h.list[:maxHeldPaths]
		}
		return true
	}
}

func (h *heldPaths) first() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, path := range h.list {
		h.list[i] = clip.Text(path, 200)
	}
	return h.list
}

func dots(cut bool) string {
	if cut {
		return "…"
	}
	return ""
}
