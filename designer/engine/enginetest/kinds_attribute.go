package enginetest

// attributeKinds are changes of a column's other attributes.
func attributeKinds() []kind {
	return []kind{
		{"allow nulls", `{"op":"set_column","table":{"name":"products"},"column":{"name":"title"},"set":{"isNullable":true}}`},
		{"forbid nulls", `{"op":"set_column","table":{"name":"categories"},"column":{"name":"place"},"set":{"isNullable":false}}`},
		{"forbid nulls and set a default", `{"op":"set_column","table":{"name":"categories"},"column":{"name":"place"},"set":{"isNullable":false,"defaultValue":"0"}}`},
		{"set a default", `{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},"set":{"defaultValue":"100"}}`},
		{"set a default of text", `{"op":"set_column","table":{"name":"notes"},"column":{"name":"body"},"set":{"defaultValue":"'it''s new'"}}`},
		{"set a default that is computed", `{"op":"set_column","table":{"name":"orders"},"column":{"name":"noted"},"set":{"defaultValue":"CURRENT_TIMESTAMP"}}`},
		{"change a default", `{"op":"set_column","table":{"name":"orders"},"column":{"name":"status"},"set":{"defaultValue":"'open'"}}`},
		{"drop a default", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"city"},"set":{"defaultValue":""}}`},
		{"number the rows", `{"op":"set_column","table":{"name":"stock"},"column":{"name":"id"},"set":{"isIdentity":true}}`},
		{"number the rows no more", `{"op":"set_column","table":{"name":"tickets"},"column":{"name":"id"},"set":{"isIdentity":false}}`},
		{"change a formula", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"amount"},"set":{"computedFormula":"quantity * unit_price + 1"}}`},
		{"store a computed column", `{"op":"set_column","table":{"name":"stock"},"column":{"name":"total"},"set":{"computedPersisted":true}}`},
		{"store a computed column no more", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"amount"},"set":{"computedPersisted":false}}`},
		{"make a computed column an ordinary one", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"amount"},
			"set":{"isComputed":false,"computedFormula":"","dataType":"<decimal>(14,2)"}}`},
		{"make an ordinary column a computed one", `{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},
			"set":{"isComputed":true,"computedPersisted":true,"computedFormula":"stock * 10"}}`},
		{"comment on a column", `{"op":"set_column","table":{"name":"products"},"column":{"name":"sku"},"set":{"comment":"The maker's\nnumber \\ of it"}}`},
		{"comment on a column and change its type", `{"op":"set_column","table":{"name":"notes"},"column":{"name":"body"},"set":{"comment":"Text","dataType":"<varchar>(300)"}}`},
		{"comment on a computed column", `{"op":"set_column","table":{"name":"order_lines"},"column":{"name":"amount"},"set":{"comment":"Quantity by price"}}`},
		{"make a column unique", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"name"},"set":{"isUnique":true}}`},
		{"make a column unique no more", `{"op":"set_column","table":{"name":"products"},"column":{"name":"sku"},"set":{"isUnique":false}}`},
		{"add a unique column", `{"op":"add_column","table":{"name":"orders"},"column":{"name":"code","dataType":"<int32>","isUnique":true}}`},
		{"set a collation", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"city"},"set":{"collation":"<collation>"}}`},
		{"set a collation of a column of an index", `{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"collation":"<collation>"}}`},
	}
}
