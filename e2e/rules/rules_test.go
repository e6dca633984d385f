package rules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/berth-dev/berth"

// pkg is what `go list -json` reports about one of our packages.
type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	Name       string
	GoFiles    []string
	Imports    []string
}

// packages lists ours, the root's path trimmed.
func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,Name,GoFiles,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else {
			require.NoError(t, err)
		}
		p.ImportPath = strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		all = append(all, p)
	}
}

// allowed says which of our packages each folder may import. The longest
// matching prefix decides; "…/" at the end of an entry means everything below.
var allowed = map[string][]string{
	"portmap/homefile":             {},
	"portmap/realpath":             {},
	"portmap/dirwatch":             {},
	"portmap":                      {"portmap/dirwatch", "portmap/homefile", "portmap/realpath"},
	"proxy":                        {"portmap", "proxy/wire", "proxy/mcptool", "proxy/projectlist", "tools/catalog", "tools/lane"},
	"proxy/wire":                   {"portmap/homefile"},
	"proxy/mcptool":                {"proxy/wire", "tools/catalog"},
	"proxy/projectlist":            {"proxy/wire"},
	"proxy/origin":                 {"proxy/wire"},
	"proxy/farpage":                {"proxy", "proxy/origin", "proxy/peer", "proxy/wire"},
	"proxy/relay":                  {"portmap", "proxy", "proxy/projectlist", "proxy/wire", "tools/catalog"},
	"proxy/instance":               {"portmap/dirwatch", "proxy/wire", "proxy/mcptool", "proxy/projectlist", "tools", "tools/approval", "tools/catalog", "tools/db/browse", "tools/db/rowedit", "tools/lane", "tools/pageapi", "tools/presence", "tools/schema", "proxy/origin", "proxy/peer", "proxy/projectroot"},
	"designer":                     {"designer/clip", "designer/sqltext"},
	"designer/clip":                {},
	"designer/lazyregexp":          {},
	"designer/edits":               {"designer", "designer/clip"},
	"designer/sqltext":             {},
	"designer/journal":             {},
	"designer/journal/stream":      {"designer/journal"},
	"designer/merge":               {"designer", "designer/clip"},
	"designer/review":              {"designer"},
	"designer/session":             {"designer", "designer/clip", "designer/journal", "designer/merge", "designer/review", "portmap/homefile"},
	"designer/engine":              {"designer"},
	"designer/engine/enginetest":   {"designer", "designer/edits", "designer/engine", "e2e/long", "e2e/needs"},
	"designer/sqlite":              {"designer", "designer/sqltext", "designer/engine"},
	"designer/postgres":            {"designer", "designer/sqltext", "designer/engine"},
	"designer/mysql":               {"designer", "designer/sqltext", "designer/engine"},
	"designer/mssql":               {"designer", "designer/sqltext", "designer/engine"},
	"designer/convert":             {"designer/sqltext", "designer/clip", "designer"},
	"designer/dbml":                {"designer/clip", "designer", "designer/convert", "designer/overlay"},
	"designer/ddl":                 {"designer", "designer/clip", "designer/sqltext"},
	"designer/guess":               {"designer/clip"},
	"designer/markdown":            {"designer", "designer/mermaid"},
	"designer/prisma":              {"designer", "designer/clip"},
	"designer/overlay":             {"designer"},
	"designer/mermaid":             {"designer"},
	"designer/lint":                {"designer", "designer/clip", "designer/edits", "designer/lint/rule"},
	"designer/lint/rule":           {},
	"designer/designs":             {"designer/clip", "designer", "designer/session", "portmap/dirwatch", "portmap/homefile"},
	"designer/page":                {},
	"designer/page/card":           {},
	"cmd/berth/settings":           {"cmd/berth/self", "designer/lint/rule", "proxy/origin"},
	"cmd/berth/discovery":          {"cmd/berth/settings", "portmap/dirwatch", "tools/topdown"},
	"cmd/berth/clients":            {"cmd/berth/settings", "portmap/homefile"},
	"cmd/berth/connections":        {"cmd/berth/discovery", "cmd/berth/settings", "designer/clip", "tools/db/dial", "tools/db/pool"},
	"cmd/berth/passwords":          {"portmap", "portmap/homefile", "proxy/wire"},
	"cmd/berth/trust":              {"cmd/berth/settings", "designer/clip", "portmap", "proxy/wire"},
	"cmd/berth/logfile":            {"portmap/homefile", "tools/visible"},
	"cmd/berth/build":              {},
	"cmd/berth/installed":          {"cmd/berth/build"},
	"cmd/berth/releases":           {},
	"cmd/berth/self":               {},
	"cmd/berth/signals":            {},
	"cmd/berth/turns":              {},
	"cmd/berth/autostart":          {"cmd/berth/settings", "cmd/berth/trust", "portmap", "proxy", "proxy/wire"},
	"cmd/berth/team":               {"cmd/berth/settings", "designer", "designer/journal", "designer/journal/stream", "designer/session", "tools/pageapi", "tools/presence"},
	"cmd/berth/attach":             {"portmap", "proxy", "proxy/wire", "tools/approval"},
	"cmd/berth/hosts":              {"cmd/berth/settings", "portmap", "portmap/homefile", "proxy", "proxy/projectlist", "proxy/relay"},
	"cmd/berth/frontend":           {"cmd/berth/autostart", "cmd/berth/build", "cmd/berth/hosts", "cmd/berth/logfile", "cmd/berth/turns", "designer/page/card", "portmap", "proxy", "proxy/relay"},
	"cmd/front":                    {"cmd/berth/frontend", "cmd/berth/self", "cmd/berth/signals", "tools/visible"},
	"tools/approval":               {"designer/clip", "tools", "tools/visible"},
	"tools":                        {"tools/catalog"},
	"tools/catalog":                {},
	"tools/db":                     {"designer", "designer/clip", "tools", "tools/approval", "tools/catalog", "tools/db/browse", "tools/db/dial", "tools/db/driver", "tools/db/rowedit", "tools/db/internal/replytext", "tools/db/internal/rosqlite", "tools/db/pool", "tools/db/readonly", "tools/db/rowset", "designer/sqltext", "tools/lane"},
	"tools/db/pool":                {"designer/engine", "designer/sqlite", "portmap/realpath", "tools/db/dial", "tools/db/driver", "tools/db/internal/replytext", "tools/db/internal/rosqlite", "tools/db/internal/safedriver", "tools/db/sqlitefiles", "tools/lane"},
	"tools/db/source":              {"designer", "designer/engine", "tools/db/driver", "tools/db/internal/replytext", "tools/db/pool"},
	"tools/db/browse":              {"designer"},
	"tools/db/rowedit":             {"designer", "designer/clip", "designer/mssql", "designer/mysql", "designer/postgres", "tools/db/browse"},
	"tools/db/driver":              {"designer", "designer/engine", "designer/mssql", "designer/mysql", "designer/postgres", "designer/sqlite", "designer/sqltext", "tools/db/dial", "tools/db/internal/replytext", "tools/db/internal/rosqlite", "tools/db/internal/safedriver", "tools/db/readonly", "tools/db/rowset"},
	"tools/db/internal/dbtest":     {"designer/engine/enginetest", "e2e/needs", "tools/db/dial"},
	"tools/db/dial":                {"tools/db/internal/replytext", "tools/db/internal/safedriver"},
	"tools/db/internal/replytext":  {"designer/clip"},
	"tools/db/sqlitefiles":         {"tools/topdown"},
	"tools/db/rowset":              {"designer/clip", "tools/db/internal/replytext"},
	"tools/db/internal/rosqlite":   {"designer/sqltext"},
	"tools/db/internal/safedriver": {},
	"tools/db/readonly":            {"designer/sqltext", "tools/db/internal/replytext", "tools/db/internal/rosqlite"},
	"tools/files/version":          {},
	"tools/files/hardlink":         {},
	"tools/files/tree":             {"tools/files/hardlink"},
	"tools/files/search":           {"tools/files/tree", "tools/files/version"},
	"tools/schema":                 {"designer/clip", "tools", "tools/approval", "tools/catalog", "designer", "designer/edits", "designer/merge", "designer/session", "designer/convert", "designer/dbml", "designer/ddl", "designer/guess", "designer/lint", "designer/lint/rule", "designer/markdown", "designer/mermaid", "designer/prisma", "designer/review"},
	"tools/pageapi":                {"designer", "designer/clip", "designer/edits", "designer/lint/rule", "designer/review", "designer/session", "tools/schema"},
	"tools/files/text":             {"designer/clip"},
	"tools/files/disk":             {"tools/files/hardlink", "tools/files/version"},
	"tools/files/store":            {"tools/files/disk", "tools/files/search", "tools/files/tree"},
	"tools/files/rows":             {"designer/clip", "tools/files/disk", "tools/files/search", "tools/files/store", "tools/files/tree"},
	"tools/files":                  {"designer/clip", "portmap/dirwatch", "tools", "tools/approval", "tools/catalog", "tools/files/disk", "tools/files/search", "tools/files/store", "tools/files/text", "tools/files/tree", "tools/files/version"},
	"cmd/berth/demo":               {"designer/clip"},
	"tools/lane":                   {},
	"tools/presence":               {"designer/clip", "tools/visible"},
	"tools/visible":                {},
	"proxy/peer":                   {},
	"tools/topdown":                {},
	"proxy/projectroot":            {},
}

func TestImportsFlowOneWay(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains([]string{"cmd/berth", "cmd/berth/cli", "cmd/berth/serve"}, p.ImportPath) || strings.HasPrefix(p.ImportPath, "e2e") {
			continue // wiring and tests see everything
		}
		may, known := allowed[p.ImportPath]
		if !assert.True(t, known, "package %s has no import rule: decide where it stands in the line cmd → proxy → tools → designer and add it here", p.ImportPath) {
			continue
		}
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, module+"/")
			if ok && ours != "designer/lazyregexp" { // it is to regexp what a package of the standard library would be
				assert.Contains(t, may, ours, "%s imports %s: calls flow cmd → proxy → tools → designer, and imports with them, so that each part can be read and tested without those above it", p.ImportPath, ours)
			}
		}
	}
}

// heavy are what makes berth large: drivers, the designer and the command
// line. The small front-end links none of them, at any depth.
var heavy = regexp.MustCompile(`^(modernc\.org/sqlite|github\.com/jackc/pgx|github\.com/go-sql-driver/|github\.com/microsoft/go-mssqldb|github\.com/nats-io/|github\.com/spf13/cobra|` +
	module + `/designer$|` + module + `/tools/db)`)

func TestTheSmallFrontEndLinksNoDriver(t *testing.T) {
	deps := func(pkg string) []string {
		list := exec.Command("go", "list", "-deps", module+pkg)
		list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
		out, err := list.Output()
		require.NoError(t, err)
		var found []string
		for _, name := range strings.Fields(string(out)) {
			if heavy.MatchString(name) {
				found = append(found, name)
			}
		}
		return found
	}
	assert.Empty(t, deps("/cmd/front"), "cmd/front is for the memory and the start of each agent's session; see docs/decisions/0065")
	assert.NotEmpty(t, deps("/cmd/berth"), "the pattern finds nothing")
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		assert.NotEmpty(t, p.Doc, "package %s has no package comment: say what it is for, what not, and the type to start from", p.ImportPath)
	}
}

func TestNamesThatSayNothingAreNotPackages(t *testing.T) {
	for _, p := range packages(t) {
		assert.NotContains(t, []string{"util", "utils", "common", "helpers", "types", "misc"}, p.Name, "name the idea, not the drawer: %s", p.ImportPath)
	}
}

// sources walks our Go files that are not tests.
func sources(t *testing.T, visit func(path string)) {
	t.Helper()
	for _, p := range packages(t) {
		for _, f := range p.GoFiles {
			visit(filepath.Join(p.Dir, f))
		}
	}
}

func TestFilesAreReadInOneSitting(t *testing.T) {
	const most = 400
	sources(t, func(path string) {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); {
			lines++
		}
		assert.LessOrEqual(t, lines, most, "%s has %d lines: a file is one idea, named after it; split it", path, lines)
	})
}

func TestNoInitAndNoFunctionsOverASitting(t *testing.T) {
	const most = 80
	sources(t, func(path string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			assert.False(t, fn.Name.Name == "init" && fn.Recv == nil, "%s: init runs unseen; construct in wiring", path)
			lines := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line
			assert.LessOrEqual(t, lines, most, "%s: %s has %d lines: let functions do one thing", path, fn.Name.Name, lines)
		}
	})
}

func TestExportedNamesAreDocumented(t *testing.T) {
	sources(t, func(path string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) {
					assert.NotNil(t, d.Doc, "%s: %s is exported and says nothing of its contract", fset.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				if d.Tok != token.TYPE {
					continue
				}
				for _, s := range d.Specs {
					s := s.(*ast.TypeSpec)
					assert.True(t, !s.Name.IsExported() || d.Doc != nil || s.Doc != nil || s.Comment != nil, "%s: type %s is exported and says nothing of its contract", fset.Position(s.Pos()), s.Name.Name)
				}
			}
		}
	})
}

// exportedReceiver reports whether a method belongs to an exported type, or
// implements a well-known interface whose contract is documented there.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	switch d.Name.Name {
	case "Error", "String", "Unwrap", "Write", "Close", "MarshalJSON", "UnmarshalJSON", "Len", "Less", "Swap":
		return false
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}

var leftOpen = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b|(?i)\b(not implemented|unimplemented|coming soon)\b`)

func TestNothingIsLeftOpenInTheSources(t *testing.T) {
	sources(t, func(path string) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Empty(t, leftOpen.FindString(string(raw)), "%s: finish it or leave it out; notes go into an issue", path)
	})
}

func TestTopLevelFoldersAreFixed(t *testing.T) {
	for _, p := range packages(t) {
		top, _, _ := strings.Cut(p.ImportPath, "/")
		assert.Contains(t, []string{"cmd", "portmap", "proxy", "designer", "tools", "e2e"}, top, "package %s opens a new top-level folder: put it below the part it belongs to", p.ImportPath)
	}
}

// A time that is turned into a number has lost its monotonic reading: what is
// measured from it is wrong once somebody sets the clock.
func TestNoDurationIsMeasuredByTheWallClock(t *testing.T) {
	written := map[string]string{ // files that write down when something was
		"designer/engine/scratch.go": "in the name of a scratch database",
		"designer/session/keys.go":   "when a page's key was made",
	}
	number := regexp.MustCompile(`time\.Now\(\)\.Unix(Milli|Micro|Nano)?\(\)`)
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, "e2e") {
			continue
		}
		for _, file := range p.GoFiles {
			name := p.ImportPath + "/" + file
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			if _, ok := written[name]; !ok {
				assert.NotRegexp(t, number, string(text), "%s keeps a moment as a number: keep the time.Time, or time.Since a start", name)
			}
		}
	}
}
