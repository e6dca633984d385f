package enginetest

// manyKinds are edits of several objects that have to be made in an order
// other than that of the edits.
func manyKinds() []kind {
	return []kind{
		{"rename a table and its columns and what is on them", `{"op":"set_table","table":{"name":"products"},"set":{"name":"goods"}},
			{"op":"set_column","table":{"name":"goods"},"column":{"name":"title"},"set":{"name":"label","maxLength":"100"}},
			{"op":"set_column","table":{"name":"goods"},"column":{"name":"stock"},"set":{"name":"pieces"}},
			{"op":"set_index","table":{"name":"goods"},"index":{"name":"products_title_ix"},"set":{"name":"goods_label_ix"}},
			{"op":"add_check","table":{"name":"goods"},"check":{"name":"goods_pieces_ck","expression":"pieces < 1000000"}},
			{"op":"set_foreign_key","table":{"name":"order_lines"},"foreignKey":{"name":"lines_product_fk"},"set":{"name":"lines_goods_fk"}}`},
		{"replace a table by another", `{"op":"drop_table","table":{"name":"notes"}},
			{"op":"add_table","table":{"name":"remarks"},"initialColumns":[
				{"name":"id","dataType":"<identity>","isPrimaryKey":true,"isIdentity":true},
				{"name":"order_id","dataType":"<int32>","isNullable":false},{"name":"body","dataType":"<text>"}]},
			{"op":"add_foreign_key","table":{"name":"remarks"},"foreignKey":{"name":"remarks_order_fk","referencedTable":{"name":"orders"},
				"mappings":[{"column":"order_id","referencedColumn":"id"}],"onDeleteAction":"cascade"}},
			{"op":"add_index","table":{"name":"remarks"},"index":{"name":"remarks_order_ix","columns":["order_id"]}}`},
		{"turn a foreign key around", `{"op":"drop_foreign_key","table":{"name":"products"},"foreignKey":{"name":"products_category_fk"}},
			{"op":"add_column","table":{"name":"categories"},"column":{"name":"product_id","dataType":"<int32>"}},
			{"op":"add_foreign_key","table":{"name":"categories"},"foreignKey":{"name":"products_category_fk","referencedTable":{"name":"products"},
				"mappings":[{"column":"product_id","referencedColumn":"id"}]}},
			{"op":"drop_index","table":{"name":"products"},"index":{"name":"products_category_ix"}},
			{"op":"drop_column","table":{"name":"products"},"column":{"name":"category_id"}}`},
		{"edit every table", `{"op":"add_column","table":{"name":"customers"},"column":{"name":"extra","dataType":"<int32>"}},
			{"op":"add_column","table":{"name":"products"},"column":{"name":"extra","dataType":"<int32>"}},
			{"op":"add_column","table":{"name":"orders"},"column":{"name":"extra","dataType":"<int32>"}},
			{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"quantity"},"set":{"dataType":"<int64>"}},
			{"op":"set_column","table":{"name":"categories"},"column":{"name":"name"},"set":{"maxLength":"80"}},
			{"op":"set_table","table":{"name":"notes"},"set":{"name":"remarks"}},
			{"op":"drop_column","table":{"name":"customers"},"column":{"name":"visits"}}`},
	}
}
