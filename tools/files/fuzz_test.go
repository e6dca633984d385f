package files_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

// Whatever a project holds and a caller sends, a reply is JSON of at most
// 28,000 bytes, a failure of at most 4 KiB, or with the diff that waits for a
// person of at most 10,000 bytes, and nothing outside is touched.
func FuzzReplies(f *testing.F) {
	long := strings.Repeat("needle \x01\u202e<&\"\\ ", 3000)
	f.Add(uint8(0), "a.txt", long, "needle", "x", true, 5)
	f.Add(uint8(1), strings.Repeat("\x02d/", 60)+"f", "a\nb\n", "b", long, false, 1)
	f.Add(uint8(2), "../x", "\xff\xfe", "(", "", false, -1)
	f.Add(uint8(3), "\u202e.txt", strings.Repeat("\x03\n", 30_000), "\x03\n\x03", "\x04\r\n", true, 1<<30)
	f.Add(uint8(3), ".env", "x", strings.Repeat("y", 100_000), "z", false, 0)
	f.Add(uint8(4), "a/b.txt", strings.Repeat("x\n", 3000), "x", "\x06", true, 3)
	f.Add(uint8(6), strings.Repeat("\x07", 250), strings.Repeat("\x08\n", 20_000), "", "", true, 16)
	f.Add(uint8(7), "", "", "path", "y", true, 16)
	f.Add(uint8(5), "stale", "one\n"+strings.Repeat("\x05", 9000), "", "", false, 2)
	dir := f.TempDir()
	project := filepath.Join(dir, "project")
	require.NoError(f, os.Mkdir(project, 0o755))
	ledger, err := approval.New(approval.Options{})
	require.NoError(f, err)
	tool, err := files.New(files.Options{Root: project, Ledger: ledger})
	require.NoError(f, err)
	f.Cleanup(func() { _ = tool.Close() })
	f.Fuzz(func(t *testing.T, which uint8, name, content, first, second string, flag bool, number int) {
		path, inside := filepath.Join(project, filepath.FromSlash(name)), filepath.IsLocal(filepath.FromSlash(name))
		if inside && !strings.Contains(name, "\x00") {
			_ = os.MkdirAll(filepath.Dir(path), 0o755) // what no system can name is not there
			_ = os.WriteFile(path, []byte(content), 0o644)
			defer func() {
				top, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(name)), "/")
				_ = os.RemoveAll(filepath.Join(project, top))
			}()
		}
		tool.Update(files.Settings{Fast: number%16 == 0, Secrets: flag}) // writing is slow
		edit := map[string]any{"old_text": first, "new_text": second, "all": flag}
		v := version.Of([]byte(content))
		switch which % 8 {
		case 0:
			checkReply(t, tool, catalog.ListEntries, map[string]any{"path_prefix": second, "glob": first, "cursor": name, "include_ignored": flag})
		case 1:
			checkReply(t, tool, catalog.ReadFile, map[string]any{"path": name, "from": number, "numbers": flag})
			checkReply(t, tool, catalog.ReadFile, map[string]any{"path": name, "tail": number})
		case 2:
			checkReply(t, tool, catalog.SearchContent, map[string]any{"query": first, "path_prefix": second, "regex": flag, "limit": number})
		case 3:
			checkReply(t, tool, catalog.EditFile, map[string]any{"path": name, "version": v, "edits": []any{edit}})
		case 4:
			checkReply(t, tool, catalog.EditFile, map[string]any{"path": name, "version": v, "dry_run": flag,
				"edits": []any{edit, map[string]any{"old_text": second, "new_text": name, "expect": number}}})
		case 5:
			checkReply(t, tool, catalog.ReadFile, map[string]any{"path": name})
			if inside { // this test is not to write elsewhere either
				_ = os.WriteFile(path, []byte(second), 0o644) // where there is such a name
			}
			checkReply(t, tool, catalog.EditFile, map[string]any{"path": name, "version": v, "edits": []any{edit}})
		case 6:
			checkReply(t, tool, catalog.EditFile, map[string]any{"path": name, "version": "none", "edits": []any{map[string]any{"old_text": "", "new_text": content}}})
		default:
			for _, n := range []string{catalog.ListEntries, catalog.ReadFile, catalog.SearchContent, catalog.EditFile} {
				checkReply(t, tool, n, map[string]any{first: second, "path": number})
			}
		}
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "something was made outside")
	})
}

func checkReply(t *testing.T, tool *files.Tool, name string, a map[string]any) {
	t.Helper()
	raw, err := json.Marshal(a)
	require.NoError(t, err)
	r := tool.Handlers()[name](t.Context(), tools.Call{Tool: name, Arguments: raw})
	size := 0
	for _, c := range r.Content {
		size += len(c)
	}
	most := catalog.MaxFileReplyBytes
	switch {
	case r.IsError && r.Reason == string(approval.ApprovalRequired):
		most = catalog.MaxFailureBytes
	case r.IsError:
		most = 4 << 10
	}
	if size > most || size == 0 {
		t.Fatalf("%s: a reply of %d bytes, failure %v", name, size, r.IsError)
	}
	if !json.Valid([]byte(r.Content[0])) {
		t.Fatalf("%s: %q", name, r.Content[0])
	}
}
