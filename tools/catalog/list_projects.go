package catalog

import "encoding/json"

// ListProjects lists the projects that run. It is the one tool that takes no
// projectRoot: the front-end answers it itself.
const ListProjects = "list-projects"

func listProjects() Definition {
	return Definition{
		Name:        ListProjects,
		Title:       "List projects",
		Description: "List the running projects, whose projectRoot the other tools take: state, databases, active design",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"contains":{"type":"string","description":"Only paths with this in them"}` +
			`},"additionalProperties":false}`),
		Annotations:   readOnly(),
		Failure:       Text,
		MaxReplyBytes: MaxProjectsReplyBytes,
	}
}

// MaxProjectsReplyBytes bounds a reply of list-projects.
const MaxProjectsReplyBytes = 16 << 10
