package designer

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A rule may set variables of its own and nothing that it was given, nor may
// a function that it calls: no field behind a pointer, no element of a list or
// a map.
func TestRulesHaveNothingToWrite(t *testing.T) {
	p := typed(t, sourcesOf(t))
	todo := p.inFiles("check")
	require.Greater(t, len(todo), 50, "the rules were not found")
	caller := map[*types.Func]string{}
	for len(todo) > 0 {
		f := todo[0]
		todo = todo[1:]
		for _, problem := range p.writes(f) {
			assert.Fail(t, "a rule writes", "%s (called by %s) %s", f.Name(), caller[f], problem)
		}
		for _, callee := range p.calls(f) {
			if caller[callee] == "" {
				caller[callee] = f.Name()
				todo = append(todo, callee)
			}
		}
	}
	for f := range caller {
		assert.NotRegexp(t, "^(write|complete|commit|put|draft)", f.Name(), "%s calls what writes", caller[f])
	}
}

func TestARuleThatWritesIsNoticed(t *testing.T) {
	const model = `package designer
		import "slices"
		type Column struct { Name string; Options map[string]string; Values []string }
		type Table struct { Columns []Column; Count int }
		func rule(t *Table, c *Column, v Column, list []Column) { `
	for body, want := range map[string]bool{
		`c.Name = "x"`: true, `t.Columns[0].Name = "x"`: true, `*c = v`: true, `t.Count++`: true, `t.Columns = nil`: true,
		`delete(c.Options, "k")`: true, `slices.Sort(v.Values)`: true, `copy(t.Columns, list)`: true, `clear(v.Options)`: true,
		`m := c.Options; m["k"] = "x"`: true, `p := &t.Columns[0]; p.Name = "x"`: true, `v.Values[0] = "x"`: true,
		`_ = append(t.Columns, v)`: true, `for i := range list { list[i].Name = "x" }`: true, `func() { c.Name = "x" }()`: true,
		`var p *Column; p = c; p.Name = "x"`: true, `w := *c; w.Options["k"] = "x"`: true, `c.set()`: true,
		`v.Name = "x"`: false, `w := *c; w.Name = "x"`: false, `list = list[1:]`: false, `seen := map[string]bool{}; seen["k"] = true`: false,
		`names := []string{}; names = append(names, "x"); slices.Sort(names)`: false, `all := slices.Clone(list); all[0].Name = "x"`: false,
	} {
		p := typed(t, map[string]string{"check.go": model + body + "}\nfunc (c *Column) set() { c.Name = slices.Max(c.Values) }"})
		rule := p.inFiles("check")
		problems := p.writes(rule[slices.IndexFunc(rule, func(f *types.Func) bool { return f.Name() == "rule" })])
		for _, f := range p.calls(rule[slices.IndexFunc(rule, func(f *types.Func) bool { return f.Name() == "rule" })]) {
			problems = append(problems, p.writes(f)...)
		}
		assert.Equal(t, want, len(problems) > 0, "%s: %v", body, problems)
	}
}

// program is a package with the types of all that its source says.
type program struct {
	fset  *token.FileSet
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
}

func sourcesOf(t *testing.T) map[string]string {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	sources := map[string]string{}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			sources[path] = string(text)
		}
	}
	return sources
}

// typed reads the files of a package, those it imports as the compiler knows
// them.
func typed(t *testing.T, sources map[string]string) *program {
	t.Helper()
	p := &program{fset: token.NewFileSet(), decls: map[*types.Func]*ast.FuncDecl{},
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}}
	var files []*ast.File
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		file, err := parser.ParseFile(p.fset, path, sources[path], 0)
		require.NoError(t, err)
		files = append(files, file)
	}
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", compiled(t))}
	_, err := config.Check("designer", p.fset, files, p.info)
	require.NoError(t, err)
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				p.decls[p.info.Defs[f.Name].(*types.Func)] = f
			}
		}
	}
	return p
}

// compiled finds the packages that this one imports.
var compiled = func() func(*testing.T) importer.Lookup {
	var list []byte
	return func(t *testing.T) importer.Lookup {
		t.Helper()
		if list == nil {
			out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", ".").Output()
			require.NoError(t, err)
			list = out
		}
		return func(path string) (io.ReadCloser, error) {
			for line := range bytes.Lines(list) {
				if name, file, _ := strings.Cut(strings.TrimSpace(string(line)), "="); name == path {
					return os.Open(file)
				}
			}
			return nil, os.ErrNotExist
		}
	}
}()

// inFiles lists the functions of the files whose names begin so.
func (p *program) inFiles(prefix string) []*types.Func {
	var out []*types.Func
	for f, d := range p.decls {
		if strings.HasPrefix(p.fset.Position(d.Pos()).Filename, prefix) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *types.Func) int { return int(a.Pos() - b.Pos()) })
	return out
}

// calls lists the functions of the package that f calls or passes on.
func (p *program) calls(f *types.Func) []*types.Func {
	var out []*types.Func
	ast.Inspect(p.decls[f].Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if callee, ok := p.info.Uses[id].(*types.Func); ok && p.decls[callee.Origin()] != nil {
				out = append(out, callee.Origin())
			}
		}
		return true
	})
	return out
}

// writes lists where f writes to what it was given.
func (p *program) writes(f *types.Func) []string {
	fresh := p.fresh(f)
	var out []string
	target := func(x ast.Expr, what string) {
		if root, shared := p.root(x); shared && !fresh[root] {
			out = append(out, what+" at "+p.fset.Position(x.Pos()).String())
		}
	}
	ast.Inspect(p.decls[f].Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				target(x, "sets a field or an element")
			}
		case *ast.IncDecStmt:
			target(n.X, "counts in a field or an element")
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil {
					target(x, "sets a field or an element")
				}
			}
		case *ast.CallExpr:
			if name := types.ExprString(n.Fun); mutates(name) {
				if root, _ := p.root(n.Args[0]); !fresh[root] {
					out = append(out, "calls "+name+" at "+p.fset.Position(n.Pos()).String())
				}
			}
		}
		return true
	})
	return out
}

// mutates reports whether a function may write to its first argument.
func mutates(name string) bool {
	return strings.HasPrefix(name, "slices.Sort") && !strings.HasPrefix(name, "slices.Sorted") || slices.Contains([]string{"append", "copy", "delete", "clear",
		"slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc", "slices.Insert", "slices.Replace", "slices.Reverse",
		"maps.Copy", "maps.DeleteFunc"}, name)
}

// root is the variable that an expression begins with; shared reports whether
// the way from it leads through a pointer, a list or a map.
func (p *program) root(x ast.Expr) (v types.Object, shared bool) {
	switch x := x.(type) {
	case *ast.Ident:
		v := p.info.Uses[x]
		if v == nil {
			v = p.info.Defs[x]
		}
		return v, false
	case *ast.ParenExpr:
		return p.root(x.X)
	case *ast.StarExpr:
		v, _ = p.root(x.X)
		return v, true
	case *ast.SliceExpr:
		v, _ = p.root(x.X)
		return v, true
	case *ast.IndexExpr:
		v, shared = p.root(x.X)
		_, array := p.info.TypeOf(x.X).Underlying().(*types.Array)
		return v, shared || !array
	case *ast.SelectorExpr:
		v, shared = p.root(x.X)
		_, pointer := p.info.TypeOf(x.X).Underlying().(*types.Pointer)
		return v, shared || pointer
	}
	return nil, true
}

// fresh are the variables whose value f has made itself and never given
// another's: what they lead to is nobody else's.
func (p *program) fresh(f *types.Func) map[types.Object]bool {
	made, given := map[types.Object]bool{}, map[types.Object]bool{}
	set := func(x ast.Expr, value ast.Expr) {
		v, shared := p.root(x)
		switch {
		case shared || v == nil:
		case value == nil || p.makes(value, v):
			made[v] = true
		default:
			given[v] = true
		}
	}
	ast.Inspect(p.decls[f], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.Results != nil {
				for _, r := range n.Results.List {
					for _, name := range r.Names {
						set(name, nil)
					}
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) == len(n.Names) {
					set(name, n.Values[i])
				} else if len(n.Values) == 0 {
					set(name, nil)
				}
			}
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					set(x, n.Rhs[i])
				} else if v, shared := p.root(x); !shared && v != nil {
					given[v] = true
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if v, shared := p.root(x); x != nil && !shared && v != nil {
					given[v] = true
				}
			}
		}
		return true
	})
	maps.DeleteFunc(made, func(v types.Object, _ bool) bool { return given[v] })
	return made
}

// makes reports whether x is a value of its own, or what v is with something
// done to it.
func (p *program) makes(x ast.Expr, v types.Object) bool {
	switch x := x.(type) {
	case *ast.CompositeLit, *ast.BasicLit, *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		_, literal := x.X.(*ast.CompositeLit)
		return literal
	case *ast.CallExpr:
		if p.info.Types[x.Fun].IsType() {
			_, text := p.info.TypeOf(x.Args[0]).Underlying().(*types.Basic)
			return text // a conversion such as []rune(s)
		}
		name := types.ExprString(x.Fun)
		if slices.Contains([]string{"make", "new", "mapEach", "namesOf", "columnNames", "listNames", "optionTexts", "slices.Clone", "slices.Concat", "slices.Sorted", "maps.Keys"}, name) {
			return true
		}
		if len(x.Args) > 0 && mutates(name) {
			root, shared := p.root(x.Args[0])
			return root == v && !shared
		}
	}
	return false
}
