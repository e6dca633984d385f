package designer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// richDialect has a method beside the ordinary one, and all that an index can
// have.
func richDialect() *Dialect {
	d := openDialect()
	const all = IndexPartial<<1 - 1
	d.Indexes.Methods = func(*Table) []IndexMethod {
		return []IndexMethod{{"btree", all}, {"hash", IndexExpressions | IndexPartial}}
	}
	d.Indexes.MethodOptions = []string{"with"}
	d.Comments = CommentRules{Table: 30, Column: 20}
	return d
}

func TestCommentsAreSetAndRemoved(t *testing.T) {
	s := shop(t, richDialect())
	made := apply(t, s, `[{"op":"add_table","table":{"name":"T"},"comment":"all of it","initialColumns":[{"name":"a","dataType":"int","comment":"one"}]},
		{"op":"set_table","table":{"name":"T"},"set":{"comment":"it's\nnew"}},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"a"},"set":{"comment":""}}]`)
	assert.Equal(t, "it's\nnew", tableOf(t, s, "T").Comment)
	assert.Empty(t, columnOf(t, s, "T", "a").Comment)
	assert.Contains(t, made[1].Words(s.Dialect()), "comment 'all of it' → comment 'it")
	assert.Contains(t, made[2].Words(s.Dialect()), "comment 'one' → no comment")
	s.Undo(made[2])
	assert.Equal(t, "one", columnOf(t, s, "T", "a").Comment)
}

func TestAColumnIsUniqueByAFlag(t *testing.T) {
	s := shop(t, richDialect())
	made := apply(t, s, `[{"op":"add_table","table":{"name":"T"},"initialColumns":[
			{"name":"a","dataType":"int","isPrimaryKey":true,"isUnique":true},{"name":"b","dataType":"int","isUnique":true},{"name":"c","dataType":"int"}]},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"c"},"set":{"isUnique":true}},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"c"},"set":{"isUnique":true}},
		{"op":"set_column","table":{"name":"T"},"column":{"name":"b"},"set":{"isUnique":false}}]`)
	table := tableOf(t, s, "T")
	require.Len(t, table.Indexes, 1, "the primary key is unique already, and b is so no more")
	assert.Equal(t, "UQ_T_c", table.Indexes[0].Name)
	assert.True(t, table.Indexes[0].Constraint)
	assert.True(t, table.IsUnique(table.Columns[2].ID))
	assert.Equal(t, "Change column c of public.T: add unique index UQ_T_c", made[1].Words(s.Dialect()))
	assert.Empty(t, made[2].Tables, "it was so")
	assert.Equal(t, "Change column b of public.T: drop unique index UQ_T_b", made[3].Words(s.Dialect()))

	plain := richDialect()
	plain.Indexes.UniqueIndexes = true
	s = shop(t, plain)
	apply(t, s, `[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Note"},"set":{"isUnique":true}}]`)
	orders := tableOf(t, s, "Orders")
	assert.False(t, orders.Indexes[len(orders.Indexes)-1].Constraint)
}

// A key of two columns of a new table makes neither unique.
func TestAPartOfTheKeyIsNotUniqueByIt(t *testing.T) {
	s := shop(t, richDialect())
	apply(t, s, `[{"op":"add_table","table":{"name":"T"},"initialColumns":[
		{"name":"a","dataType":"int","isPrimaryKey":true,"isUnique":true},{"name":"b","dataType":"int","isPrimaryKey":true}]}]`)
	assert.Len(t, tableOf(t, s, "T").Indexes, 1)
}

func TestAnIndexHasWhatItsMethodHas(t *testing.T) {
	s := shop(t, richDialect())
	made := apply(t, s, `[`+addsIndex("Orders", `{"columns":[{"expression":"lower(Note)","nulls":"first","collation":"C"},
			{"name":"Total","descending":true,"nulls":"FIRST","opClass":"public.ops (n=1)"},{"name":"CustomerId","length":0}],"include":["OrderId"],"method":"BTree"}`)+`,
		`+setsIndex("Orders", "IX_Orders_expr_Total_CustomerId", `{"columns":[{"name":"Total","descending":true},{"expression":"LOWER( Note )"}]}`)+`,
		{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Note"},"set":{"name":"The Note"}},
		`+setsIndex("Orders", "IX_Orders_expr_Total_CustomerId", `{"method":"hash","include":[],"columns":["Total"]}`)+`]`)
	added := made[0].Tables[0].After.Indexes[1]
	total, _ := tableOf(t, s, "Orders").Column(ObjectRef{Name: "Total"})
	assert.Equal(t, []IndexKey{{Expression: "lower(Note)", Nulls: "first", Collation: "C"}, {Column: total.ID, Descending: true, OpClass: "public.ops (n=1)"}}, added.Parts[:2])
	assert.Len(t, added.Include, 1)
	assert.Empty(t, added.Method, "the ordinary one")
	kept := made[1].Tables[0].After.Indexes[1]
	assert.Equal(t, []IndexKey{added.Parts[1], {Expression: "lower(Note)", Collation: "C"}}, []IndexKey{kept.Parts[0], {Expression: kept.Parts[1].Expression, Collation: kept.Parts[1].Collation}},
		"what is not given stays, and another spelling is nothing new")
	assert.Equal(t, `lower("The Note")`, made[2].Tables[0].After.Indexes[1].Parts[1].Expression, "a new name reaches the expression")
	last := tableOf(t, s, "Orders").Indexes[1]
	assert.Equal(t, "hash", last.Method)
	assert.Empty(t, last.Include)
	assert.Equal(t, []IndexKey{{Column: total.ID}}, last.Parts, "an operator class is of the method before")
	assert.Contains(t, made[3].Words(s.Dialect()), "method ordinary → method hash")
}

func TestRulesOfCommentsUniqueColumnsAndIndexes(t *testing.T) {
	comment := func(text string) string { return setsColumn("Orders", "Note", `{"comment":"`+text+`"}`) }
	for name, tt := range map[string]struct{ edit, message, field string }{
		"a comment fits": {comment(strings.Repeat("ä", 21)), "The comment of column 'Note' has 21 characters: PostgreSQL keeps at most 20; shorten it", "set.comment"},
		"a table's comment fits": {`{"op":"add_table","table":{"name":"T"},"comment":"` + strings.Repeat("x", 31) + `"}`,
			"The comment of table 'T' has 31 characters: PostgreSQL keeps at most 30; shorten it", "comment"},
		"a comment is text": {comment(`a\u0000`), "The comment of column 'Note' holds bytes that are no text: leave them out", "set.comment"},
		"a key of several columns stays": {setsColumn("Lines", "Quantity", `{"isUnique":false}`),
			"Column 'Quantity' is unique only together with other columns, by index 'UQ_two': change or drop that with set_index or drop_index", "set.isUnique"},
		"a key that is referred to stays": {setsColumn("Customers", "Email", `{"isUnique":false}`),
			"The key of table 'public.Customers' cannot change: foreign key 'public.Orders.FK_Mail' refers to it; drop the key first", "set.isUnique"},
		"a method exists": {addsIndex("Orders", `{"columns":["Note"],"method":"tree"}`),
			"Index method 'tree' is not one that edits give on PostgreSQL; table 'public.Orders' can have btree, hash: take one, or leave method out", "index.method"},
		"a method has what is asked for": {addsIndex("Orders", `{"columns":["Note"],"method":"hash","unique":true}`),
			"An index of method hash cannot be unique on PostgreSQL: leave unique out", "index.unique"},
		"another method has what there is": {setsIndex("Customers", "UQ_Region", `{"method":"hash"}`),
			"An index of method hash cannot be unique on PostgreSQL: leave unique out", "set.method"},
		"a method has several keys":     {addsIndex("Orders", `{"columns":["Note","Total"],"method":"hash"}`), "An index of method hash has one column on PostgreSQL: give one, or add an index for each", "index.columns"},
		"an expression is one":          {addsIndex("Orders", `{"columns":[{"expression":"a, b"}]}`), "expression of the index holds several: give each as a key of its own", "index.columns[0].expression"},
		"an expression has no order":    {addsIndex("Orders", `{"columns":[{"expression":"lower(Note) desc"}]}`), "expression of the index holds its order: give descending beside it", "index.columns[0].expression"},
		"an expression has no comment":  {addsIndex("Orders", `{"columns":[{"expression":"lower(Note) /* x */"}]}`), "expression of the index holds a comment: leave it out", "index.columns[0].expression"},
		"an expression closes":          {addsIndex("Orders", `{"columns":[{"expression":"lower(Note)), (1"}]}`), "expression of the index has unbalanced parentheses", "index.columns[0].expression"},
		"an expression is no column":    {addsIndex("Orders", `{"columns":[{"expression":"note"}]}`), "expression of the index is a column: give it as name, 'Note'", "index.columns[0].expression"},
		"a collation stands beside":     {addsIndex("Orders", `{"columns":[{"expression":"lower(Note) collate \"C\""}]}`), "expression of the index ends in a collation: give collation beside it, or put the whole into parentheses", "index.columns[0].expression"},
		"an expression comes once":      {addsIndex("Orders", `{"columns":[{"expression":"lower(Note)"},{"expression":"lower(Note)"}]}`), "Index has expression 'lower(Note)' twice", "index.columns[1]"},
		"a key is one thing":            {addsIndex("Orders", `{"columns":[{"name":"Note","expression":"1 + 1"}]}`), "A key of an index is a column or an expression: give name or expression, not both", "index.columns[0].expression"},
		"a key is something":            {addsIndex("Orders", `{"columns":[{"descending":true}]}`), "A key of an index needs a name, of a column, or an expression", "index.columns[0].name"},
		"nulls are at an end":           {addsIndex("Orders", `{"columns":[{"name":"Note","nulls":"middle"}]}`), "nulls of an index is first or last, not 'middle'", "index.columns[0].nulls"},
		"a length counts":               {addsIndex("Orders", `{"columns":[{"name":"Note","length":-1}]}`), "length of an index is how many characters or bytes of a column are indexed, 1 or more: leave it out for all of it", "index.columns[0].length"},
		"an operator class is a name":   {addsIndex("Orders", `{"columns":[{"name":"Note","opClass":"ops DESC"}]}`), "opClass of the index is a name, such as text_pattern_ops: give that alone", "index.columns[0].opClass"},
		"an operator class is one name": {addsIndex("Orders", `{"columns":[{"name":"Note","opClass":"ops, \"Total\""}]}`), "opClass of the index is a name, such as text_pattern_ops: give that alone", "index.columns[0].opClass"},
		"an included column is no key":  {addsIndex("Orders", `{"columns":["Note"],"include":["Note"]}`), "Index names column 'Note' twice", "index.include[0]"},
		"an included column is there":   {addsIndex("Orders", `{"columns":["Note"],"include":["Total","Nope"]}`), "Column 'Nope' not found in table 'public.Orders'", "index.include[1]"},
		"a constraint has no method":    {setsIndex("Customers", "UQ_Region", `{"columns":[{"expression":"Region + 1"}]}`), "'UQ_Region' is a unique constraint: it stays unique and takes no expression; drop it and add an index", "set.columns[0].expression"},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, richDialect())
			apply(t, s, `[`+addsKey("Orders", `{"name":"FK_Mail","referencedTable":{"name":"Customers"},"mappings":[{"column":"Note","referencedColumn":"Email"}]}`)+`,
				`+addsIndex("Lines", `{"name":"UQ_two","unique":true,"columns":["Quantity","Parent"]}`)+`]`)
			if strings.Contains(tt.edit, "UQ_Region") {
				apply(t, s, `[{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Region"},"set":{"isUnique":true}},`+
					setsIndex("Customers", "UQ_Customers_Region", `{"name":"UQ_Region"}`)+`]`)
			}
			if name == "another method has what there is" {
				apply(t, s, `[{"op":"drop_index","table":{"name":"Customers"},"index":{"name":"UQ_Region"}},`+addsIndex("Customers", `{"name":"UQ_Region","unique":true,"columns":["Region"]}`)+`]`)
			}
			err := refuse(t, s, tt.edit)
			assert.Equal(t, tt.message, err.Message)
			assert.Equal(t, tt.field, err.Field)
		})
	}
}

func TestADialectWithoutRefusesInWords(t *testing.T) {
	d := serverDialect()
	d.Comments.None = true
	for edit, message := range map[string]string{
		setsColumn("Orders", "Note", `{"comment":"x"}`):                                       "The comment of column 'Note' cannot be kept: SQL Server stores no comments; leave comment out",
		`{"op":"set_table","table":{"name":"Orders"},"set":{"comment":"x"}}`:                  "The comment of table 'dbo.Orders' cannot be kept: SQL Server stores no comments; leave comment out",
		addsIndex("Orders", `{"columns":[{"expression":"lower(Note)"}]}`):                     "An index takes no expression on SQL Server: add a computed column and index that",
		addsIndex("Orders", `{"columns":["Note"],"include":["Total"]}`):                       "An index stores no columns beside its key on SQL Server: leave include out, or add the columns to columns",
		addsIndex("Orders", `{"columns":[{"name":"Note","nulls":"first"}]}`):                  "An index does not say where nulls come on SQL Server: leave nulls out",
		addsIndex("Orders", `{"columns":[{"name":"Note","length":5}]}`):                       "Column 'Note' is of type nvarchar, of which no part can be indexed: leave length out",
		addsIndex("Orders", `{"columns":[{"name":"Note","opClass":"x"}]}`):                    "An index has no operator class on SQL Server: leave opClass out",
		addsIndex("Orders", `{"columns":[{"name":"Note","collation":"x"}],"method":"btree"}`): "An index has the collations of its columns on SQL Server: leave collation out",
	} {
		assert.Equal(t, message, refuse(t, shop(t, d), edit).Message)
	}
	apply(t, shop(t, d), `[`+setsColumn("Orders", "Note", `{"comment":""}`)+`]`)
}
