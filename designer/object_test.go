package designer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Kinds stand in messages, in notes and in JSON as they are spelled.
func TestKindsOfObjectsAreSpelledAsWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "object.go", nil, 0)
	require.NoError(t, err)
	kinds := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is {
			return true
		}
		if name, named := spec.Type.(*ast.Ident); !named || name.Name != "ObjectKind" {
			return false
		}
		kinds++
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		assert.Regexp(t, `^[a-z]+( [a-z]+)*$`, text, spec.Names[0].Name)
		return false
	})
	assert.NotZero(t, kinds)
}
