package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readmeProject is the project in which the README's commands are typed: two
// tables with text columns, as a newcomer would have them.
const readmeProject = `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), total NUMERIC);
INSERT INTO customer (name) VALUES ('Ann'), ('Ben')`

// notTyped are the README's blocks that are no commands of a running project,
// by a part of theirs, with what plays them instead.
var notTyped = map[string]string{
	"go run ./cmd/berth demo": ".ci/run, and TestDemoTellsTheWholeStoryAndCleansUp",
	"go install ./cmd/berth":  "every test builds it; berth init has tests of its own",
	"go run ./e2e/bench":      "benchmarks, which no test runs",
}

// TestTheREADMEsCommandsDoWhatItSays types every shell block of the README, in
// order, in one project, answering what is asked, and compares what is printed
// with the comments there.
func TestTheREADMEsCommandsDoWhatItSays(t *testing.T) {
	readme := readREADME(t)
	typist := newTypist(t)
	typed := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme, -1) {
		if slices.ContainsFunc(keysOf(notTyped), func(part string) bool { return strings.Contains(block[1], part) }) {
			continue
		}
		for _, c := range commandsOf(block[1]) {
			printed := typist.types(c.text)
			for _, says := range c.says {
				typist.matches(says, printed, c.text)
			}
			typed++
		}
	}
	assert.Greater(t, typed, 8, "commands were found and typed")
}

// TestTheREADMEsTableOfToolsDoesWhatItSays calls each tool as the table does.
func TestTheREADMEsTableOfToolsDoesWhatItSays(t *testing.T) {
	_, rest, found := strings.Cut(readREADME(t), "| tool | example arguments (beside `projectRoot`) | reply |\n")
	require.True(t, found)
	table, _, _ := strings.Cut(rest, "\n\n")
	typist := newTypist(t)
	code := regexp.MustCompile("`([^`]*)`")
	called := 0
	for _, row := range strings.Split(table, "\n")[1:] {
		cells := strings.Split(row, " | ")
		require.Len(t, cells, 3, row)
		tools, args := code.FindAllStringSubmatch(cells[0], -1), code.FindAllStringSubmatch(cells[1], -1)
		require.Equal(t, len(tools), len(args), "an example for each tool: %s", row)
		for i, tool := range tools {
			printed := typist.types("berth call " + tool[1] + " '" + args[i][1] + "'")
			if reply := code.FindStringSubmatch(cells[2]); reply != nil && strings.HasPrefix(cells[2], "`") && strings.ContainsAny(reply[1], "{[") {
				typist.matches(reply[1], printed, row)
			}
			called++
		}
	}
	assert.Greater(t, called, 12)
}

// TestTheREADMEListsEveryCommand compares the table of commands with what berth
// has.
func TestTheREADMEListsEveryCommand(t *testing.T) {
	w := newWorld(t)
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`berth .*?) \\|").FindAllStringSubmatch(readREADME(t), -1) {
		for _, c := range regexp.MustCompile("`berth ([a-z]+)").FindAllStringSubmatch(row[1], -1) {
			listed[c[1]] = true
			assert.Zero(t, w.berth(c[1], "--help").code, c[1])
		}
	}
	help := w.berth("--help").stdout
	for _, line := range regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(help, -1) {
		if !slices.Contains([]string{"help", "completion", "version"}, line[1]) {
			assert.True(t, listed[line[1]], "the README's table has no berth %s", line[1])
		}
	}
	assert.Greater(t, len(listed), 12)
}

func readREADME(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	return string(text)
}

// documentedCommand is one command with the comments behind it that say what
// it prints.
type documentedCommand struct {
	text string
	says []string
}

// commandsOf reads a block: a command ends with its line, unless a quote is
// open there.
func commandsOf(block string) (commands []documentedCommand) {
	var text string
	for line := range strings.Lines(block) {
		if says, ok := strings.CutPrefix(line, "# "); ok && text == "" && len(commands) > 0 {
			last := &commands[len(commands)-1]
			last.says = append(last.says, strings.TrimSpace(says))
			continue
		}
		text += line
		if strings.Count(text, "'")%2 == 0 {
			if strings.TrimSpace(text) != "" {
				commands = append(commands, documentedCommand{text: strings.TrimSpace(text)})
			}
			text = ""
		}
	}
	return commands
}

// matches compares what the README says is printed with what was: … is
// anything, and so is what is left of a shortened version. Spaces do not count.
func (p *typist) matches(says, printed, command string) {
	p.t.Helper()
	pattern := regexp.MustCompile(`"[0-9a-f]{4}…"`).ReplaceAllString(says, `"…"`)
	pattern = strings.ReplaceAll(regexp.QuoteMeta(tight(pattern)), "…", ".*")
	assert.Regexp(p.t, "(?s)"+pattern, tight(printed), "README: %s", command)
}

func tight(s string) string { return strings.Join(strings.Fields(s), "") }

// typist is a person who types the README's commands in a project that is
// served. Where the README shortens a version or a plan's id, they type the
// one that they saw last.
type typist struct {
	*world
	root, shell string
	version     string
}

func newTypist(t *testing.T) *typist {
	t.Helper()
	w := newWorld(t)
	w.env = append(without(w.env, "PATH"), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	root := w.project("shop", readmeProject+`; CREATE TABLE cart (id INTEGER PRIMARY KEY); INSERT INTO cart VALUES (1)`)
	for name, text := range map[string]string{
		"src/scenes/GameScene.js": "export class GameScene {\n  color: red\n}\n",
		"main.go":                 "package main\n\n// retry is a word to find.\nvar a = 1\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	w.serve(root)
	return &typist{world: w, root: root, shell: filepath.Join(w.dir, "shell")}
}

var (
	shortened  = regexp.MustCompile(`"(expectedVersion|version)": "[0-9a-f]*…"`)
	versionIn  = regexp.MustCompile(`"version":\s*"([0-9A-Za-z_-]{16,})"`)
	planWaits  = regexp.MustCompile(`waits for them as plan (\w+)`)
	typedWords = []struct{ command, prompt, answer string }{
		{"berth publish", "Approve? [y/N] ", "y"},
		{"berth approvals --approve", "Approve? [y/N] ", "y"},
		{"berth call", "Approve? [y/N] ", "y"},
	}
)

// types runs a command at a terminal, answers yes where it asks, and returns
// what it printed. It fails the test if the command fails.
func (p *typist) types(command string) string {
	p.t.Helper()
	if strings.Contains(command, "fs_edit_file") { // the version of that file, and no other
		path := regexp.MustCompile(`"path": "([^"]*)"`).FindStringSubmatch(command)
		require.NotNil(p.t, path, command)
		p.types(fmt.Sprintf(`berth call fs_read_file '{"path": %q}'`, path[1]))
	}
	if shortened.MatchString(command) {
		require.NotEmpty(p.t, p.version, "a version was seen before %s", command)
		command = shortened.ReplaceAllString(command, `"$1": "`+p.version+`"`)
	}
	if strings.Contains(command, "--approve ID") {
		waits := p.run(binary, p.root, "call", "execute-sql", `{"statement": "DELETE FROM cart"}`)
		id := planWaits.FindStringSubmatch(waits.stdout + waits.stderr)
		require.NotNil(p.t, id, "%s%s", waits.stdout, waits.stderr)
		command = strings.Replace(command, "--approve ID", "--approve "+id[1], 1)
	}
	person := terminalInput{}
	for _, a := range typedWords {
		if strings.HasPrefix(command, a.command) {
			person = terminalInput{prompt: a.prompt, text: a.answer}
			break
		}
	}
	script := "set -o pipefail; [ ! -f " + p.shell + " ] || source " + p.shell + "\n" + command + "\ncode=$?; declare -p V >" + p.shell + " 2>/dev/null; exit $code"
	got := p.programAtTTY(p.root, person, "bash", "-c", script)
	require.Zero(p.t, got.code, "%s\n%s", command, got.stdout)
	if v := versionIn.FindStringSubmatch(got.stdout); v != nil {
		p.version = v[1]
	}
	return got.stdout
}

func keysOf(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}
