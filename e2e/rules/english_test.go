package rules

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// foreign are the words that Go's own documentation does not use, each with
// what to write instead.
var foreign = []struct {
	part    string // lower case, in every match: found faster than the words
	words   *regexp.Regexp
	instead string
}{
	{"anew", regexp.MustCompile(`(?i)\banew\b`), "again; re-created"},
	{"afresh", regexp.MustCompile(`(?i)\bafresh\b`), "again; from the start"},
	{"shall", regexp.MustCompile(`(?i)\bshall\b`), "must; should; will"},
	{"lest", regexp.MustCompile(`(?i)\blest\b`), "so that … not"},
	{"thereby", regexp.MustCompile(`(?i)\bthereby\b`), "so; by that"},
	{"thereof", regexp.MustCompile(`(?i)\bthereof\b`), "of it"},
	{"whence", regexp.MustCompile(`(?i)\bwhence\b`), "from where"},
	{"hither", regexp.MustCompile(`(?i)\bhither(to)?\b`), "here; until now"},
	{"heed", regexp.MustCompile(`(?i)\bheeds?\b`), "observe"},
	{"tell", regexp.MustCompile(`(?i)\btells? (whether|how)\b`), "reports whether; returns how"},
	{"tell", regexp.MustCompile(`(?i)\btells? of\b`), "describes; reports"},
	{" on ", regexp.MustCompile(`(?i)\b(go|goes|gone|going|went) on (with|to|from|proposing|being|serving)\b`), "continues; resumes"},
	{"doubt", regexp.MustCompile(`(?i)\bevery doubt is a no\b`), "when in doubt, refuse"},
	{"case aside", regexp.MustCompile(`(?i)\bcase aside\b`), "ignoring case"},
	{"no more", regexp.MustCompile(`(?i)\bgood no more\b`), "no longer valid"},
}

// quotedForeign are places that need such a word, with the reason. A key is a
// file, or a file and a part of the line.
var quotedForeign = map[string]string{
	"e2e/rules/english_test.go": "names the words",
	"CONTRIBUTING.md: | ":       "its table names the words",

	// What the page shows changes together with its dist.
	"designer/page/src/panels/changes/Conflicts.tsx: Choose for each":       "shown",
	"designer/page/src/panels/changes/Drift.tsx: statements are made":       "shown",
	"designer/page/src/panels/changes/PublishDialog.tsx: The connection":    "shown",
	"designer/page/src/panels/changes/PublishDialog.tsx: plan.from > 0":     "shown",
	"designer/page/src/panels/changes/PublishDialog.tsx: This database":     "shown",
	"designer/page/src/panels/projects/ProjectsPanel.tsx: Nothing answers:": "shown",
}

// TestEnglishIsTheFields keeps words out of comments, messages and documents
// that nobody in the field writes: the reader then looks for a special meaning.
func TestEnglishIsTheFields(t *testing.T) {
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "dist"}, entry.Name()) {
			return fs.SkipDir
		}
		name, err := filepath.Rel(root, file)
		name = filepath.ToSlash(name)
		if err != nil || !entry.Type().IsRegular() || !hasProse(name) || quotedForeign[name] != "" {
			return err
		}
		text, err := os.ReadFile(file)
		for _, found := range foreignIn(name, text) {
			assert.Fail(t, "not the field's English", found)
		}
		return err
	}))
}

// hasProse reports whether people read a file's text: Go, the page's sources
// and documents.
func hasProse(name string) bool {
	return slices.Contains([]string{".go", ".md", ".ts", ".tsx"}, filepath.Ext(name))
}

// foreignIn lists the foreign words in a file, with their lines.
func foreignIn(name string, text []byte) (found []string) {
	for _, said := range proseOf(name, text) {
		lower := strings.ToLower(said.text)
		for _, f := range foreign {
			if !strings.Contains(lower, f.part) || isQuoted(name, said.text) {
				continue
			}
			if at := f.words.FindStringIndex(said.text); at != nil && at[0] < said.own {
				found = append(found, fmt.Sprintf("%s:%d: %q; write: %s", name, said.line, said.text[at[0]:at[1]], f.instead))
			}
		}
	}
	return found
}

// isQuoted reports whether quotedForeign has a line.
func isQuoted(name, line string) bool {
	for key := range quotedForeign {
		file, part, ok := strings.Cut(key, ": ")
		if ok && file == name && strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// prose is a piece of a file that people read.
type prose struct {
	line int
	text string
	own  int // bytes of text that are the piece's; the rest is of the next one
}

// proseOf returns the comments and string literals of a Go file, and the lines
// of any other.
func proseOf(name string, text []byte) []prose {
	var found []prose
	if !strings.HasSuffix(name, ".go") {
		for line := range strings.Lines(string(text)) {
			found = append(found, prose{line: len(found) + 1, text: line})
		}
		return joined(found)
	}
	files := token.NewFileSet()
	file := files.AddFile(name, files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			return joined(found)
		case token.COMMENT, token.STRING:
			found = append(found, prose{line: file.Line(pos), text: literal})
		}
	}
}

// joined adds to each piece the first words of the next line, so that a phrase
// is found across a line break.
func joined(all []prose) []prose {
	for i := range all {
		all[i].own = len(all[i].text)
		if i+1 < len(all) && all[i+1].line == all[i].line+1 {
			next := strings.Fields(strings.TrimLeft(all[i+1].text, "/ *"))
			all[i].text += " " + strings.Join(next[:min(2, len(next))], " ")
		}
	}
	return all
}

func TestForeignWordsAreFound(t *testing.T) {
	text := "package x\n\n// A goes on\n// with b.\nconst c = \"read anew\" // tells whether\n"
	assert.Equal(t, []string{
		`x.go:3: "goes on with"; write: continues; resumes`,
		`x.go:5: "anew"; write: again; re-created`,
		`x.go:5: "tells whether"; write: reports whether; returns how`,
	}, foreignIn("x.go", []byte(text)))
}
