//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// otherWriters are programs that add numbered lines to the file $1 until the
// file $2 is there, in five ways. Each prints how many it wrote.
var otherWriters = map[string]string{
	"append":     `echo "line $n" >> "$1"`,
	"descriptor": `[ $((n % 5)) = 1 ] && exec 3>> "$1"; echo "line $n" >&3; [ $((n % 5)) = 0 ] && exec 3>&-`,
	"truncate":   `content=$(cat "$1"); printf '%s\nline %s\n' "$content" $n > "$1"`,
	"sed":        `sed -i "\$a line $n" "$1"`,
	"rename":     `{ cat "$1"; echo "line $n"; } > "$1.other"; mv "$1.other" "$1"`,
}

const writerLoop = `n=0
while [ ! -e "$2" ]; do
	n=$((n + 1))
	%s
	[ $((n %% 4)) = 0 ] && sleep 0.01
done
echo $n`

// otherWriter starts one; the result ends it and returns how many lines it
// wrote.
func otherWriter(t *testing.T, kind, file string) (end func() int) {
	t.Helper()
	stop := filepath.Join(t.TempDir(), "stop")
	cmd := exec.Command("sh", "-c", fmt.Sprintf(writerLoop, otherWriters[kind]), "sh", file, stop)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())
	return func() int {
		require.NoError(t, os.WriteFile(stop, nil, 0o600))
		within(t, "the end of the other program", func() { assert.NoError(t, cmd.Wait(), errs.String()) })
		n, err := strconv.Atoi(strings.TrimSpace(out.String()))
		require.NoError(t, err, errs.String())
		return n
	}
}

// An agent edits a file through fs_edit_file while another program adds lines
// to it: each line is in the file or kept beside it, and a refused edit is not
// in the file unless the refusal says that it may be.
func TestNoLineOfAnotherProgramIsDestroyedByEdits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, os.MkdirAll(w.home, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(w.home, "config.yaml"), []byte("files: {mode: fast}\n"), 0o600))
	root := w.project("app", "")
	w.serve(root)
	a := w.agent()
	for kind := range otherWriters {
		t.Run(kind, func(t *testing.T) {
			folder := filepath.Join(root, kind)
			require.NoError(t, os.Mkdir(folder, 0o755))
			file := filepath.Join(folder, "file.txt")
			require.NoError(t, os.WriteFile(file, []byte("first\n"), 0o644))
			end := otherWriter(t, kind, file)
			edits, refusals := editAgainst(t, a, root, kind+"/file.txt", long.For(time.Second, time.Minute))
			lines := end()
			destroyed, aside, concealed := 0, 0, 0
			require.EventuallyWithT(t, func(c *assert.CollectT) { // what an edit displaced is guarded for a while
				destroyed, aside = missingLines(t, folder, lines)
				assert.Zero(c, destroyed)
			}, patience, 100*time.Millisecond, "lines of the other program are neither in the file nor kept aside")
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			present := 0
			for n, message := range refusals {
				if bytes.Contains(content, fmt.Appendf(nil, "edit %d\n", n)) {
					if present++; !strings.Contains(message, "may be in the file") {
						concealed++
					}
				}
			}
			t.Logf("lines %d, destroyed %d, kept aside %d; edits %d, refused %d, of these in the file %d, and not said %d",
				lines, destroyed, aside, edits, len(refusals), present, concealed)
			assert.Zero(t, concealed, "refused edits are in the file and the refusal did not say so")
			assert.Positive(t, lines)
			assert.Positive(t, edits)
		})
	}
}

// editAgainst makes edits for a while, and returns how many and the messages
// of those that were refused.
func editAgainst(t *testing.T, a *agent, root, path string, length time.Duration) (edits int, refusals map[int]string) {
	refusals = map[int]string{}
	for start := time.Now(); time.Since(start) < length; {
		read := a.ask(root, "fs_read_file", map[string]any{"path": path, "head": 1})
		version := fileReplyOf(t, read).Version
		require.NotEmpty(t, version, read.items)
		edits++
		r := fileReplyOf(t, a.ask(root, "fs_edit_file", map[string]any{"path": path, "version": version,
			"edits": []map[string]any{{"old_text": "first\n", "new_text": fmt.Sprintf("first\nedit %d\n", edits)}}}))
		if !r.Success {
			require.Contains(t, []string{"stale_version", "in_use", "no_match"}, r.Reason, r.Message) // no_match: it was empty for a moment
			refusals[edits] = r.Message
		}
	}
	return edits, refusals
}

// missingLines counts the lines that are nowhere, and those that are only in a
// kept file.
func missingLines(t *testing.T, folder string, lines int) (destroyed, aside int) {
	there := map[string]int{} // 1: in the file, 2: kept
	names, err := filepath.Glob(filepath.Join(folder, "berth-kept-*"))
	require.NoError(t, err)
	for i, name := range append(names, filepath.Join(folder, "file.txt")) {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range strings.Lines(string(content)) {
			there[strings.TrimSpace(line)] = 2
			if i == len(names) {
				there[strings.TrimSpace(line)] = 1
			}
		}
	}
	for n := range lines {
		switch there["line "+strconv.Itoa(n+1)] {
		case 0:
			destroyed++
		case 2:
			aside++
		}
	}
	return destroyed, aside
}
