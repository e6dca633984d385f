package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is a name that rewrites a terminal: it goes up and erases what
// stood there, turns the reading direction, and hides a character.
const hostile = "x\x1b[40A\x1b[JNothing\u202e will\u200b be\u009b2J changed"

// ownColours are what berth itself puts on a terminal.
var ownColours = regexp.MustCompile(`\x1b\[(?:0|1|31|32|36)m`)

// mustBeSeen checks that a terminal got nothing that is not seen.
func mustBeSeen(t *testing.T, what, screen string) {
	t.Helper()
	for _, r := range ownColours.ReplaceAllString(screen, "") {
		if r == '\n' || r == '\r' || r == '\t' {
			continue
		}
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			assert.Fail(t, "a terminal was sent what is not seen", "%s: %q in %q", what, r, screen)
			return
		}
	}
}

// quotedName is the hostile name as the dialect quotes it.
func (s servedDatabase) quotedName() string {
	if s.dialect == "mysql" {
		return "`" + hostile + "`"
	}
	return `"` + hostile + `"`
}

func TestNoNameWritesToATerminal(t *testing.T) {
	for _, dialect := range []string{"sqlite", "postgres", "mysql"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := dialects[dialect](t, newWorld(t))
			s.exec("CREATE TABLE "+s.quotedName()+" (id INTEGER PRIMARY KEY)", "INSERT INTO "+s.quotedName()+" VALUES (1)")
			root := filepath.Join(filepath.Dir(s.root), "app\u202e\x1b[2Jgnp")
			require.NoError(t, os.Rename(s.root, root))
			s.root = root
			s.serve(root)
			agent := s.agent()
			version := agent.design(root, map[string]any{"operation": "show"}).Version
			dropped := agent.design(root, edits(version, map[string]any{"op": "drop_table", "table": map[string]any{"name": hostile}}))
			require.True(t, dropped.Success, dropped.text)
			require.NoError(t, os.WriteFile(filepath.Join(root, "hostile.txt"), []byte(hostile), 0o644))
			filed := agent.ask(root, "fs_edit_file", map[string]any{"path": "new.txt", "version": "none",
				"edits": []any{map[string]any{"old_text": "", "new_text": hostile}}})
			require.Contains(t, filed.text(), "approval_required")
			s.everyCommand()
			s.exactInPipes()
		})
	}
}

// everyCommand runs what reports at a terminal.
func (s servedDatabase) everyCommand() {
	s.t.Helper()
	missing, err := json.Marshal(map[string]string{"table": "y" + hostile})
	require.NoError(s.t, err)
	for _, args := range [][]string{
		{"ls"}, {"ls", "--json"}, {"doctor"}, {"config"}, {"config", "--json"}, {"approvals"}, {"approvals", "--json"},
		{"diff"}, {"diff", "--sql"}, {"verify"}, {"export", "--format", "dbml"}, {"export", hostile}, {"no such " + hostile},
		{"call", "get-tables"}, {"call", "fs_read_file", `{"path":"hostile.txt"}`}, {"call", "get-schema", string(missing)},
		{"call", designer, `{"operation":"get_changes"}`}, {"approvals", "--approve", hostile}, {"approvals", hostile},
	} {
		got := s.atTTY(s.root, terminalInput{}, args...)
		mustBeSeen(s.t, "berth "+strings.Join(args, " "), got.stdout)
		if args[len(args)-1] == "--json" {
			assert.True(s.t, json.Valid([]byte(got.stdout)), "berth %v is JSON: %s", args, got.stdout)
		}
	}
	mustBeSeen(s.t, "berth publish", s.atTTY(s.root, terminalInput{prompt: " to approve: ", text: "no"}, "publish").stdout)
	again := s.atTTY(s.root, terminalInput{prompt: "taking over", text: "\x03"}, "serve", "--verbose")
	mustBeSeen(s.t, "berth serve", again.stdout)
	s.serve(s.root)
}

// exactInPipes checks that a program gets what there is.
func (s servedDatabase) exactInPipes() {
	s.t.Helper()
	assert.Contains(s.t, s.run("diff", "--sql"), hostile, "a script in a pipe is the script")
	var list []struct{ ProjectRoot string }
	require.NoError(s.t, json.Unmarshal([]byte(s.run("ls", "--json")), &list))
	require.Len(s.t, list, 1)
	assert.Equal(s.t, s.root, list[0].ProjectRoot, "JSON says the same, escaped")
	mustBeSeen(s.t, "berth ls in a pipe", s.run("ls"))
}
