package catalog

import "encoding/json"

// RunQuery runs one statement that reads.
const RunQuery = "run-query"

func runQuery() Definition {
	return Definition{
		Name:        RunQuery,
		Title:       "Run a query",
		Description: "Run a SQL query",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"query":{"type":"string","description":"Exactly one read-only statement"},` + connection +
			`,"toFile":{"type":"boolean","description":"Write all rows to a CSV file in the project; the reply has its path"}` +
			`},"required":["projectRoot","query"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
	}
}
