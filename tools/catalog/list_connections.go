package catalog

import "encoding/json"

// ListConnections lists the project's database connections.
const ListConnections = "list-connections"

func listConnections() Definition {
	return Definition{
		Name:  ListConnections,
		Title: "List connections",
		Description: "List the project's database connections: dialect, server, database, origin, which is the default, " +
			"whether each answers and whether its login can write",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`},"required":["projectRoot"],"additionalProperties":false}`),
		Annotations: readOnly(),
		Failure:     Text,
		List:        "connections",
	}
}
