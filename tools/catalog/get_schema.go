package catalog

import "encoding/json"

// GetSchema shows how one table is created.
const GetSchema = "get-schema"

func getSchema() Definition {
	return Definition{
		Name:        GetSchema,
		Title:       "Get table schema",
		Description: "Get schema for specified table",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"table":{"type":"string","description":"Table name, or schema.table"},` + connection +
			`},"required":["projectRoot","table"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
		Mark:        markDatabase,
	}
}
