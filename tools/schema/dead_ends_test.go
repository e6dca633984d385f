package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// matched are the ids that a refusal gives, by what it says of them.
func matched(t *testing.T, text string) map[string]string {
	t.Helper()
	var reply struct {
		Hints struct {
			Matches []struct{ ID, Name, On string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &reply))
	ids := map[string]string{}
	for _, m := range reply.Hints.Matches {
		ids[m.Name+m.On] = m.ID
	}
	require.NotEmpty(t, ids, text)
	return ids
}

// Of tables that differ in case only each can be meant, in every place that
// takes a table.
func TestTheIdsOfAnAmbiguousTableSayWhichIsMeant(t *testing.T) {
	w := newWorld(t, "twins", 1, "")
	version := w.show()
	ids := matched(t, w.apply(version, `{"op":"drop_table","table":{"name":"ORDERS"}}`).text)
	upper, lower := ids["dbo.Orders"], ids["dbo.orders"]
	done := w.apply(version, `
		{"op":"add_column","table":{"id":"`+upper+`"},"column":{"name":"Up","dataType":"int"}},
		{"op":"add_column","table":{"name":"`+lower+`"},"column":{"name":"Down","dataType":"int"}},
		{"op":"add_foreign_key","table":{"id":"`+lower+`"},"foreignKey":{"name":"k","referencedTable":{"id":"`+upper+`"},
			"mappings":[{"column":"Down","referencedColumn":"OrdersId"}]}},
		{"op":"set_table","table":{"id":"`+upper+`"},"set":{"name":"Purchases"}}`)
	require.True(t, done.Success, done.text)
	related := w.does("get_relationships", `"payload":{"table":{"id":"`+upper+`"}}`, nil)
	assert.Contains(t, related.text, `"name":"k"`)
	assert.Contains(t, w.does("get_table", `"payload":{"table":{"name":"orders"}}`, nil).text, `"Down"`, "one is left")
}

func TestTheIdsOfAmbiguousColumnsSayWhichIsMeant(t *testing.T) {
	w := newWorld(t, "empty", 1, "")
	w.sources[0].def.Tables = []designer.TableDefinition{keyed("Twins", column("Mail", "int"), column("mail", "int"))}
	version := w.show()
	refused := w.apply(version, `{"op":"add_index","table":{"name":"Twins"},"index":{"columns":["MAIL"]}}`)
	lower := matched(t, refused.text)["mail"]
	done := w.apply(version, `
		{"op":"add_index","table":{"name":"Twins"},"index":{"name":"ix","columns":["`+lower+`"]}},
		{"op":"add_foreign_key","table":{"name":"Twins"},"foreignKey":{"name":"k","referencedTable":{"name":"Twins"},
			"mappings":[{"column":"`+lower+`","referencedColumn":"TwinsId"}]}},
		{"op":"set_column","table":{"name":"Twins"},"column":{"id":"`+lower+`"},"set":{"name":"Post"}}`)
	require.True(t, done.Success, done.text)
	full := w.does("get_table", `"payload":{"table":{"name":"Twins"}},"options":{"includeColumns":"full","includeForeignKeys":true,"columns":["`+lower+`"]}`, nil).text
	assert.Contains(t, full, `"mappings":[{"column":"Post"`)
	assert.Contains(t, full, `"columns":[{"name":"Post"`)
	assert.NotContains(t, full, `"Mail"`)
}

// What has no name has an id, in the refusal, in the receipt and in get_table,
// and edits take it.
func TestPartsWithoutANameAreAddressedById(t *testing.T) {
	w := newServed(t, `CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
		CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total INTEGER CHECK (total > 0));`)
	shown := w.does("show", "", nil)
	for _, tt := range []struct{ op, part, table, on string }{
		{"set_foreign_key", "foreignKey", "orders", "customer_id"},
		{"drop_foreign_key", "foreignKey", "orders", "customer_id"},
		{"drop_check", "check", "orders", "total > 0"},
		{"drop_index", "index", "customers", "email"},
	} {
		set := ""
		if strings.HasPrefix(tt.op, "set") {
			set = `,"set":{"onDeleteAction":"cascade"}`
		}
		edit := func(ref string) string {
			return `{"op":"` + tt.op + `","table":{"name":"` + tt.table + `"},"` + tt.part + `":` + ref + set + `}`
		}
		for _, guess := range []string{`{}`, `{"name":"guess"}`} {
			id := matched(t, w.apply(shown.Version, edit(guess)).text)[tt.on]
			require.NotEmpty(t, id, tt.op)
			done := w.does("apply_edits", `"options":{"dryRun":true},"payload":{"expectedVersion":"`+shown.Version+`","edits":[`+edit(`{"id":"`+id+`"}`)+`]}`, nil)
			require.True(t, done.Success, done.text)
			assert.Contains(t, done.text, `"`+tt.part+`":{"name":"","id":"`+id+`"}`, "the receipt says which")
		}
	}
}

// A schema that there is not is hardly ever meant; one that is new says so.
func TestANewSchemaIsAskedFor(t *testing.T) {
	for dialect, home := range map[string]string{"postgres": "public", "mssql": "dbo"} {
		w, version := newDialectWorld(t, dialect)
		for _, edit := range []string{
			`{"op":"add_table","table":{"schema":"` + home + `s","name":"t"}}`,
			`{"op":"set_table","table":{"name":"orders"},"set":{"schema":"` + home + `s"}}`,
		} {
			r := w.apply(version, edit)
			assert.Contains(t, r.text, `"reason":"validation_error","message":"Schema '`+home+`s' not available"`)
			require.NotEmpty(t, r.Hints.AllowedSchemas, r.text)
			assert.Equal(t, home, r.Hints.AllowedSchemas[0])
			assert.Contains(t, r.text, "createSchema")
		}
		done := w.apply(version, `
			{"op":"add_table","createSchema":true,"table":{"schema":"sales","name":"t"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]},
			{"op":"set_table","table":{"name":"orders"},"set":{"schema":"SALES"}}`)
		require.True(t, done.Success, done.text)
		assert.Contains(t, w.does("get_table", `"payload":{"table":{"schema":"sales","name":"orders"}}`, nil).text, `"schema":"sales"`)
	}
	for _, dialect := range []string{"sqlite", "mysql"} {
		w, version := newDialectWorld(t, dialect)
		r := w.apply(version, `{"op":"add_table","createSchema":true,"table":{"schema":"sales","name":"t"}}`)
		assert.Contains(t, r.text, "Schema 'sales' not available", "there it cannot be made")
		assert.NotContains(t, r.text, "newSchema")
	}
}

// A name without a schema means what it does to the connection, wherever the
// search_path is set.
func TestTheDefaultSchemaIsTheServersOwn(t *testing.T) {
	for _, set := range []string{
		`EXECUTE format('ALTER DATABASE %I SET search_path = shop, public', current_database())`,
		`EXECUTE format('ALTER ROLE %I IN DATABASE %I SET search_path = shop, public', current_user, current_database())`,
	} {
		w := newServerWorld(t, "postgres")
		w.exec(`CREATE SCHEMA shop; CREATE TABLE shop."Orders" (id int PRIMARY KEY); DO $$ BEGIN ` + set + `; END $$`)
		w.server.db.SetMaxIdleConns(0) // sessions that are open have what was set before
		shown := w.does("show", "", nil)
		assert.Contains(t, w.does("get_table", `"payload":{"table":{"name":"Orders"}}`, nil).text, `"schema":"shop"`)
		done := w.apply(shown.Version, `{"op":"add_table","table":{"name":"inv"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}`)
		assert.Contains(t, done.text, `"tablesAdded":[{"schema":"shop","name":"inv"}]`)
		assert.Contains(t, w.does("get_metadata", "", nil).text, `"defaultSchema":"shop"`)
		assert.Contains(t, w.does("get_changes", "", nil).text, `shop`)
	}
}

func TestARefusalOfACallsFormNamesTheDatabase(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	assert.NotContains(t, w.does("no_such", "", nil).text, "server", "none is open")
	w.show()
	for _, call := range []string{`{"operation":"no_such"}`, `{}`, `{"operation":"undo","payload":[]}`, `{"operation":"get_table","stray":1}`,
		`{"operation":"get_overview","options":{"includeColumns":"all"}}`} {
		text := w.call(call, nil).Content[0]
		assert.Contains(t, text, `"reason":"invalid_request"`)
		assert.Contains(t, text, `"server":"localhost","database":"Shop"`, call)
	}
}
