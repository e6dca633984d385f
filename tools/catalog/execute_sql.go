package catalog

import "encoding/json"

// planID names what a person approved outside the agent's client.
const planID = `,"plan_id":{"type":"string","description":"From an approval_required reply, once a person approved"}`

// ExecuteSQL runs one statement that may change a database.
const ExecuteSQL = "execute-sql"

func executeSQL() Definition {
	return Definition{
		Name:  ExecuteSQL,
		Title: "Execute SQL",
		Description: "Run one SQL statement that changes data, schema or permissions. A person is asked first, " +
			"unless the connection's settings allow writes; reading is run-query's. Rows affected, or rows of RETURNING, come back",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"statement":{"type":"string","description":"Exactly one statement"},` + connection + planID +
			`},"required":["projectRoot","statement"],"additionalProperties":false}`),
		Annotations: Annotations{Destructive: true},
		Failure:     Text,
	}
}
