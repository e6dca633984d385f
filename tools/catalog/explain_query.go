package catalog

import "encoding/json"

// ExplainQuery shows how the server would run a query.
const ExplainQuery = "explain-query"

func explainQuery() Definition {
	return Definition{
		Name:        ExplainQuery,
		Title:       "Explain a query",
		Description: "Show the server's plan for a SQL query without running it",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"query":{"type":"string","description":"One read-only statement, without EXPLAIN"},` + connection +
			`,"format":{"type":"string","enum":["text","json"],"description":"Default text"}` +
			`},"required":["projectRoot","query"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
	}
}
