package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edited returns a copy of s with edits, which have to be valid.
func edited(t testing.TB, s *designer.Schema, raw string) *designer.Schema {
	t.Helper()
	next, err := designer.Restore(s.Dialect(), s.Tables(), &designer.Options{DefaultSchema: DefaultSchema, Catalog: s.Catalog()})
	require.NoError(t, err)
	list, refused := edits.Decode(json.RawMessage(raw))
	require.Nil(t, refused, "the edits do not decode: %v", refused)
	for i, e := range list {
		_, refused := next.Apply(e)
		require.Nil(t, refused, "edits[%d]: %v", i, refused)
	}
	require.NoError(t, next.Check())
	return next
}

func planned(t testing.TB, from, to *designer.Schema) designer.Plan {
	t.Helper()
	p, err := Engine{}.Plan(designer.DiffOf(from, to))
	require.NoError(t, err)
	return p
}

// spelled writes a plan with all it says.
func spelled(p designer.Plan) string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "-- %s\n", s.Comment)
		for _, r := range s.Risks {
			fmt.Fprintf(&b, "-- risk: %s\n", r)
		}
		if s.Reverse != "" {
			fmt.Fprintf(&b, "-- reverse: %s\n", strings.ReplaceAll(s.Reverse, "\n", "\n--   "))
		}
		fmt.Fprintf(&b, "%s;\n\n", s.Statement)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "-- note: %s\n", n)
	}
	return b.String()
}

// change brings a database from what it is to what edits make of it, and
// checks that nothing is left to do.
func change(t testing.TB, db *sql.DB, edits string) designer.Plan {
	t.Helper()
	base := read(t, db)
	return become(t, db, base, edited(t, base, edits))
}

// become publishes a design of base, which is what the database is.
func become(t testing.TB, db *sql.DB, base, design *designer.Schema) designer.Plan {
	t.Helper()
	ctx := context.Background()
	p := planned(t, base, design)
	require.NoError(t, Engine{}.Verify(ctx, db, p, nil), "%s", p.Script())
	assert.Equal(t, base.Definition(), read(t, db).Definition(), "a trial leaves no trace")
	publish(t, db, p)
	def, err := Inspect(ctx, db)
	require.NoError(t, err)
	now, err := design.Adopt(def)
	require.NoError(t, err)
	left := designer.DiffOf(designer.TakeSpelling(base, design, now), now)
	if !left.Empty() {
		again, err := Engine{}.Plan(left)
		assert.Fail(t, "something is left to publish", "%v\n%s\nafter\n%s", err, again.Script(), p.Script())
	}
	return p
}

// shop is what most stories start from.
const shop = `[
	{"op":"add_table","table":{"name":"customers"},"initialColumns":[
		{"name":"id","dataType":"integer","isPrimaryKey":true,"isIdentity":true},
		{"name":"email","dataType":"varchar(200)","isNullable":false},
		{"name":"note","dataType":"text"}]},
	{"op":"add_index","table":{"name":"customers"},"index":{"name":"customers_email","unique":true,"columns":["email"]}},
	{"op":"add_table","table":{"name":"orders"},"initialColumns":[
		{"name":"id","dataType":"bigint","isPrimaryKey":true},
		{"name":"customer","dataType":"integer"},
		{"name":"total","dataType":"numeric(10,2)","defaultValue":"0","isNullable":false},
		{"name":"rate","dataType":"numeric(4,2)"},
		{"name":"tax","dataType":"numeric","isComputed":true,"computedFormula":"total * rate"},
		{"name":"state","dataType":"varchar(20)","defaultValue":"'new'"}]},
	{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_total","columns":[{"name":"total","descending":true}],"where":"total > 10"}},
	{"op":"add_check","table":{"name":"orders"},"check":{"name":"orders_positive","expression":"total >= 0"}},
	{"op":"add_foreign_key","table":{"name":"orders"},"foreignKey":{"name":"orders_customer","referencedTable":{"name":"customers"},
		"mappings":[{"column":"customer","referencedColumn":"id"}],"onDeleteAction":"cascade"}}]`

// stories are changes to the shop.
var stories = []struct{ name, edits string }{
	{"rename_everything", `[
		{"op":"set_table","table":{"name":"orders"},"set":{"name":"sales"}},
		{"op":"set_column","table":{"name":"sales"},"column":{"name":"total"},"set":{"name":"sum"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"id"},"set":{"name":"number"}},
		{"op":"set_index","table":{"name":"sales"},"index":{"name":"orders_total"},"set":{"name":"sales_sum"}},
		{"op":"set_foreign_key","table":{"name":"sales"},"foreignKey":{"name":"orders_customer"},"set":{"name":"sales_customer"}}]`},
	{"rename_and_modify", `[
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"state"},"set":{"name":"status","dataType":"text","isNullable":false,"defaultValue":"'open'"}},
		{"op":"set_table","table":{"name":"orders"},"set":{"name":"Sales"}},
		{"op":"set_column","table":{"name":"Sales"},"column":{"name":"rate"},"set":{"name":"share","dataType":"numeric(6,4)"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"note"},"set":{"name":"state","dataType":"boolean"}},
		{"op":"add_column","table":{"name":"customers"},"column":{"name":"note","dataType":"text","isNullable":false}}]`},
	{"names_in_a_circle", `[
		{"op":"set_table","table":{"name":"orders"},"set":{"name":"spare"}},
		{"op":"set_table","table":{"name":"customers"},"set":{"name":"orders"}},
		{"op":"set_table","table":{"name":"spare"},"set":{"name":"customers"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"total"},"set":{"name":"spare"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"rate"},"set":{"name":"total"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"spare"},"set":{"name":"rate"}},
		{"op":"set_index","table":{"name":"customers"},"index":{"name":"orders_total"},"set":{"name":"spare_ix"}},
		{"op":"set_index","table":{"name":"orders"},"index":{"name":"customers_email"},"set":{"name":"orders_total"}},
		{"op":"set_index","table":{"name":"customers"},"index":{"name":"spare_ix"},"set":{"name":"customers_email"}}]`},
	{"a_name_that_becomes_free", `[
		{"op":"drop_column","table":{"name":"customers"},"column":{"name":"note"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"name":"note"}},
		{"op":"add_column","table":{"name":"customers"},"column":{"name":"email","dataType":"text"}},
		{"op":"drop_table","table":{"name":"orders"}},
		{"op":"set_table","table":{"name":"customers"},"set":{"name":"orders"}},
		{"op":"add_table","table":{"name":"customers"},"initialColumns":[{"name":"id","dataType":"uuid","isPrimaryKey":true,"defaultValue":"gen_random_uuid()"}]}]`},
	{"move_to_another_schema", `[
		{"op":"set_table","createSchema":true,"table":{"name":"orders"},"set":{"schema":"app","name":"sales"}},
		{"op":"add_table","table":{"name":"orders"},"initialColumns":[{"name":"id","dataType":"integer"}]}]`},
	{"new_tables_that_refer_to_each_other", `[
		{"op":"add_table","table":{"name":"a"},"initialColumns":[{"name":"id","dataType":"integer","isPrimaryKey":true,"isIdentity":true},{"name":"b","dataType":"integer"}]},
		{"op":"add_table","createSchema":true,"table":{"name":"b","schema":"other"},"initialColumns":[{"name":"id","dataType":"integer","isPrimaryKey":true},{"name":"a","dataType":"integer"}]},
		{"op":"add_foreign_key","table":{"name":"a"},"foreignKey":{"name":"a_b","referencedTable":{"schema":"other","name":"b"},"mappings":[{"column":"b","referencedColumn":"id"}]}},
		{"op":"add_foreign_key","table":{"name":"b","schema":"other"},"foreignKey":{"name":"b_a","referencedTable":{"name":"a"},"mappings":[{"column":"a","referencedColumn":"id"}],"onDeleteAction":"restrict"}}]`},
	{"another_primary_key", `[
		{"op":"drop_foreign_key","table":{"name":"orders"},"foreignKey":{"name":"orders_customer"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"id"},"set":{"isIdentity":false,"isPrimaryKey":false,"isNullable":true}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"isPrimaryKey":true}},
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"customer"},"set":{"dataType":"varchar(200)"}},
		{"op":"add_foreign_key","table":{"name":"orders"},"foreignKey":{"name":"orders_customer","referencedTable":{"name":"customers"},
			"mappings":[{"column":"customer","referencedColumn":"email"}]}}]`},
	{"types", `[
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"id"},"set":{"dataType":"integer","isIdentity":true}},
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"total"},"set":{"dataType":"numeric(12,2)"}},
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"state"},"set":{"dataType":"integer","defaultValue":"1"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"maxLength":"50"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"note"},"set":{"dataType":"text[]"}}]`},
	{"computed_columns", `[
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"tax"},"set":{"name":"levy","computedFormula":"total * rate / 100"}},
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"rate"},"set":{"isNullable":false}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"note"},"set":{"isComputed":true,"computedFormula":"upper(email)"}},
		{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_levy","columns":["levy"]}}]`},
	{"a_computed_column_stays_with_its_values", `[
		{"op":"set_column","table":{"name":"orders"},"column":{"name":"tax"},"set":{"isComputed":false,"defaultValue":"1"}}]`},
	{"checks_and_indexes", `[
		{"op":"drop_check","table":{"name":"orders"},"check":{"name":"orders_positive"}},
		{"op":"add_check","table":{"name":"orders"},"check":{"name":"orders_positive","expression":"total > 0 and rate<1"}},
		{"op":"set_index","table":{"name":"orders"},"index":{"name":"orders_total"},"set":{"unique":true,"columns":["total","id"],"where":"state = 'open'"}},
		{"op":"drop_index","table":{"name":"customers"},"index":{"name":"customers_email"}},
		{"op":"set_foreign_key","table":{"name":"orders"},"foreignKey":{"name":"orders_customer"},"set":{"onDeleteAction":"set_null","onUpdateAction":"restrict"}}]`},
	{"drop_everything", `[{"op":"drop_table","table":{"name":"customers"}},{"op":"drop_table","table":{"name":"orders"}}]`},
	{"nothing", `[]`},
}

func TestPlansAreWhatTheyWere(t *testing.T) {
	base := edited(t, designer.New(Dialect(), nil), shop)
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			golden(t, "plans/"+s.name+".sql", spelled(planned(t, base, edited(t, base, s.edits))))
		})
	}
}

func TestPlansLeaveNothingToPublish(t *testing.T) {
	t.Parallel()
	script, err := Engine{}.Script(edited(t, designer.New(Dialect(), nil), shop))
	require.NoError(t, err)
	for _, s := range long.Sample(t, 12, stories) {
		t.Run(s.name, func(t *testing.T) {
			change(t, open(t, script.Script()), s.edits)
		})
	}
}
