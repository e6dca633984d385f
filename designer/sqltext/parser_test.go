package sqltext_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer/sqltext"
)

// There is no SQL Server to ask, but a parser of Transact-SQL. It reads on
// after what it does not understand, so an input counts where the query around
// it comes out whole.
func TestTSQLUsesTheColumnsThatTheTokensName(t *testing.T) {
	understood := 0
	for _, text := range inputs {
		if strings.Contains(text, "::") || text == "1.a" {
			continue // a type stands before ::, which is grammar; 1.a the server refuses and the parser leaves half out
		}
		script, err := parser.Parse(context.Background(), strings.NewReader("SELECT (\n"+text+"\n) AS r FROM t"))
		if err != nil || len(script.Batches) != 1 || len(script.Batches[0].Statements) != 1 {
			continue
		}
		var found found
		found.walk(reflect.ValueOf(script.Batches[0].Statements[0]))
		if !slices.Contains(found.names, "r") || !slices.Contains(found.names, "t") {
			continue
		}
		understood++
		var columns []string
		for _, c := range strings.Fields(columnNames) {
			if slices.ContainsFunc(found.columns, func(name string) bool { return strings.EqualFold(name, c) }) {
				columns = append(columns, c)
			}
		}
		slices.Sort(columns)
		assert.Equal(t, columns, uses(sqltext.TSQL(), text, strings.EqualFold), "%q", text)
	}
	assert.GreaterOrEqual(t, understood, 80, "too few inputs were understood to say anything")
	t.Logf("%d of %d inputs are understood", understood, len(inputs))
}

// found is what a syntax tree names.
type found struct{ columns, names []string }

func (f *found) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *ast.ColumnReferenceExpression:
			if p := n.MultiPartIdentifier; p != nil && len(p.Identifiers) > 0 {
				f.columns = append(f.columns, p.Identifiers[len(p.Identifiers)-1].Value)
			}
		case *ast.Identifier:
			f.names = append(f.names, n.Value)
		}
		f.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			f.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.walk(v.Field(i))
			}
		}
	}
}
