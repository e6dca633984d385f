package catalog

import "encoding/json"

// MSSQLQuery runs one reading statement on SQL Server, or previews its shape
// where the project has none.
const MSSQLQuery = "mssql-query"

func mssqlQuery() Definition {
	return Definition{
		Name:  MSSQLQuery,
		Title: "MSSQL Query Tool",
		Description: "Run one read-only SQL Server statement. Without a SQL Server connection in the project, " +
			"previews the shape of a result through the adapter stub",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"database":{"type":"string","description":"Database, or connection name"}` +
			`,"query":{"type":"string","description":"One SELECT"}` +
			`,"maxRows":{"type":"number","description":"Stub: default 3"}` +
			`},"required":["projectRoot","database","query"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"correlationId":{"type":"string"},"database":{"type":"string"}` +
			`,"recordset":{"type":"array","items":{"type":"object"}}` +
			`,"startedAt":{"type":"string"},"completedAt":{"type":"string"}}` +
			`,"required":["correlationId","database","recordset","startedAt","completedAt"]}`),
		Annotations: readOnly(),
		Failure:     Text,
	}
}
