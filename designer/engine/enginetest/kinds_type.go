package enginetest

// typeKinds are changes of a column's type.
func typeKinds() []kind {
	return []kind{
		{"widen an integer", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"visits"},"set":{"dataType":"<int64>"}}`},
		{"narrow an integer that fits", `{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},"set":{"dataType":"<int16>"}}`},
		{"make an integer a decimal", `{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},"set":{"dataType":"<decimal>(12,3)"}}`},
		{"make an integer text", `{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},"set":{"dataType":"<varchar>(20)"}}`},
		{"make text long", `{"op":"set_column","table":{"name":"notes"},"column":{"name":"body"},"set":{"dataType":"<text>"}}`},
		{"make long text short", `{"op":"set_column","table":{"name":"products"},"column":{"name":"note"},"set":{"dataType":"<varchar>(100)"}}`},
		{"lengthen a text", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"city"},"set":{"maxLength":"90"}}`},
		{"lengthen a text of an index", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"maxLength":"150"}}`},
		{"lengthen a text of a unique constraint", `{"op":"set_column","table":{"name":"products"},"column":{"name":"sku"},"set":{"maxLength":"30"}}`},
		{"shorten a text that fits", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"city"},"set":{"maxLength":"20"}}`},
		{"add digits", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"credit"},"set":{"precision":14,"scale":4}}`},
		{"change the type of a column with a default", `{"op":"set_column","table":{"name":"products"},"column":{"name":"stock"},"set":{"dataType":"<int64>"}}`},
		{"change the type of a column that a view reads", `{"op":"set_column","table":{"name":"orders"},"column":{"name":"total"},"set":{"precision":15}}`},
		{"change the type of a column of a computed column", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"unit_price"},"set":{"precision":12}}`},
		{"change the type of a primary key", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"line_no"},"set":{"dataType":"<int64>"}}`},
		{"change the type of a column that numbers the rows", `{"op":"set_column","table":{"name":"audit"},"column":{"name":"id"},"set":{"dataType":"<int64>"}}`},
		{"change the type at both ends of a foreign key", `{"op":"drop_foreign_key","table":{"name":"categories"},"foreignKey":{"name":"categories_parent_fk"}},
			{"op":"drop_foreign_key","table":{"name":"products"},"foreignKey":{"name":"products_category_fk"}},
			{"op":"set_column","table":{"name":"categories"},"column":{"name":"id"},"set":{"dataType":"<int64>"}},
			{"op":"set_column","table":{"name":"categories"},"column":{"name":"parent_id"},"set":{"dataType":"<int64>"}},
			{"op":"add_foreign_key","table":{"name":"categories"},"foreignKey":{"name":"categories_parent_fk",
				"referencedTable":{"name":"categories"},"mappings":[{"column":"parent_id","referencedColumn":"id"}]}}`},
	}
}
