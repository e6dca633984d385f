package files_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

// bench is a project with the tools on it.
type bench struct {
	*testing.T
	dir    string
	ledger *approval.Ledger
	set    *tools.Set
	tool   *files.Tool
	client tools.Client

	mu      sync.Mutex
	notices []any
}

func newBench(t *testing.T, settings files.Settings) *bench {
	t.Helper()
	b := &bench{T: t, dir: t.TempDir()}
	var err error
	b.ledger, err = approval.New(approval.Options{URL: "http://127.0.0.1:1"})
	require.NoError(t, err)
	b.tool, err = files.New(files.Options{Root: b.dir, Ledger: b.ledger, URL: "http://127.0.0.1:1", Settings: settings, Announce: func(n any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notices = append(b.notices, n)
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.tool.Close()) })
	handlers := b.tool.Handlers()
	for _, d := range slices.Concat(catalog.All(), catalog.ForViews()) {
		if handlers[d.Name] == nil {
			handlers[d.Name] = handlers[catalog.ReadFile] // never called here
		}
	}
	b.set, err = tools.NewSet(handlers)
	require.NoError(t, err)
	return b
}

func (b *bench) announced() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]any(nil), b.notices...)
}

// put writes a file of the project as another program would.
func (b *bench) put(name, content string) string {
	b.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(b, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func (b *bench) content(name string) string {
	b.Helper()
	content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(name)))
	require.NoError(b, err)
	return string(content)
}

// arguments of a call.
type arguments map[string]any

// raw calls a tool as the instance would.
func (b *bench) raw(tool string, a arguments) tools.Reply {
	b.Helper()
	return b.call(tools.Call{Tool: tool, Client: b.client}, a)
}

func (b *bench) call(call tools.Call, a arguments) tools.Reply {
	b.Helper()
	all := arguments{"projectRoot": b.dir}
	for k, v := range a {
		all[k] = v
	}
	text, err := json.Marshal(all)
	require.NoError(b, err)
	call.Arguments = text
	reply := b.set.Call(b.Context(), call)
	size := 0
	for _, c := range reply.Content {
		size += len(c)
	}
	require.LessOrEqual(b, size, catalog.MaxFileReplyBytes)
	if reply.IsError {
		require.LessOrEqual(b, size, 4<<10)
	}
	return reply
}

// reply is any reply of the tools but the text of a file.
type reply struct {
	Success        bool
	Reason         string
	Message        string
	Hint           string
	Nearest        []struct{ Line int }
	CurrentVersion string `json:"current_version"`
	ChangedLines   string `json:"changed_lines"`
	Diff           string
	DiffCut        bool   `json:"diff_cut"`
	PlanID         string `json:"planId"`
	URL            string
	DryRun         bool   `json:"dry_run"`
	NewVersion     string `json:"new_version"`
	Changes        struct {
		Additions, Deletions int
		OldSize              int64 `json:"old_size"`
		NewSize              int64 `json:"new_size"`
	}
	Replaced []int
	Method   string

	Path, Version, Kind string
	MediaType           string `json:"media_type"`
	Size                int64
	Lines, From, To     int
	LineEnding          string `json:"line_ending"`
	BOM                 bool
	FinalNewline        bool `json:"final_newline"`
	CutLines            int  `json:"cut_lines"`
	Note                string

	Entries []struct{ Path, UpdatedAt, Kind string }
	Hits    []struct {
		Path, Snippet, Version string
		Line, Column           int
	}
	Shown, Total int
	Cursor       string
	Ignored      struct{ Files, Directories int }
	Skipped      struct{ Binary, Secret int }
}

func (b *bench) do(tool string, a arguments) reply {
	b.Helper()
	return b.parse(b.raw(tool, a))
}

func (b *bench) parse(r tools.Reply) reply {
	b.Helper()
	require.Nil(b, r.Ask)
	var out reply
	require.NoError(b, json.Unmarshal([]byte(r.Content[0]), &out), r.Content[0])
	require.Equal(b, r.IsError, out.Reason != "", r.Content[0])
	return out
}

type edit map[string]any

// edit calls fs_edit_file on the file as it is.
func (b *bench) edit(name string, edits ...edit) reply {
	b.Helper()
	return b.do(catalog.EditFile, arguments{"path": name, "version": version.Of([]byte(b.content(name))), "edits": edits})
}

const (
	patience = 20 * time.Second
	tick     = 5 * time.Millisecond
)
