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

	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

// read returns the path that fs_read_file read, or the failure.
func (p *place) read(t *testing.T, path, root string) (string, reply) {
	t.Helper()
	r := p.raw(catalog.ReadFile, arguments{"path": path, "projectRoot": root})
	if r.IsError {
		return "", p.parse(r)
	}
	var header struct{ Path string }
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &header))
	return header.Path, reply{}
}

func TestPathsThatBeginWithTheProjectsFolderLieBelowIt(t *testing.T) {
	for _, mount := range []string{"", "game"} {
		for _, p := range places(t, files.Settings{Fast: true}, mount) {
			at := strings.TrimPrefix(mount+"/a.js", "/")
			p.put("a.js", "one\n")
			link := filepath.Join(t.TempDir(), "link")
			require.NoError(t, os.Symlink(p.dir, link))
			for _, path := range []string{at, "/" + at, "./" + at, "././" + at, p.dir + "/" + at, link + "/" + at, p.dir + "//"[:1] + at} {
				got, failed := p.read(t, path, link)
				assert.Equal(t, at, got, "%s: %s %s", p.name, path, failed.Message)
			}
			_, failed := p.read(t, p.dir+"x/"+at, p.dir)
			want := "not_found"
			if runtime.GOOS == "windows" {
				want = "invalid_path" // a name holds no colon there
			}
			assert.Equal(t, want, failed.Reason, "a neighbour whose name begins alike is not the project")
			for _, bad := range []string{p.dir, p.dir + "/", p.dir + "/../x", p.dir + "/./" + at, "/./" + at, ".//" + at, "."} {
				_, failed := p.read(t, bad, p.dir)
				assert.Equal(t, "invalid_path", failed.Reason, "%s: %s", p.name, bad)
			}
			_, failed = p.read(t, p.dir+"/.git/config", p.dir)
			assert.Equal(t, "protected", failed.Reason, "what is not read by one name is not read by another")
			_, failed = p.read(t, p.dir+"/.env", p.dir)
			assert.Equal(t, "secret", failed.Reason)

			listed := p.raw(catalog.ListEntries, arguments{"path_prefix": p.dir + "/" + at})
			assert.Contains(t, listed.Content[0], `"path":"`+at+`"`, p.name)
			found := p.raw(catalog.SearchContent, arguments{"path_prefix": "./" + at, "query": "one"})
			assert.Contains(t, found.Content[0], `"total":1`, p.name)
			edited := p.do(catalog.EditFile, arguments{"path": p.dir + "/" + at, "version": version.Of([]byte("one\n")),
				"edits": []edit{{"old_text": "one", "new_text": "two"}}})
			assert.True(t, edited.Success, "%s: %s", p.name, edited.Message)
		}
	}
}

func TestPathWithTwoReadingsIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a path of Windows has one reading: a name holds no colon")
	}
	for _, p := range places(t, files.Settings{Fast: true}, "") {
		inner := strings.TrimPrefix(p.dir, "/")
		p.put("a.js", "below\n")
		p.put(inner+"/a.js", "deep below\n")
		p.put(inner+"/deep.js", "deep alone\n")
		path := p.dir + "/a.js"
		_, failed := p.read(t, path, p.dir)
		assert.Equal(t, "invalid_path", failed.Reason, p.name)
		assert.Contains(t, failed.Message, "Give a.js or "+inner+"/a.js")
		failed = p.do(catalog.EditFile, arguments{"path": path, "version": version.Of([]byte("below\n")), "edits": []edit{{"old_text": "b", "new_text": "x"}}})
		assert.Equal(t, "invalid_path", failed.Reason, p.name)
		for _, plain := range []string{"a.js", inner + "/a.js"} {
			got, _ := p.read(t, plain, p.dir)
			assert.Equal(t, plain, got, p.name)
		}
		_, failed = p.read(t, p.dir+"/deep.js", p.dir)
		assert.Equal(t, "not_found", failed.Reason, "it lies below the project's folder, and nothing is there")
		assert.Contains(t, failed.Hint, inner+"/deep.js", p.name)
		listed := p.raw(catalog.ListEntries, arguments{"path_prefix": p.dir + "/"})
		assert.Contains(t, listed.Content[0], "two meanings", p.name)
	}
}

func TestMissingFileNamesTheNearest(t *testing.T) {
	for _, p := range places(t, files.Settings{Fast: true}, "game") {
		for _, path := range []string{"src/scenes/GameScene.js", "src/Menu.ts", "lib/Menu.ts", "docs/readme.md", "src/cart.js"} {
			p.put(path, "x\n")
		}
		missing := map[string]string{
			"game/src/scenes/gamescene.js": "the nearest: game/src/scenes/GameScene.js",
			"game/src/scenes/GameScene.ts": "the nearest: game/src/scenes/GameScene.js",
			"game/src/GameScene.js":        "the nearest: game/src/scenes/GameScene.js",
			"game/src/menu.ts":             "the nearest: game/src/Menu.ts, game/lib/Menu.ts",
			"game/src/crat.js":             "the nearest: game/src/cart.js",
			"nowhere/README.md":            "the nearest: game/docs/readme.md",
			"game/other.xyz":               "no file has a name like it; fs_list_entries lists what there is",
		}
		if runtime.GOOS == "windows" && p.name == "disk" { // which finds them
			delete(missing, "game/src/scenes/gamescene.js")
			delete(missing, "game/src/menu.ts")
		}
		for path, want := range missing {
			_, failed := p.read(t, path, p.dir)
			assert.Equal(t, "not_found", failed.Reason, "%s %s", p.name, path)
			assert.Equal(t, want, failed.Hint, "%s %s", p.name, path)
			failed = p.do(catalog.EditFile, arguments{"path": path, "version": "AAAA", "edits": []edit{{"old_text": "a", "new_text": "b"}}})
			assert.Equal(t, want, failed.Hint, "%s %s", p.name, path)
		}
	}
}

func TestUnknownArgumentNamesThoseOfItsLevel(t *testing.T) {
	b := newBench(t, fast)
	b.put("a.txt", "a\n")
	ask := func(a arguments) string {
		all := arguments{"path": "a.txt", "version": version.Of([]byte("a\n")), "edits": []edit{{"old_text": "a", "new_text": "b"}}}
		for k, v := range a {
			all[k] = v
		}
		r := b.do(catalog.EditFile, all)
		return fmt.Sprint(r.Reason, ": ", r.Message, "; ", r.Hint)
	}
	assert.Equal(t, "invalid_request: unknown argument edits.0.oldText; known there: old_text, new_text, all, expect; old_text is what it is called here",
		ask(arguments{"edits": []map[string]any{{"oldText": "a", "new_text": "b"}}}))
	assert.Equal(t, "invalid_request: unknown argument edits.1.replace_all; known there: old_text, new_text, all, expect; all is what it is called here",
		ask(arguments{"edits": []map[string]any{{"old_text": "a", "new_text": "b"}, {"replace_all": true}}}))
	assert.Equal(t, "invalid_request: unknown argument file_path; known: projectRoot, path, version, edits, dry_run, plan_id; path is what it is called here",
		ask(arguments{"file_path": "a.txt"}))
	assert.Equal(t, "invalid_request: unknown argument colour; known: projectRoot, path, version, edits, dry_run, plan_id; ", ask(arguments{"colour": 1}))
	assert.Equal(t, "a\n", b.content("a.txt"))
}

func TestShortTextInALongLineHasANearestPlace(t *testing.T) {
	b := newBench(t, fast)
	line := "    this.text = this.add.text(0, 0, 'hi', { color: '#ffffff' });"
	minified := strings.Repeat("function a(b){return b+1};", 200) + "const fillColour=0xffaa00;" + strings.Repeat("x.y();", 300)
	b.put("a.js", "import x\n\nclass A {\n"+line+"\n}\n")
	b.put("min.js", "// one\n"+minified+"\n")
	r := b.edit("a.js", edit{"old_text": "color: '#fffffe'", "new_text": "x"})
	assert.Equal(t, "no_match", r.Reason)
	require.NotEmpty(t, r.Nearest)
	assert.Equal(t, 4, r.Nearest[0].Line)
	assert.Equal(t, "line 4, column 59: the file has the character f where old_text has the character e", r.Hint)

	raw := b.raw(catalog.EditFile, arguments{"path": "min.js", "version": version.Of([]byte(b.content("min.js"))),
		"edits": []edit{{"old_text": "fillColor=0xffaa00", "new_text": "x"}}})
	r = b.parse(raw)
	require.Len(t, r.Nearest, 1)
	assert.Equal(t, 2, r.Nearest[0].Line)
	assert.Contains(t, raw.Content[0], "const fillColour=0xffaa00;", "the place is shown, not the beginning of the line")
	assert.Contains(t, r.Hint, "the file has the character u where old_text has the character r")
	assert.Empty(t, b.edit("a.js", edit{"old_text": "zebra crossing", "new_text": "x"}).Nearest, "nothing is like it")
}
