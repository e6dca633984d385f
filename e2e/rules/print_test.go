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

// mayPrintRaw are the files of the commands that may reach the streams under
// the printer, each for a reason.
var mayPrintRaw = map[string]string{
	"print.go":           "is the printer",
	"system.go":          "opens the streams, and asks whether they are terminals",
	"approvals_print.go": "colours what it has made visible part by part",
	"mcp.go":             "speaks a protocol",
	"relay.go":           "speaks a protocol",
}

func TestCommandsPrintThroughOnePrinter(t *testing.T) {
	const why = "%s: %s: names, paths and messages come from outside, and a terminal obeys what it is sent. " +
		"Print to sys.Stdout or sys.Stderr, which cli.Run guards, or exact for what programs read; see cmd/berth/cli/print.go"
	seen := map[string]bool{}
	sources(t, func(path string) {
		if !strings.Contains(filepath.ToSlash(path), "/cmd/berth/") {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			found := printsRaw(n)
			if found == "" {
				return true
			}
			name := filepath.Base(path)
			seen[name] = true
			_, may := mayPrintRaw[name]
			assert.True(t, may, why, fset.Position(n.Pos()), found)
			return true
		})
	})
	for name := range mayPrintRaw {
		assert.True(t, seen[name], "%s prints nothing raw any more: take it off the list", name)
	}
}

// printsRaw names what of n goes past the printer; "": nothing.
func printsRaw(n ast.Node) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		pkg, ok := n.X.(*ast.Ident)
		if !ok {
			return ""
		}
		switch name := pkg.Name + "." + n.Sel.Name; name {
		case "os.Stdout", "os.Stderr", "fmt.Print", "fmt.Printf", "fmt.Println":
			return name
		}
	case *ast.CallExpr:
		if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "raw" || fn.Name == "print" || fn.Name == "println") {
			return fn.Name
		}
	}
	return ""
}
