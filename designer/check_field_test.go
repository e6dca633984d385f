package designer

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARefusalNamesTheMemberItIsAbout(t *testing.T) {
	key := `"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]`
	for field, edit := range map[string]string{
		"table":                                   `{"op":"drop_table","table":{"name":"Nope"}}`,
		"table.name":                              `{"op":"add_table","table":{"name":"Orders"}}`,
		"table.schema":                            `{"op":"add_table","table":{"schema":"sales","name":"T"}}`,
		"initialColumns[1].dataType":              `{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"a","dataType":"int"},{"name":"b","dataType":"strng"}]}`,
		"set.name":                                `{"op":"set_table","table":{"name":"Orders"},"set":{"name":"Lines"}}`,
		"set.schema":                              `{"op":"set_table","table":{"name":"Orders"},"set":{"schema":"sales"}}`,
		"column":                                  dropsColumn("Orders", "Nope"),
		"column.name":                             addsColumn(`{"name":"Total","dataType":"int"}`),
		"column.dataType":                         addsColumn(`{"name":"a","dataType":"varchar(99999)"}`),
		"column.maxLength":                        addsColumn(`{"name":"a","dataType":"varchar","maxLength":"99999"}`),
		"column.precision":                        addsColumn(`{"name":"a","dataType":"decimal","precision":99}`),
		"column.scale":                            addsColumn(`{"name":"a","dataType":"decimal","precision":3,"scale":4}`),
		"column.isNullable":                       addsColumn(`{"name":"a","dataType":"int","isPrimaryKey":true,"isNullable":true}`),
		"column.isPrimaryKey":                     addsColumn(`{"name":"a","dataType":"int","isPrimaryKey":true}`),
		"column.isIdentity":                       addsColumn(`{"name":"a","dataType":"bit","isIdentity":true}`),
		"column.defaultValue":                     addsColumn(`{"name":"a","dataType":"int","defaultValue":"0)"}`),
		"column.isComputed":                       addsColumn(`{"name":"a","dataType":"int","computedFormula":"1"}`),
		"column.computedFormula":                  addsColumn(`{"name":"a","isComputed":true,"computedFormula":"1;"}`),
		"column.collation":                        addsColumn(`{"name":"a","dataType":"int","collation":" x"}`),
		"set.dataType":                            setsColumn("Orders", "CustomerId", `{"dataType":"bigint"}`),
		"foreignKey":                              `{"op":"drop_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"Nope"}}`,
		"foreignKey.name":                         addsKey("Orders", `{"name":"FK_Orders_Customers",`+key+`}`),
		"foreignKey.referencedTable":              addsKey("Orders", `{"referencedTable":{"name":"Nope"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}`),
		"foreignKey.mappings":                     addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[]}`),
		"foreignKey.mappings[0]":                  addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Note","referencedColumn":"Id"}]}`),
		"foreignKey.mappings[0].column":           addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Nope","referencedColumn":"Id"}]}`),
		"foreignKey.onUpdateAction":               addsKey("Orders", `{"onUpdateAction":"explode",`+key+`}`),
		"index.columns":                           `{"op":"add_index","table":{"name":"Orders"},"index":{"columns":[]}}`,
		"index.columns[1]":                        `{"op":"add_index","table":{"name":"Orders"},"index":{"columns":["Total","Nope"]}}`,
		"index.where":                             `{"op":"add_index","table":{"name":"Orders"},"index":{"columns":["Total"],"where":"("}}`,
		"index.name":                              `{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX_Total","columns":["Note"]}}`,
		"check.expression":                        `{"op":"add_check","table":{"name":"Orders"},"check":{"expression":""}}`,
		"check.name":                              `{"op":"add_check","table":{"name":"Orders"},"check":{"name":"CK_Total","expression":"1 = 1"}}`,
		"foreignKey.mappings[1].referencedColumn": addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"},{"column":"Total","referencedColumn":"Id"}]}`),
	} {
		t.Run(field, func(t *testing.T) {
			err := refuse(t, shop(t, serverDialect()), edit)
			assert.Equal(t, field, err.Field, err.Message)
		})
	}
}

func TestAnEditOfTheWrongShapeIsBlamedOnItsMember(t *testing.T) {
	for field, edit := range map[string]string{
		"op":     `{"op":"explode","table":{"name":"T"}}`,
		"column": `{"op":"add_column","table":{"name":"T"}}`,
		"set":    `{"op":"set_table","table":{"name":"T"},"set":{"name":7}}`,
	} {
		_, err := ReadEdits([]byte("[" + edit + "]"))
		require.NotNil(t, err)
		assert.Equal(t, field, err.Field, err.Message)
	}
}

var inList = regexp.MustCompile(`\[\d+\]`)

// requireMember holds for every refusal of an edit that a test provokes: what
// it blames, if anything, is a member that such an edit takes.
func requireMember(t testing.TB, op Op, field string) {
	t.Helper()
	if field == "" {
		return
	}
	names := strings.Split(inList.ReplaceAllString(field, ""), ".")
	if _, err := ReadEdits([]byte(`[{"op":"` + string(op) + `","` + names[0] + `":{}}]`)); err != nil {
		require.NotContains(t, err.Message, "has no field", "%s takes no %s", op, field)
	}
	takes := slices.Concat(jsonNames[TableRef](), jsonNames[ObjectRef](), jsonNames[TableSet](), jsonNames[ColumnSpec](), jsonNames[ForeignKeySpec](),
		jsonNames[NameMapping](), jsonNames[IndexSpec](), jsonNames[IndexPart](), jsonNames[CheckSpec]())
	for _, name := range names[1:] {
		require.Contains(t, takes, name, "%s takes no %s", op, field)
	}
}

func jsonNames[T any]() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		names = append(names, jsonName(f))
	}
	return names
}
