package mssql

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	driver "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// publishes are edits of the shop, each published with rows in its tables.
var publishes = []struct{ name, edits, query, want string }{
	{name: "add a column", edits: `[
		{"op":"add_column","table":{"name":"customers"},"column":{"name":"vip","dataType":"bit","isNullable":false,"defaultValue":"1"}},
		{"op":"add_column","table":{"name":"customers"},"column":{"name":"remark","dataType":"nvarchar(20)"}}]`,
		query: "SELECT CONVERT(varchar(10), SUM(CONVERT(int, vip))) FROM dbo.customers", want: "2"},
	{name: "add a computed column", edits: `[
		{"op":"add_column","table":{"schema":"sales","name":"orders"},"column":{"name":"thrice","isComputed":true,"computedPersisted":true,"computedFormula":"total*3"}}]`,
		query: "SELECT CONVERT(varchar(20), CONVERT(int, SUM(thrice))) FROM sales.orders", want: "630"},
	{name: "drop columns", edits: `[
		{"op":"drop_column","table":{"name":"customers"},"column":{"name":"note"}},
		{"op":"drop_column","table":{"schema":"sales","name":"orders"},"column":{"name":"twice"}}]`,
		query: "SELECT CONVERT(varchar(10), COUNT(*)) FROM dbo.customers", want: "2"},
	{name: "drop a default", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"placed"},"set":{"defaultValue":""}}]`,
		query: "SELECT CONVERT(varchar(10), COUNT(*)) FROM sales.orders", want: "2"},
	{name: "change a default", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"total"},"set":{"defaultValue":"7"}}]`,
		query: "INSERT INTO sales.orders (orderid) VALUES (9); SELECT CONVERT(varchar(10), CONVERT(int, total)) FROM sales.orders WHERE orderid = 9", want: "7"},
	{name: "rename a table and columns", edits: `[
		{"op":"set_table","table":{"name":"customers"},"set":{"name":"people"}},
		{"op":"set_column","table":{"name":"people"},"column":{"name":"name"},"set":{"name":"nick"}},
		{"op":"set_column","table":{"name":"people"},"column":{"name":"id"},"set":{"name":"key"}}]`,
		query: "SELECT nick FROM dbo.people WHERE nick IS NOT NULL", want: "A"},
	{name: "rename a column that a check and a formula use", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"total"},"set":{"name":"amount"}}]`,
		query: "SELECT CONVERT(varchar(20), CONVERT(int, SUM(twice))) FROM sales.orders", want: "420"},
	{name: "swap two names", edits: `[
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"name"},"set":{"name":"x"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"note"},"set":{"name":"name"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"x"},"set":{"name":"note"}}]`,
		query: "SELECT note FROM dbo.customers WHERE note IS NOT NULL", want: "A"},
	{name: "rename an index", edits: `[
		{"op":"set_index","table":{"schema":"sales","name":"orders"},"index":{"name":"ix_placed"},"set":{"name":"ix_when"}}]`},
	{name: "rename a foreign key", edits: `[
		{"op":"set_foreign_key","table":{"schema":"sales","name":"orders"},"foreignKey":{"name":"fk_customer"},"set":{"name":"fk_buyer"}}]`},
	{name: "widen a column", edits: `[
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"maxLength":"300"}}]`},
	{name: "change types", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"total"},"set":{"dataType":"decimal(19,4)"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"dataType":"varchar(100)"}}]`},
	{name: "make a column nullable", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"total"},"set":{"isNullable":true}}]`},
	{name: "convert a column", edits: `[
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"born"},"set":{"dataType":"varbinary(20)"}}]`},
	{name: "convert text to binary", edits: `[
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"name"},"set":{"dataType":"varbinary(20)","name":"bytes"}}]`,
		query: "SELECT CONVERT(varchar(20), bytes) FROM dbo.customers WHERE bytes IS NOT NULL", want: "A"},
	{name: "convert a computed column", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"twice"},"set":{"isComputed":false,"dataType":"money"}}]`,
		query: "SELECT CONVERT(varchar(20), CONVERT(int, SUM(twice))) FROM sales.orders", want: "420"},
	{name: "take identity away", edits: `[
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"id"},"set":{"isIdentity":false}}]`,
		query: "INSERT INTO dbo.customers (id, email) VALUES (77, N'c'); SELECT CONVERT(varchar(10), SUM(id)) FROM dbo.customers", want: "80"},
	{name: "make a column an identity", edits: `[
		{"op":"set_column","table":{"schema":"sales","name":"orders"},"column":{"name":"orderid"},"set":{"isIdentity":true}}]`,
		query: "INSERT INTO sales.orders (customerid) VALUES (1); SELECT CONVERT(varchar(10), MAX(orderid)) FROM sales.orders", want: "3"},
	{name: "change the primary key", edits: `[
		{"op":"drop_foreign_key","table":{"schema":"sales","name":"orders"},"foreignKey":{"name":"fk_customer"}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"id"},"set":{"isPrimaryKey":false}},
		{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"isPrimaryKey":true}}]`},
	{name: "foreign keys, indexes and checks", edits: `[
		{"op":"set_foreign_key","table":{"schema":"sales","name":"orders"},"foreignKey":{"name":"fk_customer"},"set":{"onDeleteAction":"set_null"}},
		{"op":"drop_index","table":{"schema":"sales","name":"orders"},"index":{"name":"ix_placed"}},
		{"op":"add_index","table":{"schema":"sales","name":"orders"},"index":{"name":"ix_two","columns":["customerid",{"name":"total","descending":true}]}},
		{"op":"drop_index","table":{"name":"customers"},"index":{"name":"uq_email"}},
		{"op":"drop_check","table":{"schema":"sales","name":"orders"},"check":{"name":"ck_total"}},
		{"op":"add_check","table":{"schema":"sales","name":"orders"},"check":{"name":"ck_more","expression":"total > -1"}}]`},
	{name: "a filtered index", edits: `[
		{"op":"add_index","table":{"schema":"sales","name":"orders"},"index":{"name":"ix_part","columns":["customerid"],"where":"customerid IS NOT NULL"}}]`},
	{name: "a new table", edits: `[
		{"op":"add_table","createSchema":true,"table":{"schema":"stock","name":"items"},"initialColumns":[
			{"name":"id","dataType":"int","isPrimaryKey":true,"isIdentity":true},
			{"name":"orderid","dataType":"int"},{"name":"label","dataType":"nvarchar(30)","isNullable":false,"defaultValue":"N'-'"}]},
		{"op":"add_foreign_key","table":{"schema":"stock","name":"items"},"foreignKey":{"name":"fk_items","referencedTable":{"schema":"sales","name":"orders"},
			"mappings":[{"column":"orderid","referencedColumn":"orderid"}]}}]`,
		query: "INSERT INTO stock.items (orderid) VALUES (1); SELECT label FROM stock.items", want: "-"},
	{name: "drop tables", edits: `[
		{"op":"drop_table","table":{"name":"customers"}}]`,
		query: "SELECT CONVERT(varchar(10), COUNT(*)) FROM sales.orders", want: "2"},
	{name: "move a table", edits: `[
		{"op":"set_table","createSchema":true,"table":{"name":"customers"},"set":{"schema":"sales","name":"buyers"}}]`},
}

func TestEditsArePublishedWithRowsPresent(t *testing.T) {
	for _, tt := range publishes {
		base := build(t, designer.Definition{})
		require.NotNil(t, base)
		live(t, tt.name, func(t *testing.T, s *server) {
			db := s.database(t)
			run(t, db, shop, shopRows)
			publishes := newPublisher(t, s, db)
			if publishes.edit(tt.edits) && tt.query != "" {
				var got string
				require.NoError(t, db.QueryRow(tt.query).Scan(&got))
				assert.Equal(t, tt.want, got)
			}
		})
	}
}

// publisher publishes edits and checks that the database becomes the design.
type publisher struct {
	t    *testing.T
	s    *server
	db   *sql.DB
	base *designer.Schema
}

func newPublisher(t *testing.T, s *server, db *sql.DB) *publisher {
	return &publisher{t: t, s: s, db: db, base: read(t, s, db)}
}

// edit reports whether the server has all that the edits need.
func (p *publisher) edit(edits string) bool {
	p.t.Helper()
	ctx, on := context.Background(), p.s.engine()
	design := change(p.t, p.base, edits)
	plan, err := on.Plan(designer.DiffOf(p.base, design))
	require.NoError(p.t, err)
	if lacking := p.s.lacks(designer.DiffOf(p.base, design), plan); lacking != "" {
		p.t.Logf("left out: Babelfish lacks %s", lacking)
		return false
	}
	require.NoError(p.t, on.Verify(ctx, p.db, plan, nil), "%s", plan.Script())
	require.Equal(p.t, asText(p.t, p.base.Definition()), asText(p.t, read(p.t, p.s, p.db).Definition()), "verifying leaves no trace")
	halt := errors.New("halt")
	err = on.Publish(ctx, p.db, plan, 0, func(step int, done bool) error {
		if step == len(plan.Steps)-1 && done {
			return halt
		}
		return nil
	})
	require.ErrorIs(p.t, err, halt)
	require.Equal(p.t, p.base.Version(), read(p.t, p.s, p.db).Version(), "a halted plan leaves no trace")
	require.NoError(p.t, on.Publish(ctx, p.db, plan, 0, nil), "%s", plan.Script())
	def, err := on.Inspect(ctx, p.db)
	require.NoError(p.t, err)
	reread, err := design.Adopt(def)
	require.NoError(p.t, err)
	next := designer.TakeSpelling(p.base, design, reread)
	diff := designer.DiffOf(next, reread)
	assert.True(p.t, diff.Empty(), "design\n%s\ndatabase\n%s\n%s", asText(p.t, next.Definition()), asText(p.t, reread.Definition()), plan.Script())
	assert.Equal(p.t, reread.Version(), next.Version())
	p.base = reread
	return true
}

// A refusal of the server is told with its step, and nothing lasts.
func TestARefusedStepIsToldAndLeavesNoTrace(t *testing.T) {
	const edits = `[{"op":"add_column","table":{"schema":"sales","name":"orders"},"column":{"name":"a","dataType":"int"}},
		{"op":"add_check","table":{"schema":"sales","name":"orders"},"check":{"name":"ck_high","expression":"total > 50"}}]`
	require.NotEmpty(t, edits)
	live(t, "a check that rows do not meet", func(t *testing.T, s *server) {
		db := s.database(t)
		run(t, db, shop, shopRows)
		base := read(t, s, db)
		plan, err := Engine{}.Plan(designer.DiffOf(base, change(t, base, edits)))
		require.NoError(t, err)
		check := slices.IndexFunc(plan.Steps, func(s designer.Step) bool { return strings.Contains(s.Statement, "ck_high") })
		require.Positive(t, check, "a step is made before")
		for _, try := range []func() error{
			func() error { return Engine{}.Verify(context.Background(), db, plan, nil) },
			func() error { return Engine{}.Publish(context.Background(), db, plan, 0, nil) },
		} {
			var refused *designer.StepError
			require.ErrorAs(t, try(), &refused)
			assert.Contains(t, refused.Step.Statement, "ck_high")
			assert.Equal(t, check, refused.Index)
			assert.Zero(t, refused.Applied)
			assert.Error(t, refused.Err)
			assert.Equal(t, base.Version(), read(t, s, db).Version())
		}
	})
}

func TestOnlyALockIsWaitedForAgain(t *testing.T) {
	for number, locked := range map[int32]bool{1222: true, 1205: true, 547: false} {
		err := &designer.StepError{Err: driver.Error{Number: number}}
		assert.Equal(t, locked, isLocked(err), number)
	}
	assert.False(t, isLocked(errors.New("lost")))
}
