package enginetest

// namedTypeKinds are the edits of types that a database has of its own. The
// shop of a dialect with such has the enum delivery, which columns, a condition
// and a view use.
func namedTypeKinds() []kind {
	add := `{"op":"add_type","type":{"name":"mood","values":["sad","it's ok","glad"],"comment":"how it's going"}}`
	return []kind{
		{"add an enum", add},
		{"add an enum and columns of it", add + `,
			{"op":"add_column","table":{"name":"orders"},"column":{"name":"mood","dataType":"mood","defaultValue":"'it''s ok'"}},
			{"op":"add_column","table":{"name":"orders"},"column":{"name":"moods","dataType":"mood[]"}},
			{"op":"add_table","table":{"name":"moods"},"initialColumns":[{"name":"m","dataType":"public.mood"}]}`},
		{"add an enum in another schema", `{"op":"add_type","type":{"schema":"<schema>","name":"Mixed Mood","values":["a"]}},
			{"op":"add_column","table":{"name":"orders"},"column":{"name":"mood","dataType":"<schema>.Mixed Mood"}}`},
		{"add an enum in a new schema", `{"op":"add_type","type":{"schema":"fresh","name":"mood","values":["a"]},"createSchema":true}`},
		{"add values to an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"addValues":["drone","boat"]}},
			{"op":"set_type","type":{"name":"delivery"},"set":{"addValues":["","bike"],"before":"post"}},
			{"op":"set_type","type":{"name":"delivery"},"set":{"addValues":["van","cart"],"after":"bike"}}`},
		{"rename values of an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"renameValues":{"post":"mail","courier":"post"}}}`},
		{"exchange values of an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"renameValues":{"post":"courier","courier":"post"}}}`},
		{"take a value from an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"values":["post","courier","pick up","none"]}}`},
		{"reorder the values of an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"values":["none","pick up","courier","post","spare","boat"]}}`},
		{"take a value from an enum, rename others and use a new one", `{"op":"set_type","type":{"name":"delivery"},
				"set":{"renameValues":{"post":"courier","courier":"spare"},"values":["courier","boat","spare","pick up","none"]}},
			{"op":"set_column","table":{"name":"parcels"},"column":{"name":"way"},"set":{"defaultValue":"'boat'"}}`},
		{"use a value that an enum gets", `{"op":"set_type","type":{"name":"delivery"},"set":{"addValues":["boat"],"renameValues":{"courier":"van"}}},
			{"op":"set_column","table":{"name":"parcels"},"column":{"name":"way"},"set":{"defaultValue":"'boat'"}},
			{"op":"add_check","table":{"name":"parcels"},"check":{"expression":"way <> 'boat' OR id > 0"}}`},
		{"rename an enum", `{"op":"set_type","type":{"name":"delivery"},"set":{"name":"Way","comment":"of delivery"}}`},
		{"rename an enum, its values and its columns", `{"op":"set_type","type":{"name":"delivery"},"set":{"name":"way","schema":"<schema>","addValues":["boat"],"renameValues":{"courier":"van"}}},
			{"op":"set_column","table":{"name":"parcels"},"column":{"name":"way"},"set":{"name":"delivery","isNullable":true}}`},
		{"give a column an enum", add + `,{"op":"set_column","table":{"name":"parcels"},"column":{"name":"ways"},"set":{"dataType":"delivery"}}`},
		{"give a column another enum of the same name", `{"op":"set_type","type":{"name":"delivery"},"set":{"name":"older"}},
			{"op":"add_type","type":{"name":"delivery","values":["none","pick up","courier","post","new"]}},
			{"op":"set_column","table":{"name":"parcels"},"column":{"name":"ways"},"set":{"dataType":"delivery[]"}}`},
		{"drop an enum with its columns", `{"op":"drop_type","type":{"name":"unused"}}`},
		{"add a domain and a column of it", `{"op":"add_type","type":{"name":"percent","dataType":"numeric(5,2)","isNullable":false,"defaultValue":"0","check":"VALUE >= 0","comment":"of a whole"}},
			{"op":"add_column","table":{"name":"orders"},"column":{"name":"share","dataType":"percent"}}`},
		{"change a domain", `{"op":"set_type","type":{"name":"weight"},"set":{"isNullable":true,"defaultValue":"2","check":"VALUE > -1","name":"Mass"}}`},
		{"take what a domain asks for away", `{"op":"set_type","type":{"name":"weight"},"set":{"defaultValue":"","check":"","comment":"any"}}`},
		{"refuse nulls in a domain", `{"op":"set_type","type":{"name":"code"},"set":{"isNullable":false,"schema":"<schema>"}}`},
		{"make a domain of another type", `{"op":"set_type","type":{"name":"weight"},"set":{"dataType":"bigint"}}`},
		{"drop a domain", `{"op":"drop_column","table":{"name":"crates"},"column":{"name":"code"}},{"op":"drop_type","type":{"name":"code"}}`},
		{"exchange the names of two enums", `{"op":"set_type","type":{"name":"delivery"},"set":{"name":"x"}},
			{"op":"set_type","type":{"name":"unused"},"set":{"name":"delivery"}},
			{"op":"set_type","type":{"name":"x"},"set":{"name":"unused"}}`},
	}
}
