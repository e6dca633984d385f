package e2e

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheREADMEsFirstFiveMinutes types the console blocks of that section in an
// empty home, with nothing in the environment that berth could want, and
// compares every line that the README prints.
func TestTheREADMEsFirstFiveMinutes(t *testing.T) {
	_, section, found := strings.Cut(readREADME(t), "### The first five minutes\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	n := newNewcomer(t)
	n.has("my-shop", "shop.db", "CREATE TABLE purchase (id INTEGER PRIMARY KEY)")
	require.NoError(t, os.Mkdir(filepath.Join(n.user, "my-project"), 0o755))
	began, first := time.Now(), time.Duration(0)
	typed := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(section, -1) {
		for _, c := range consoleOf(block[1]) {
			if c.text == "berth connect app.db" { // it is the newcomer's own, from before
				n.has("my-project", "app.db", "CREATE TABLE customer (id INTEGER PRIMARY KEY)")
			}
			n.types(c)
			if typed++; first == 0 && strings.HasPrefix(c.text, "berth call") {
				first = time.Since(began)
			}
		}
	}
	assert.Equal(t, 8, typed, "commands were found and typed")
	t.Logf("%.1f s from the first command to the first answer", first.Seconds())
}

// newcomer is a person whose home has nothing of berth's, in a shell that has
// berth on its path.
type newcomer struct {
	*world
	user, at string // the home, and where the shell is
}

func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	w := newWorld(t)
	n := &newcomer{world: w, user: filepath.Join(w.dir, "home", "ann")}
	require.NoError(t, os.MkdirAll(n.user, 0o700))
	n.at = n.user
	var ports string
	for _, v := range w.env {
		if strings.HasPrefix(v, "BERTH_FIRST_PORT=") { // this machine may serve berths of others
			ports = v
		}
	}
	n.env = []string{"HOME=" + n.user, "PATH=" + filepath.Dir(binary) + ":/usr/bin:/bin", ports}
	return n
}

// has makes a database in a folder of the home.
func (n *newcomer) has(project, file, script string) {
	n.t.Helper()
	require.NoError(n.t, os.MkdirAll(filepath.Join(n.user, project), 0o755))
	db, err := sql.Open("sqlite", filepath.Join(n.user, project, file))
	require.NoError(n.t, err)
	_, err = db.Exec(script)
	require.NoError(n.t, err)
	require.NoError(n.t, db.Close())
}

// types runs a command and compares what it prints, line by line. One that ends
// with & is left running once it has printed what the README has.
func (n *newcomer) types(c documentedCommand) {
	n.t.Helper()
	if dir, ok := strings.CutPrefix(c.text, "cd ~/"); ok {
		n.at = filepath.Join(n.user, dir)
		return
	}
	says := n.expected(c.says)
	text, background := strings.CutSuffix(c.text, " &")
	cmd := exec.Command("sh", "-c", "exec "+text)
	cmd.Dir, cmd.Env = n.at, n.env
	if !background {
		out, err := cmd.CombinedOutput()
		require.NoError(n.t, err, "%s: %s", c.text, out)
		assert.Regexp(n.t, says, string(out), "README: %s", c.text)
		return
	}
	var out buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(n.t, cmd.Start())
	n.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	require.Eventually(n.t, func() bool { return says.MatchString(out.String()) }, patience, 10*time.Millisecond,
		"README: %s prints %s and no\n%s", c.text, &out, says)
}

// expected is what the README's lines say of all that a command prints: … is
// anything, on a line of its own any lines; ann's home is the newcomer's, and
// a port is one that is free here.
func (n *newcomer) expected(lines []string) *regexp.Regexp {
	n.t.Helper()
	pattern := ""
	for _, line := range lines {
		if line == "…" {
			pattern += `(.*\n)*?`
			continue
		}
		line = strings.ReplaceAll(line, "/home/ann/", n.user+"/")
		line = strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
		pattern += regexp.MustCompile(`(http://127\\.0\\.0\\.1:)\d+`).ReplaceAllString(line, `$1\d+`) + `\n`
	}
	return regexp.MustCompile(`\A` + pattern + `\z`)
}

// consoleOf reads a block of commands, each behind "$ ", and what they print.
func consoleOf(block string) (commands []documentedCommand) {
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, documentedCommand{text: text})
		} else if len(commands) > 0 {
			last := &commands[len(commands)-1]
			last.says = append(last.says, line)
		}
	}
	return commands
}
