package catalog

import "encoding/json"

// GetDatabaseType tells which SQL dialect a connection speaks.
const GetDatabaseType = "get-database-type"

func getDatabaseType() Definition {
	return Definition{
		Name:        GetDatabaseType,
		Title:       "Get database type",
		Description: "Get database type (e.g. mysql2, postgres, mssql) to determine SQL syntax",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot + `,` + connection +
			`},"required":["projectRoot"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
	}
}
