package catalog

import "encoding/json"

// SearchContent searches the contents of the project's files.
const SearchContent = "fs_search_content"

func searchContent() Definition {
	return Definition{
		Name:        SearchContent,
		Title:       "Search file contents",
		Description: "Search file contents across the project. Each hit has its file's version, so that an edit may follow",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"query":{"type":"string","description":"Search text (literal string, not regex)"}` +
			`,"path_prefix":{"type":"string","description":"Limit search to path prefix"}` +
			`,"case_sensitive":{"type":"boolean","description":"Default false"}` +
			`,"limit":{"type":"integer","description":"Max results, default 20, at most 50"}` +
			`,"regex":{"type":"boolean","description":"query is a regular expression (RE2), applied to each line"}` +
			`,"rank":{"type":"boolean","description":"Best files first, where a database keeps them"}` +
			`},"required":["projectRoot","query"],"additionalProperties":false}`),
		Annotations:   readOnly(),
		Failure:       Structured,
		Mark:          markFiles,
		MaxReplyBytes: MaxFileReplyBytes,
	}
}
