package enginetest

// tableKinds are the edits of whole tables.
func tableKinds() []kind {
	return []kind{
		{"add a table", `{"op":"add_table","table":{"name":"tags"},"initialColumns":[
			{"name":"id","dataType":"<int32>","isPrimaryKey":true},{"name":"name","dataType":"<varchar>(30)","isNullable":false}]}`},
		{"add a table that numbers its rows", `{"op":"add_table","table":{"name":"tags"},"initialColumns":[
			{"name":"id","dataType":"<identity>","isPrimaryKey":true,"isIdentity":true},{"name":"name","dataType":"<varchar>(30)","isNullable":false}]}`},
		{"add a table with a key of two columns", `{"op":"add_table","table":{"name":"visits"},"initialColumns":[
			{"name":"customer_id","dataType":"<int32>","isPrimaryKey":true},{"name":"day","dataType":"<date>","isPrimaryKey":true}]}`},
		{"add a table without a key", `{"op":"add_table","table":{"name":"log"},"initialColumns":[{"name":"line","dataType":"<varchar>(200)"}]}`},
		{"add a table in another schema", `{"op":"add_table","table":{"schema":"<schema>","name":"tags"},"initialColumns":[
			{"name":"id","dataType":"<int32>","isPrimaryKey":true}]}`},
		{"add a table with a reserved name", `{"op":"add_table","table":{"name":"select"},"initialColumns":[
			{"name":"order","dataType":"<int32>","isPrimaryKey":true},{"name":"Group By","dataType":"<varchar>(9)"}]}`},
		{"add a table with a unique column", `{"op":"add_table","table":{"name":"tags"},"initialColumns":[
			{"name":"id","dataType":"<int32>","isPrimaryKey":true,"isUnique":true},{"name":"name","dataType":"<varchar>(30)","isUnique":true}]}`},
		{"add a table with comments", `{"op":"add_table","table":{"name":"tags"},"comment":"Words\nfor \"goods\"","initialColumns":[
			{"name":"id","dataType":"<int32>","isPrimaryKey":true},{"name":"name","dataType":"<varchar>(30)","comment":"It's \\ ; -- größe"}]}`},
		{"comment on a table", `{"op":"set_table","table":{"name":"products"},"set":{"comment":"What's sold; -- here"}}`},
		{"comment on a table and rename it", `{"op":"set_table","table":{"name":"notes"},"set":{"name":"remarks","comment":"Notes"}}`},
		{"drop a table", `{"op":"drop_table","table":{"name":"notes"}}`},
		{"drop a table that others refer to", `{"op":"drop_table","table":{"name":"categories"}}`},
		{"rename a table", `{"op":"set_table","table":{"name":"notes"},"set":{"name":"remarks"}}`},
		{"rename a table that others refer to", `{"op":"set_table","table":{"name":"categories"},"set":{"name":"groups_of_goods"}}`},
		{"rename a table with a trigger", `{"op":"set_table","table":{"name":"products"},"set":{"name":"goods"}}`},
		{"rename a table that a view reads", `{"op":"set_table","table":{"name":"orders"},"set":{"name":"purchases"}}`},
		{"rename a table by case", `{"op":"set_table","table":{"name":"notes"},"set":{"name":"Notes"}}`},
		{"exchange the names of two tables", `{"op":"set_table","table":{"name":"notes"},"set":{"name":"other"}},
			{"op":"set_table","table":{"name":"categories"},"set":{"name":"notes"}},
			{"op":"set_table","table":{"name":"other"},"set":{"name":"categories"}}`},
		{"move a table to another schema", `{"op":"set_table","table":{"name":"categories"},"set":{"schema":"<schema>"}}`},
		{"move and rename a table", `{"op":"set_table","table":{"name":"notes"},"set":{"schema":"<schema>","name":"remarks"}}`},
		{"drop a table and add another of its name", `{"op":"drop_table","table":{"name":"notes"}},
			{"op":"add_table","table":{"name":"notes"},"initialColumns":[{"name":"id","dataType":"<int32>","isPrimaryKey":true}]}`},
		{"rename a table and add another of its old name", `{"op":"set_table","table":{"name":"notes"},"set":{"name":"remarks"}},
			{"op":"add_table","table":{"name":"notes"},"initialColumns":[{"name":"id","dataType":"<int32>","isPrimaryKey":true}]}`},
		{"add two tables that refer to each other", `{"op":"add_table","table":{"name":"a"},"initialColumns":[
				{"name":"id","dataType":"<int32>","isPrimaryKey":true},{"name":"b_id","dataType":"<int32>"}]},
			{"op":"add_table","table":{"name":"b"},"initialColumns":[
				{"name":"id","dataType":"<int32>","isPrimaryKey":true},{"name":"a_id","dataType":"<int32>"}]},
			{"op":"add_foreign_key","table":{"name":"a"},"foreignKey":{"name":"a_b_fk","referencedTable":{"name":"b"},"mappings":[{"column":"b_id","referencedColumn":"id"}]}},
			{"op":"add_foreign_key","table":{"name":"b"},"foreignKey":{"name":"b_a_fk","referencedTable":{"name":"a"},"mappings":[{"column":"a_id","referencedColumn":"id"}]}}`},
	}
}
