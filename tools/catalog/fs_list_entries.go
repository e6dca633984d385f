package catalog

import "encoding/json"

// ListEntries lists the project's files.
const ListEntries = "fs_list_entries"

// MaxFileReplyBytes bounds any reply of the file tools.
const MaxFileReplyBytes = 28_000

func listEntries() Definition {
	return Definition{
		Name:        ListEntries,
		Title:       "List files",
		Description: "List the files in the project, sorted by path, up to 500 at once. What .gitignore hides is left out and counted",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"path_prefix":{"type":"string","description":"Filter by path prefix (e.g. src/scenes)"}` +
			`,"glob":{"type":"string","description":"e.g. *.go or src/**/*.{ts,tsx}"}` +
			`,"include_ignored":{"type":"boolean"}` +
			`,"cursor":{"type":"string","description":"From the reply before, for what follows"}` +
			`},"required":["projectRoot"],"additionalProperties":false}`),
		Annotations:   readOnly(),
		Failure:       Structured,
		Mark:          markFiles,
		MaxReplyBytes: MaxFileReplyBytes,
	}
}
