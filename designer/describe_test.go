package designer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnEditIsSaidInWords(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct{ edit, want string }{
		{`{"op":"add_table","table":{"schema":"dbo","name":"Orders"}}`, "Add table dbo.Orders"},
		{`{"op":"drop_table","table":{"schema":"dbo","name":"Orders"}}`, "Drop table dbo.Orders"},
		{`{"op":"drop_table","table":{"id":"7"}}`, "Drop table 7"},
		{`{"op":"drop_table","table":{"name":"` + long + `"}}`, "Drop table " + long[:64] + "…"},
		{`{"op":"drop_table","table":{"name":"a\nb"}}`, "Drop table a\ufffdb"},
		{`{"op":"set_table","table":{"name":"a"},"set":{"name":"b"}}`, "Rename table a to b"},
		{`{"op":"set_table","table":{"name":"a"},"set":{"schema":"s"}}`, "Move table a to schema s"},
		{`{"op":"set_table","table":{"name":"a"},"set":{"name":"b","schema":"s"}}`, "Rename table a to s.b"},
		{`{"op":"set_table","table":{"name":"a"},"set":{}}`, "Change table a"},
		{addsColumn(`{"name":"c","dataType":"int"}`), "Add column c to Orders"},
		{setsColumn("Orders", "c", `{"name":"d"}`), "Rename column c of Orders to d"},
		{setsColumn("Orders", "c", `{"isNullable":true}`), "Change column c of Orders"},
		{dropsColumn("Orders", "c"), "Drop column c of Orders"},
		{addsKey("Orders", `{"name":"k","referencedTable":{"name":"T"},"mappings":[]}`), "Add foreign key k on T to Orders"},
		{addsKey("Orders", `{"referencedTable":{"name":"T"},"mappings":[]}`), "Add foreign key on T to Orders"},
		{setsKey(`{"onDeleteAction":1}`), "Change foreign key fk_orders_customers of Orders"},
		{`{"op":"drop_foreign_key","table":{"name":"Orders"},"foreignKey":{"id":"9"}}`, "Drop foreign key 9 of Orders"},
		{addsIndex("Orders", `{"columns":["a"]}`), "Add index to Orders"},
		{setsIndex("Orders", "x", `{"name":"y"}`), "Rename index x of Orders to y"},
		{`{"op":"drop_index","table":{"name":"Orders"},"index":{"name":"x"}}`, "Drop index x of Orders"},
		{addsCheck("Orders", `{"name":"c","expression":"1=1"}`), "Add check c to Orders"},
		{`{"op":"drop_check","table":{"name":"Orders"},"check":{"name":"c"}}`, "Drop check c of Orders"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			assert.Equal(t, tt.want, Describe(decode(t, "["+tt.edit+"]")[0]))
		})
	}
	s := shop(t, serverDialect())
	assert.Equal(t, "Drop table dbo.Orders", apply(t, s, `[{"op":"drop_table","table":{"name":"Orders"}}]`)[0].Description,
		"the schema is said, for the description outlives the call")
}

func TestEveryOperationIsKnown(t *testing.T) {
	for _, op := range Ops() {
		_, err := emptySchema(serverDialect()).Apply(Edit{Op: op, Table: TableRef{Name: "T"}})
		if err != nil {
			assert.NotContains(t, err.Message, "is unknown")
		}
		edit := Edit{Op: op, Table: TableRef{Name: "T"}, Type: TypeSpec{Name: "T"}, TypeRef: TableRef{Name: "T"}}
		assert.Contains(t, Describe(edit), "T")
	}
}

func TestActionsHaveTheNumbersOfTheShippedTool(t *testing.T) {
	assert.Equal(t, []int{0, 1, 2, 3, -1}, mapEach([]Action{Cascade, NoAction, SetNull, SetDefault, Restrict}, Action.Code))
}
