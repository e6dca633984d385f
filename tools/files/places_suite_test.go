package files_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

// sampleFiles are of all kinds that text columns hold, too.
var sampleFiles = map[string]string{
	".gitignore":              "node_modules/\n*.log\n!keep.log\n",
	".env":                    "TOKEN=gamescene\n",
	".env.example":            "TOKEN=\n",
	"src/scenes/GameScene.js": "import Phaser from 'phaser';\n\nclass GameScene {\n  color = '#ffffff'; // 100% of_it\n}\n",
	"src/scenes/menu.js":      "const GAMESCENE = 1;\r\nconst x = GameScene;\r\n",
	"src/a-b.js":              "a-b\n",
	"src/a/b.js":              "no final newline, a => b",
	"src/odd%name_1.js":       "literal names\n",
	"src/oddXnameY1.js":       "other names\n",
	"src/bom.txt":             "\ufeffuser and u\u017fer, K and \u212a; ÄÖ äö Straße ΣΑΣ σας\n",
	"src/empty.txt":           "",
	"src/sub/.gitignore":      "hidden.js\n/only\n",
	"src/sub/hidden.js":       "hidden gamescene\n",
	"src/sub/only/x.js":       "also hidden gamescene\n",
	"src/sub/shown.js":        "shown gamescene\n",
	"node_modules/p/index.js": "gamescene\n",
	"debug.log":               "gamescene\n",
	"keep.log":                "gamescene kept\n",
	"docs/wide.md":            strings.Repeat("x", 60) + " needle 😀 needle " + strings.Repeat("y", 60) + "\n",
	"k/task.js":               "task, tas\u212a, \u017fky, sky\n",
}

// byteFiles are for places that hold any bytes.
var byteFiles = map[string]string{
	"bin/image.png":  "\x89PNG\r\n\x1a\n\x00\x00\x00gamescene",
	"bin/latin1.txt": "caf\xe9 gamescene\n",
	"bin/utf16.txt":  "\xff\xfeg\x00a\x00",
}

func fill(list []*place) {
	for _, p := range list {
		for path, content := range sampleFiles {
			p.put(path, content)
		}
		if p.bytes {
			for path, content := range byteFiles {
				p.put(path, content)
			}
		}
	}
}

// samplePlaces returns places that have the sample files.
func samplePlaces(t *testing.T, mount string) []*place {
	t.Helper()
	list := places(t, files.Settings{}, mount)
	for _, p := range list {
		for path, content := range sampleFiles {
			p.put(path, content)
		}
	}
	return list
}

func TestFilesAreListedAlikeEverywhere(t *testing.T) {
	for _, mount := range []string{"", "game"} {
		list := samplePlaces(t, mount)
		at := func(path string) string { return strings.TrimPrefix(mount+"/"+path, "/") }
		for _, a := range []arguments{
			{}, {"path_prefix": at("src/a")}, {"path_prefix": at("src/")}, {"path_prefix": "/" + at("src/odd%")}, {"path_prefix": at("src/odd_")},
			{"path_prefix": at("src/sub/h")}, {"path_prefix": at("node_modules/")}, {"path_prefix": "nothing"}, {"path_prefix": "ga"}, {"path_prefix": at("src/sub/only/")},
			{"glob": "*.js"}, {"glob": at("src/**/*.{js,txt}")}, {"include_ignored": true}, {"include_ignored": true, "glob": "*.js"},
			{"cursor": at("src/a-b.js")}, {"cursor": at("zzz")}, {"cursor": "ga"}, {"path_prefix": "../x"},
		} {
			same(t, list, catalog.ListEntries, a)
		}
	}
}

func TestFilesAreReadAlikeEverywhere(t *testing.T) {
	for _, mount := range []string{"", "game"} {
		list := places(t, files.Settings{}, mount)
		fill(list)
		at := func(path string) string { return strings.TrimPrefix(mount+"/"+path, "/") }
		for path := range sampleFiles {
			same(t, list, catalog.ReadFile, arguments{"path": at(path)})
			same(t, list, catalog.ReadFile, arguments{"path": "/" + at(path), "tail": 1, "numbers": true})
		}
		for path := range byteFiles {
			same(t, ofBytes(list), catalog.ReadFile, arguments{"path": at(path)})
		}
		same(t, list, catalog.ReadFile, arguments{"path": at("src/missing.js")})
		same(t, list, catalog.ReadFile, arguments{"path": at("src/odd_name_1.js")})
		if runtime.GOOS != "windows" { // where a disk finds it
			same(t, list, catalog.ReadFile, arguments{"path": at("SRC/bom.txt")})
		}
	}
}

// ofBytes returns the places that hold any bytes; the disk is the first.
func ofBytes(list []*place) []*place {
	return slices.DeleteFunc(slices.Clone(list), func(p *place) bool { return !p.bytes })
}

// What is no text is found and refused alike, and an edit leaves it as it is.
func TestFilesThatAreNoTextAreTheSameEverywhere(t *testing.T) {
	list := places(t, files.Settings{Fast: true}, "")
	fill(list)
	list = ofBytes(list)
	require.Len(t, list, 3)
	for _, a := range []arguments{{"query": "gamescene"}, {"query": "caf"}, {"query": "\ufffd"}, {"query": "é"}, {"query": "g"}} {
		same(t, list, catalog.SearchContent, a)
	}
	for path, content := range byteFiles {
		same(t, list, catalog.EditFile, editOf(path, content, "gamescene", "x"))
	}
	for _, p := range list[1:] {
		for path, content := range byteFiles {
			require.Equal(t, content, p.table.content(t, "/"+path), p.name)
		}
	}
}

func TestFilesAreSearchedAlikeEverywhere(t *testing.T) {
	for _, mount := range []string{"", "game"} {
		list := samplePlaces(t, mount)
		at := func(path string) string { return strings.TrimPrefix(mount+"/"+path, "/") }
		for _, a := range []arguments{
			{"query": "gamescene"}, {"query": "GameScene", "case_sensitive": true}, {"query": "gamescene", "limit": 2},
			{"query": "gamescene", "path_prefix": at("src/scenes/")}, {"query": "gamescene", "path_prefix": at("src/s")}, {"query": "gamescene", "path_prefix": at("node_modules/")},
			{"query": "ab"}, {"query": "a"}, {"query": "=>"}, {"query": "=> b"}, {"query": "100% of_it"}, {"query": "100%of"}, {"query": "'#ffffff'"},
			{"query": "user"}, {"query": "K"}, {"query": "task"}, {"query": "SKY"}, {"query": "tasK", "case_sensitive": true}, {"query": "uſer"},
			{"query": "äö"}, {"query": "STRASSE"}, {"query": "straße"}, {"query": "σας"}, {"query": "ΣΑΣ", "case_sensitive": true},
			{"query": "needle"}, {"query": "needle 😀"}, {"query": "const x"}, {"query": "1;\r\nconst"}, {"query": "1;\nconst"},
			{"query": "game(scene|menu)", "regex": true}, {"query": "^class \\w+", "regex": true}, {"query": "[a-z]+scene$", "regex": true},
			{"query": "(sky|user)", "regex": true, "case_sensitive": true}, {"query": "(", "regex": true}, {"query": "\x00"}, {"query": `back\slash`}, {"query": `quote"quote`},
			{"query": "absent word"}, {"query": ""},
		} {
			same(t, list, catalog.SearchContent, a)
		}
	}
}

func TestFilesAreEditedAlikeEverywhere(t *testing.T) {
	for _, mount := range []string{"", "game"} {
		list := places(t, files.Settings{Fast: true}, mount)
		fill(list)
		at := func(path string) string { return strings.TrimPrefix(mount+"/"+path, "/") }
		scene := sampleFiles["src/scenes/GameScene.js"]
		of := func(content string) string { return version.Of([]byte(content)) }
		next := strings.Replace(scene, "#ffffff", "#ff0000", 1)
		color := []edit{{"old_text": "#ffffff", "new_text": "#ff0000"}}
		for _, a := range []arguments{
			{"path": at("src/scenes/GameScene.js"), "version": of(scene), "edits": color, "dry_run": true},
			{"path": at("src/scenes/GameScene.js"), "version": of(scene), "edits": color},
			{"path": at("src/scenes/GameScene.js"), "version": of(scene), "edits": color},
			{"path": at("src/scenes/GameScene.js"), "version": of(next), "edits": []edit{{"old_text": "no such text", "new_text": ""}}},
			{"path": at("src/scenes/menu.js"), "version": of(sampleFiles["src/scenes/menu.js"]), "edits": []edit{{"old_text": "1;\nconst", "new_text": "2;\nlet y;\nconst"}}},
			{"path": at("src/bom.txt"), "version": of(sampleFiles["src/bom.txt"]), "edits": []edit{{"old_text": "Straße", "new_text": "$1 Weg"}}},
			{"path": at("src/empty.txt"), "version": of(""), "edits": []edit{{"old_text": "x", "new_text": "y"}}},
			{"path": at("src/new/file.js"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "new\n"}}},
			{"path": at("src/new/file.js"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "again\n"}}},
			{"path": at("src/new"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "a folder\n"}}},
			{"path": at("src/a-b.js/x"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "below a file\n"}}},
			{"path": at(".env"), "version": of(sampleFiles[".env"]), "edits": []edit{{"old_text": "TOKEN", "new_text": "X"}}},
			{"path": at("debug.log"), "version": of(sampleFiles["debug.log"]), "edits": []edit{{"old_text": "gamescene", "new_text": "x"}}},
			{"path": at("src/sub/hidden.js"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}},
			{"path": at("src/missing.js"), "version": "AAAA", "edits": []edit{{"old_text": "a", "new_text": "b"}}},
			{"path": at(".git/config"), "version": "none", "edits": []edit{{"old_text": "", "new_text": "x"}}},
		} {
			same(t, list, catalog.EditFile, a)
		}
		for path := range sampleFiles {
			same(t, list, catalog.ReadFile, arguments{"path": at(path)})
		}
		same(t, list, catalog.ListEntries, arguments{"path_prefix": at("src/")})
		same(t, list, catalog.SearchContent, arguments{"query": "#ff0000"})
		for _, p := range list[1:] {
			require.Equal(t, next, p.table.content(t, "/src/scenes/GameScene.js"), p.name)
			require.Equal(t, "const GAMESCENE = 2;\r\nlet y;\r\nconst x = GameScene;\r\n", p.table.content(t, "/src/scenes/menu.js"))
			require.Equal(t, "gamescene of another project", p.other(t))
		}
	}
}

// other returns the row of another project.
func (p *place) other(t *testing.T) (content string) {
	if p.table.blob {
		return "gamescene of another project" // it has none
	}
	require.NoError(t, p.table.owner.QueryRowContext(t.Context(), "SELECT content FROM files WHERE project_id = 'p2'").Scan(&content))
	return content
}
