package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tableOfContents names the files that every dialect has, and what is in them.
var tableOfContents = map[string]string{
	"doc":     "what the package reads, and in which order its plans run",
	"dialect": "the Dialect value, and the Engine type",

	"types":      "the data types, their families and limits",
	"typetext":   "a type as text: read and written",
	"reserved":   "the words that need quotes as names",
	"quote":      "names and strings as SQL writes them",
	"expression": "SQL text read through sqltext: names in it, parentheses around it",
	"options":    "the keys of Options, and what reads and writes them",
	"settle":     "the form that the server gives to what an edit left",

	"inspect":         "Inspect: the connection, the transaction, the order of the queries",
	"queries":         "the catalogue queries",
	"catalog":         "the rows that the queries bring",
	"assemble":        "rows become a definition: tables and columns",
	"assemble_key":    "… keys, indexes and checks",
	"assemble_object": "… views, triggers, routines",
	"changed":         "Mark: has the schema changed",

	"render":       "a column as SQL",
	"render_table": "a table as SQL",
	"render_key":   "keys, indexes and checks as SQL",
	"steps":        "the collector of a plan's steps",
	"script":       "Script: a schema from nothing",

	"load":           "Load: a script run in a place of its own",
	"load_statement": "which statements of a script are let in",
	"load_error":     "what a server refuses of a script, with its place there",
	"split":          "a script in parts that run by themselves",
	"leftout":        "what a script says that no definition holds",

	"plan":            "Plan: the order of everything",
	"plan_table":      "what happens to one table",
	"plan_column":     "columns that come, change or go",
	"plan_type":       "what another type does to values",
	"plan_key":        "keys, indexes and checks that come, change or go",
	"plan_rename":     "new names, through designer.Sequence",
	"plan_dependents": "what steps aside for a change and comes back",
	"plan_note":       "what the plan tells beside its steps",

	"verify":  "Verify: the plan tried without a trace",
	"publish": "Publish: the plan made",
	"lock":    "what keeps other publishes out meanwhile",
	"scratch": "the place where scripts are loaded or plans tried",
}

// ownFiles names the files that a dialect has beyond those, each for a reason.
var ownFiles = map[string]map[string]string{
	"postgres": {
		"dependency":     "views and objects in the order of what they use: for scripts and for plans",
		"queries_object": "the catalogue has what is carried in parts: the queries put statements together",
		"rights":         "owners and grants are part of what a plan keeps",
		"sequence":       "sequences are objects of their own, owned by columns, three kinds of which turn into one another",
		"statistics":     "servers count how tables are used, files do not",
	},
	"mysql": {
		"plan_part":     "the parts of a table change within its one ALTER TABLE",
		"plan_precheck": "no transaction takes a step back: queries ask beforehand whether rows fit",
		"rights":        "views and triggers act with the rights of a definer",
		"view_text":     "the server does not follow new names into views: their text is rewritten",
		"statistics":    "servers count how tables are used, files do not",
	},
	"mssql": {
		"module":       "views and routines are kept as batches, whose header carries the name",
		"plan_decide":  "what ALTER COLUMN can do is decided before anything is dropped",
		"plan_rebuild": "some changes need a new table",
		"rights":       "grants stop a plan that would lose them",
		"statistics":   "servers count how tables are used, files do not",
	},
	"sqlite": {
		"check":        "foreign keys are off while tables are rebuilt: what they would refuse is found here",
		"parse":        "the catalogue is text: the statements that it stores are parsed",
		"parse_column": "… their columns",
		"parse_table":  "… their constraints",
		"plan_rebuild": "most changes need a new table",
	},
}

// Who knows one dialect finds the same concept in the same file of the next.
func TestDialectsHaveOneTableOfContents(t *testing.T) {
	const mostOwn = 5
	for dialect, own := range ownFiles {
		t.Run(dialect, func(t *testing.T) {
			assert.LessOrEqual(t, len(own), mostOwn, "what a dialect has alone is the exception: find the common concept")
			var files []string
			for path := range codeLines(t, dialect) {
				files = append(files, path)
			}
			want := slices.Concat(slices.Collect(maps.Keys(tableOfContents)), slices.Collect(maps.Keys(own)))
			assert.ElementsMatch(t, want, files, "designer/%s: every file is in tableOfContents, or in ownFiles with its reason", dialect)
		})
	}
}

// A file that only hands on to another has the name of a concept, and not the
// concept.
func TestDialectFilesHoldTheirConcept(t *testing.T) {
	const fewest = 12 // lines of code without imports
	for dialect := range ownFiles {
		for name, lines := range codeLines(t, dialect) {
			if name != "doc" {
				assert.GreaterOrEqual(t, lines, fewest, "designer/%s/%s.go has nothing in it: move the concept there", dialect, name)
			}
		}
	}
}

// A test is named after the file that it tests, so that it is found; what it
// adds to the name says which side of it.
func TestDialectTestsAreNamedAfterTheirFile(t *testing.T) {
	whole := []string{"suite", "server", "bench", "fixture", "babelfish", "lacking", "understood", "live"} // of all files
	for dialect, own := range ownFiles {
		tests, err := filepath.Glob(filepath.Join("..", "..", "designer", dialect, "*_test.go"))
		require.NoError(t, err)
		require.NotEmpty(t, tests)
		for _, path := range tests {
			name := strings.TrimSuffix(filepath.Base(path), "_test.go")
			named := slices.ContainsFunc(slices.Concat(slices.Collect(maps.Keys(tableOfContents)), slices.Collect(maps.Keys(own)), whole),
				func(file string) bool { return name == file || strings.HasPrefix(name, file+"_") })
			assert.True(t, named, "designer/%s/%s_test.go: no file is called so", dialect, name)
		}
	}
}

// codeLines counts for each source file of a dialect the lines that hold code,
// imports aside.
func codeLines(t *testing.T, dialect string) map[string]int {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "designer", dialect, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	out := map[string]int{}
	for _, path := range paths {
		if name := strings.TrimSuffix(filepath.Base(path), ".go"); !strings.HasSuffix(name, "_test") {
			out[name] = linesOfCode(t, path)
		}
	}
	return out
}

func linesOfCode(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	count := 0
	for _, d := range file.Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
			continue
		}
		for n := fset.Position(d.Pos()).Line; n <= fset.Position(d.End()).Line; n++ {
			if line := strings.TrimSpace(lines[n-1]); line != "" && !strings.HasPrefix(line, "//") {
				count++
			}
		}
	}
	return count
}
