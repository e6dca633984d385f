package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
)

// asked returns the question that a person gets before edits of the shop.
func asked(t *testing.T, edits string) string {
	t.Helper()
	w := newWorld(t, "shop", 1, "always")
	version := w.show()
	got := w.call(`{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"`+version+`","edits":`+edits+`}}`,
		func(c *tools.Call) { c.Client.Elicitation = true })
	require.NotNil(t, got.Ask, got.Content)
	var requests map[string]struct{ Params struct{ Message string } }
	require.NoError(t, json.Unmarshal(got.Ask.Requests, &requests))
	return requests["confirm"].Params.Message
}

func TestAQuestionSaysWhatChanges(t *testing.T) {
	const orders = `"table":{"name":"Orders"}`
	for edits, want := range map[string][]string{
		`[{"op":"add_column",` + orders + `,"column":{"name":"Mail","dataType":"nvarchar","maxLength":80,"isNullable":false}}]`: {
			"• Add column Mail to dbo.Orders: nvarchar(80) not null"},
		`[{"op":"add_column",` + orders + `,"column":{"name":"Mail","dataType":"nvarchar","maxLength":80}},
		  {"op":"set_column",` + orders + `,"column":{"name":"Mail"},"set":{"maxLength":200,"isNullable":false}}]`: {
			"• Change column Mail of dbo.Orders: nvarchar(80) null → nvarchar(200) not null"},
		// What each edit finds is what the edits before it left.
		`[{"op":"add_column",` + orders + `,"column":{"name":"Mail","dataType":"nvarchar","maxLength":80}},
		  {"op":"set_column",` + orders + `,"column":{"name":"Mail"},"set":{"name":"Email","maxLength":90}},
		  {"op":"set_column",` + orders + `,"column":{"name":"Email"},"set":{"maxLength":100}}]`: {
			"• Rename column Mail of dbo.Orders to Email: nvarchar(80) → nvarchar(90)", "• Change column Email of dbo.Orders: nvarchar(90) → nvarchar(100)"},
		`[{"op":"set_foreign_key",` + orders + `,"foreignKey":{"name":"FK_Orders_Customers"},"set":{"onDeleteAction":"no_action"}}]`: {
			"• Change foreign key FK_Orders_Customers of dbo.Orders: on delete cascade → no action"},
		`[{"op":"drop_table",` + orders + `}]`: {"• Drop table dbo.Orders"},
	} {
		question := asked(t, edits)
		for _, line := range want {
			assert.Contains(t, question+"\n", line+"\n", edits)
		}
	}
}
