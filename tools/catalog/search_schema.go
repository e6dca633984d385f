package catalog

import "encoding/json"

// SearchSchema finds tables and columns by name.
const SearchSchema = "search-schema"

func searchSchema() Definition {
	return Definition{
		Name:        SearchSchema,
		Title:       "Search the schema",
		Description: "Find tables, views and columns by name",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"pattern":{"type":"string","description":"Part of a name, or with the wildcards * and ?; table.column searches both"}` +
			`,"detail":{"type":"string","enum":["names","columns","full"],"description":"names (default): what matches; columns: the tables' columns with types; full: keys, defaults and indexes too"},` +
			connection + `},"required":["projectRoot","pattern"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
		List:        "matches",
	}
}
