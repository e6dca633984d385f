package enginetest

// indexKinds are the edits of indexes, unique constraints and checks.
func indexKinds() []kind {
	return []kind{
		{"add an index", `{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_status_ix","columns":["status","total"]}}`},
		{"add an index that descends", `{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_total_ix","columns":["status",{"name":"total","descending":true}]}}`},
		{"add a unique index", `{"op":"add_index","table":{"name":"customers"},"index":{"name":"customers_name_ux","unique":true,"columns":["name"]}}`},
		{"add a partial index", `{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_new_ix","columns":["customer_id"],"where":"status = 'new'"}}`},
		{"add an index on a new column", `{"op":"add_column","table":{"name":"orders"},"column":{"name":"code","dataType":"<varchar>(20)"}},
			{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_code_ix","columns":["code"]}}`},
		{"rename an index", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_title_ix"},"set":{"name":"products_by_title"}}`},
		{"rename a unique constraint", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_sku_uq"},"set":{"name":"products_by_sku"}}`},
		{"change the columns of an index", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_title_ix"},"set":{"columns":[{"name":"title","descending":true},"stock"]}}`},
		{"change the columns of a unique constraint", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_sku_uq"},"set":{"columns":["sku","title"]}}`},
		{"make an index unique", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_title_ix"},"set":{"unique":true}}`},
		{"make a unique index an ordinary one", `{"op":"set_index","table":{"name":"customers"},"index":{"name":"customers_email_ux"},"set":{"unique":false}}`},
		{"make an index a partial one", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_title_ix"},"set":{"where":"stock > 0"}}`},
		{"make a partial index a whole one", `{"op":"set_index","table":{"name":"orders"},"index":{"name":"orders_open_ix"},"set":{"where":""}}`},
		{"drop an index", `{"op":"drop_index","table":{"name":"products"},"index":{"name":"products_title_ix"}}`},
		{"drop a unique constraint", `{"op":"drop_index","table":{"name":"products"},"index":{"name":"products_sku_uq"}}`},
		{"exchange the names of two indexes", `{"op":"set_index","table":{"name":"products"},"index":{"name":"products_title_ix"},"set":{"name":"other_ix"}},
			{"op":"set_index","table":{"name":"products"},"index":{"name":"products_category_ix"},"set":{"name":"products_title_ix"}},
			{"op":"set_index","table":{"name":"products"},"index":{"name":"other_ix"},"set":{"name":"products_category_ix"}}`},
		{"add a check", `{"op":"add_check","table":{"name":"orders"},"check":{"name":"orders_total_ck","expression":"total >= 0 AND status <> ''"}}`},
		{"drop a check", `{"op":"drop_check","table":{"name":"customers"},"check":{"name":"customers_credit_ck"}}`},
		{"replace a check", `{"op":"drop_check","table":{"name":"customers"},"check":{"name":"customers_credit_ck"}},
			{"op":"add_check","table":{"name":"customers"},"check":{"name":"customers_credit_ck","expression":"credit > -100"}}`},
	}
}
