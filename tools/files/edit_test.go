package files_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

var fast = files.Settings{Fast: true}

func TestReadThenEditThenTheReceipt(t *testing.T) {
	b := newBench(t, fast)
	b.put("src/main.go", "one\r\ntwo\r\nthree\r\n")
	read := b.raw(catalog.ReadFile, arguments{"path": "/src/main.go"})
	r := b.parse(read)
	assert.Equal(t, "one\ntwo\nthree\n", read.Content[1])
	assert.Equal(t, "crlf", r.LineEnding)
	assert.True(t, r.FinalNewline)
	assert.Equal(t, 4, r.Lines)

	e := b.do(catalog.EditFile, arguments{"path": "src/main.go", "version": r.Version, "edits": []edit{{"old_text": "two", "new_text": "2\nand a half"}}})
	assert.True(t, e.Success)
	assert.Equal(t, "one\r\n2\r\nand a half\r\nthree\r\n", b.content("src/main.go"))
	assert.Equal(t, version.Of([]byte(b.content("src/main.go"))), e.NewVersion)
	assert.Equal(t, "--- a/src/main.go\n+++ b/src/main.go\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+and a half\n three\n", e.Diff)
	assert.Equal(t, [4]int64{2, 1, 17, 27}, [4]int64{int64(e.Changes.Additions), int64(e.Changes.Deletions), e.Changes.OldSize, e.Changes.NewSize})
	assert.NotEmpty(t, e.Method)
	assert.Equal(t, []any{files.EditNotice{Type: "file_edited", Path: "src/main.go", Additions: 2, Deletions: 1, Fast: true, EditID: b.editID()}}, b.announced())

	again := b.do(catalog.EditFile, arguments{"path": "src/main.go", "version": e.NewVersion, "edits": []edit{{"old_text": "three", "new_text": "3"}}})
	assert.True(t, again.Success, "the receipt's version is good for the next edit")
}

func TestADryRunWritesNothing(t *testing.T) {
	for _, settings := range []files.Settings{{}, fast} {
		b := newBench(t, settings)
		b.put("a.txt", "x x\n")
		r := b.do(catalog.EditFile, arguments{"path": "a.txt", "version": version.Of([]byte("x x\n")), "dry_run": true,
			"edits": []edit{{"old_text": "x", "new_text": "$1", "all": true}}})
		assert.True(t, r.DryRun)
		assert.Equal(t, []int{2}, r.Replaced)
		assert.Contains(t, r.Diff, "+$1 $1\n")
		assert.Equal(t, version.Of([]byte("$1 $1\n")), r.NewVersion)
		assert.Equal(t, "x x\n", b.content("a.txt"))
		assert.Empty(t, b.announced())
		assert.Zero(t, b.ledger.Pending())
	}
}

func TestInSafeModeAPersonAllowsEachEdit(t *testing.T) {
	b := newBench(t, files.Settings{})
	b.put("a.txt", "one\n")
	call := arguments{"path": "a.txt", "version": version.Of([]byte("one\n")), "edits": []edit{{"old_text": "one", "new_text": "two"}}}
	r := b.do(catalog.EditFile, call)
	assert.False(t, r.Success)
	assert.Equal(t, "approval_required", r.Reason)
	assert.Equal(t, "http://127.0.0.1:1", r.URL)
	assert.Contains(t, r.Diff, "-one\n+two\n")
	require.NotEmpty(t, r.PlanID)
	waiting := b.ledger.List()
	require.Len(t, waiting, 1)
	assert.Equal(t, "Edit a.txt (+1 -1)", waiting[0].Title)
	assert.Equal(t, r.Diff, waiting[0].Detail)

	call["plan_id"] = r.PlanID
	assert.Equal(t, "approval_required", b.do(catalog.EditFile, call).Reason, "nobody has decided")
	assert.Equal(t, "one\n", b.content("a.txt"))
	_, err := b.ledger.Settle(r.PlanID, true, "")
	require.NoError(t, err)
	assert.True(t, b.do(catalog.EditFile, call).Success)
	assert.Equal(t, "two\n", b.content("a.txt"))
	assert.Equal(t, "stale_version", b.do(catalog.EditFile, call).Reason, "a yes is good once")
	assert.Equal(t, "two\n", b.content("a.txt"))
}

func TestAYesIsForTheFileAsItWasShown(t *testing.T) {
	b := newBench(t, files.Settings{})
	path := b.put("a.txt", "one\n")
	call := arguments{"path": "a.txt", "version": version.Of([]byte("one\n")), "edits": []edit{{"old_text": "one", "new_text": "two"}}}
	r := b.do(catalog.EditFile, call)
	_, err := b.ledger.Settle(r.PlanID, true, "")
	require.NoError(t, err)
	call["plan_id"] = r.PlanID
	call["edits"] = []edit{{"old_text": "one", "new_text": "three"}}
	assert.Equal(t, "approval_required", b.do(catalog.EditFile, call).Reason, "another edit")
	assert.Equal(t, "one\n", b.content("a.txt"))

	r = b.do(catalog.EditFile, arguments{"path": "a.txt", "version": version.Of([]byte("one\n")), "edits": []edit{{"old_text": "one", "new_text": "two"}}})
	_, err = b.ledger.Settle(r.PlanID, true, "")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("one\nmore\n"), 0o644))
	call["plan_id"], call["edits"] = r.PlanID, []edit{{"old_text": "one", "new_text": "two"}}
	assert.Equal(t, "stale_version", b.do(catalog.EditFile, call).Reason, "another file")
	call["version"] = version.Of([]byte("one\nmore\n"))
	assert.Equal(t, "approval_required", b.do(catalog.EditFile, call).Reason, "another version")
	assert.Equal(t, "one\nmore\n", b.content("a.txt"))
}

func TestAClientThatCanAskIsAsked(t *testing.T) {
	b := newBench(t, files.Settings{})
	b.client = tools.Client{ID: "front-end", Elicitation: true}
	b.put("a.txt", "one\n")
	call := arguments{"path": "a.txt", "version": version.Of([]byte("one\n")), "edits": []edit{{"old_text": "one", "new_text": "two"}}}
	for answer, want := range map[string]string{`"decline"`: "one\n", `"cancel"`: "one\n", `"accept"`: "one\n", `"accept","content":{"decision":"reject"}`: "one\n",
		`"accept","content":{"decision":"approve"}`: "two\n"} {
		b.put("a.txt", "one\n")
		asked := b.raw(catalog.EditFile, call)
		require.NotNil(t, asked.Ask)
		assert.Contains(t, string(asked.Ask.Requests), `Edit a.txt (+1 -1)`)
		assert.Contains(t, string(asked.Ask.Requests), `Edit a.txt (+1 -1)\n-one\n+two"`)
		again := tools.Call{Tool: catalog.EditFile, Client: b.client, State: asked.Ask.State, Answers: json.RawMessage(fmt.Sprintf(`{"confirm":{"action":%s}}`, answer))}
		r := b.parse(b.call(again, call))
		assert.Equal(t, want == "two\n", r.Success)
		assert.Equal(t, want, b.content("a.txt"), answer)
	}
}

func TestTheModeIsChangedWhileServing(t *testing.T) {
	b := newBench(t, files.Settings{})
	b.put("a.txt", "one\n")
	assert.Equal(t, "approval_required", b.edit("a.txt", edit{"old_text": "one", "new_text": "two"}).Reason)
	b.tool.Update(fast)
	assert.True(t, b.edit("a.txt", edit{"old_text": "one", "new_text": "two"}).Success)
	b.tool.Update(files.Settings{})
	assert.Equal(t, "approval_required", b.edit("a.txt", edit{"old_text": "two", "new_text": "one"}).Reason)
}

func TestAFileIsCreatedByTheVersionNone(t *testing.T) {
	b := newBench(t, fast)
	r := b.do(catalog.EditFile, arguments{"path": "new/a.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x\r\ny"}}})
	assert.True(t, r.Success)
	assert.Equal(t, "create", r.Method)
	assert.Equal(t, "x\r\ny", b.content("new/a.txt"))
	assert.Equal(t, "--- /dev/null\n+++ b/new/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n", r.Diff)
	assert.Equal(t, "exists", b.do(catalog.EditFile, arguments{"path": "new/a.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "z"}}}).Reason)
	assert.Equal(t, "invalid_request", b.do(catalog.EditFile, arguments{"path": "b.txt", "version": "none", "edits": []edit{{"old_text": "a", "new_text": "z"}}}).Reason)
	assert.True(t, b.edit("new/a.txt", edit{"old_text": "x\ny", "new_text": ""}).Success, "and emptied")
	assert.Empty(t, b.content("new/a.txt"))
}

func TestAStaleEditIsToldWhatChanged(t *testing.T) {
	b := newBench(t, fast)
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	b.put("a.txt", long.String())
	v := b.do(catalog.ReadFile, arguments{"path": "a.txt", "head": 1}).Version
	edited := strings.Replace(long.String(), "line 7\n", "line seven\n", 1)
	b.put("a.txt", edited)
	call := arguments{"path": "a.txt", "version": v, "edits": []edit{{"old_text": "line 9\n", "new_text": "line nine\n"}}}
	r := b.do(catalog.EditFile, call)
	assert.Equal(t, "stale_version", r.Reason)
	assert.Equal(t, version.Of([]byte(edited)), r.CurrentVersion)
	assert.Contains(t, r.Diff, "-line 7\n+line seven\n")
	assert.Equal(t, edited, b.content("a.txt"))

	b.put("a.txt", strings.ReplaceAll(edited, "1", "one"))
	r = b.do(catalog.EditFile, call)
	assert.True(t, r.DiffCut, "the diff is too long")
	assert.NotEmpty(t, r.ChangedLines)

	for i := range 70 { // so many versions are held
		b.put("b.txt", fmt.Sprint(i))
		b.do(catalog.ReadFile, arguments{"path": "b.txt"})
	}
	b.put("a.txt", edited)
	r = b.do(catalog.EditFile, call)
	assert.Empty(t, r.Diff)
	assert.Equal(t, "8", r.ChangedLines, "lines are known longer than texts")

	call["version"] = "AAAAAAAAAAAAAAAAAAAAAA"
	r = b.do(catalog.EditFile, call)
	assert.Equal(t, "stale_version", r.Reason)
	assert.Contains(t, r.Hint, "not known here")
}

func TestEditsThatDoNotFitAreExplained(t *testing.T) {
	b := newBench(t, fast)
	b.put("a.txt", "a\n\tb\na\n")
	assert.Equal(t, "ambiguous", b.edit("a.txt", edit{"old_text": "a", "new_text": "x"}).Reason)
	assert.Equal(t, "empty_old_text", b.edit("a.txt", edit{"old_text": "", "new_text": "x"}).Reason)
	assert.Equal(t, "overlap", b.edit("a.txt", edit{"old_text": "\tb", "new_text": "x"}, edit{"old_text": "b\na", "new_text": "x"}).Reason)
	assert.Equal(t, "count_mismatch", b.edit("a.txt", edit{"old_text": "a", "new_text": "x", "expect": 3}).Reason)
	r := b.edit("a.txt", edit{"old_text": "    b", "new_text": "x"})
	assert.Equal(t, "no_match", r.Reason)
	assert.Equal(t, "line 2, column 1: the file has a tab where old_text has 4 spaces", r.Hint)
	assert.Equal(t, 2, r.Nearest[0].Line)
	assert.Equal(t, "a\n\tb\na\n", b.content("a.txt"))
	assert.True(t, b.edit("a.txt", edit{"old_text": "a", "new_text": "aa", "expect": 2}).Success)
	assert.Equal(t, "aa\n\tb\naa\n", b.content("a.txt"))
}

func TestWhatIsNotWrittenByATool(t *testing.T) {
	b := newBench(t, fast)
	b.put(".gitignore", "*.log\n/build/\n")
	for _, name := range []string{".git/config", ".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", ".git./x", "git~1/config",
		".berth/config.yaml", ".Berth/config.yaml", "sub/.berth/x", "app.log", "build/out.txt", "sub/deep.log", ".berth-tmp-draft-x"} {
		r := b.do(catalog.EditFile, arguments{"path": name, "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}})
		want := "protected"
		if runtime.GOOS == "windows" && strings.Contains(name, "./") {
			want = "invalid_path" // no name ends with a dot there
		}
		assert.Equal(t, want, r.Reason, name)
		_, err := os.Lstat(filepath.Join(b.dir, filepath.FromSlash(name)))
		assert.Error(t, err, name)
	}
	b.put("kept.log", "x\n")
	assert.Equal(t, "protected", b.edit("kept.log", edit{"old_text": "x", "new_text": "y"}).Reason)
}

func TestSecretsAreListedAndReadOnlyWhereConfigAllows(t *testing.T) {
	b := newBench(t, fast)
	for _, name := range []string{".env", ".env.production", "certs/server.pem", "id_ed25519", ".berth/config.yaml", "app/credentials.json"} {
		b.put(name, "hunter2\n")
		r := b.do(catalog.ReadFile, arguments{"path": name})
		assert.Equal(t, "secret", r.Reason, name)
		assert.NotContains(t, fmt.Sprint(b.raw(catalog.EditFile, arguments{"path": name, "version": "x", "edits": []edit{{"old_text": "hunter3", "new_text": "y"}}})), "hunter2")
	}
	b.put(".env.example", "hunter2\n")
	assert.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": ".env.example"}).Lines)
	found := b.do(catalog.SearchContent, arguments{"query": "hunter"})
	require.Len(t, found.Hits, 1)
	assert.Equal(t, ".env.example", found.Hits[0].Path)
	assert.Equal(t, 6, found.Skipped.Secret)
	assert.Contains(t, fmt.Sprint(b.do(catalog.ListEntries, nil).Entries), ".env.production")

	b.tool.Update(files.Settings{Secrets: true, Fast: true})
	assert.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": ".env"}).Lines)
	assert.True(t, b.edit(".env", edit{"old_text": "hunter2", "new_text": "hunter3"}).Success)
}

// What runs without anybody calling it is asked about in fast mode too.
func TestFilesThatRunCodeAreAskedAboutInFastMode(t *testing.T) {
	b := newBench(t, fast)
	for _, name := range []string{".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".mcp.json", ".cursor/mcp.json", ".cursor/rules/x.mdc",
		".claude/settings.json", ".claude/settings.local.json", ".husky/pre-commit", ".githooks/pre-push", ".github/workflows/ci.yml", ".gitlab-ci.yml",
		".circleci/config.yml", "Jenkinsfile", ".devcontainer/devcontainer.json", ".gitmodules", ".gitattributes", ".gitignore", "sub/.gitignore",
		"AGENTS.md", "CLAUDE.md", "sub/CLAUDE.md", ".pre-commit-config.yaml", ".Vscode/Tasks.json", ".yarnrc.yml", "package.json"} {
		content := `{"scripts": {"postinstall": "x"}}`
		r := b.do(catalog.EditFile, arguments{"path": name, "version": "none", "edits": []edit{{"old_text": "", "new_text": content}}})
		assert.Equal(t, "approval_required", r.Reason, name)
		_, err := os.Lstat(filepath.Join(b.dir, filepath.FromSlash(name)))
		assert.Error(t, err, name)
	}
	for _, name := range []string{"src/main.go", "Makefile", "Dockerfile", "README.md", "workflows/x.yml", "docs/agents.txt"} {
		r := b.do(catalog.EditFile, arguments{"path": name, "version": "none", "edits": []edit{{"old_text": "", "new_text": "x\n"}}})
		assert.True(t, r.Success, "%s: %s", name, r.Message)
	}
}

func TestPackageJSONIsAskedAboutWhereItsScriptsChange(t *testing.T) {
	b := newBench(t, fast)
	b.put("package.json", `{"name": "a", "scripts": {"test": "x"}, "dependencies": {"b": "1"}}`)
	assert.True(t, b.edit("package.json", edit{"old_text": `"b": "1"`, "new_text": `"b": "2"`}).Success)
	assert.Equal(t, "approval_required", b.edit("package.json", edit{"old_text": `"test": "x"`, "new_text": `"test": "y"`}).Reason)
	assert.Equal(t, "approval_required", b.edit("package.json", edit{"old_text": `"name": "a",`, "new_text": `"husky": {},`}).Reason)
	assert.Equal(t, "approval_required", b.edit("package.json", edit{"old_text": `{"name"`, "new_text": `"name"`}).Reason, "what it says then cannot be told")
}

// A second name of a file that is held back shows no more than the first.
func TestAHardLinkToAHeldBackFileIsNotRead(t *testing.T) {
	b := newBench(t, fast)
	b.put(".gitignore", ".env\n")
	b.put(".env", "KEY=hunter2\n")
	b.put("notes.txt", "hunter2 is elsewhere\n")
	require.NoError(t, os.Link(filepath.Join(b.dir, ".env"), filepath.Join(b.dir, "plain.txt")))
	require.NoError(t, os.Link(filepath.Join(b.dir, "notes.txt"), filepath.Join(b.dir, "other.txt")))

	assert.Equal(t, "secret", b.do(catalog.ReadFile, arguments{"path": "plain.txt"}).Reason)
	assert.Equal(t, 2, b.do(catalog.ReadFile, arguments{"path": "other.txt"}).Lines, "a link to a file that anybody may read")
	found := b.do(catalog.SearchContent, arguments{"query": "hunter2"})
	assert.Equal(t, 2, found.Total)
	for _, hit := range found.Hits {
		assert.NotEqual(t, "plain.txt", hit.Path)
	}
	r := b.edit("plain.txt", edit{"old_text": "nothing", "new_text": "x"})
	assert.Equal(t, "hard_linked", r.Reason)
	assert.NotContains(t, fmt.Sprint(r), "hunter2")
}

func TestRepliesSayWhatIsHeldBack(t *testing.T) {
	b := newBench(t, fast)
	for _, name := range []string{".env", "a.pem", "b.pem", "c.pem", "d.pem", "e.pem", "main.go"} {
		b.put(name, "needle\n")
	}
	listed := b.raw(catalog.ListEntries, nil).Content[0]
	assert.Contains(t, listed, `"held_back":true`)
	assert.Equal(t, 6, strings.Count(listed, "held_back"))
	found := b.raw(catalog.SearchContent, arguments{"query": "needle"}).Content[0]
	assert.Contains(t, found, `"secret":6`)
	assert.Contains(t, found, `"held_back":[".env","a.pem","b.pem","c.pem","d.pem"]`)
	read := b.do(catalog.ReadFile, arguments{"path": ".env"})
	assert.Contains(t, read.Message, "environment files")
}
