package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a package compiles when the program starts, every "berth mcp" waits for.
func TestRegularExpressionsAreCompiledWhenTheyAreUsed(t *testing.T) {
	sources(t, func(path string) {
		slashed := filepath.ToSlash(path)
		if strings.Contains(slashed, "/e2e/") || strings.Contains(slashed, "/enginetest/") || strings.Contains(slashed, "/proxy/origin/") { // the last has one, of host names
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
					assert.Fail(t, "compiled at the start", "%s: use designer/lazyregexp", fset.Position(n.Pos()))
				}
				return true
			})
		}
	})
}
