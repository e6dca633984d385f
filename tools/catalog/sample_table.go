package catalog

import "encoding/json"

// SampleTable shows a few rows of a table.
const SampleTable = "sample-table"

func sampleTable() Definition {
	return Definition{
		Name:        SampleTable,
		Title:       "Sample a table",
		Description: "Show the first rows of a table or view",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"table":{"type":"string","description":"Table name, or schema.table"}` +
			`,"rows":{"type":"integer","minimum":1,"maximum":50,"description":"Default 5"},` + connection +
			`},"required":["projectRoot","table"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
	}
}
