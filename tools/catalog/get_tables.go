package catalog

import "encoding/json"

// GetTables lists the tables of a database.
const GetTables = "get-tables"

func getTables() Definition {
	return Definition{
		Name:        GetTables,
		Title:       "Get tables",
		Description: "Get list of tables in database",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot + `,` + connection +
			`,"pattern":{"type":"string","description":"Only names that match; * and ? are wildcards"}` +
			`,"includeViews":{"type":"boolean","description":"List views too; default false"}` +
			`},"required":["projectRoot"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
		List:        "tables",
		Mark:        markDatabase,
	}
}
