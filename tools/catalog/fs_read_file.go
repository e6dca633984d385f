package catalog

import "encoding/json"

// ReadFile reads a file and its version.
const ReadFile = "fs_read_file"

func readFile() Definition {
	return Definition{
		Name:  ReadFile,
		Title: "Read a file",
		Description: "Read a file's contents. Returns version token for safe editing. " +
			"At most 1,900 lines or 24 KiB at once; version, lines and size are of the whole file",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"path":{"type":"string","description":"File path (e.g. src/scenes/GameScene.js)"}` +
			`,"head":{"type":"integer","description":"Only the first N lines"}` +
			`,"tail":{"type":"integer","description":"Only the last N lines"}` +
			`,"from":{"type":"integer","description":"First line, from 1"}` +
			`,"to":{"type":"integer","description":"Last line"}` +
			`,"numbers":{"type":"boolean","description":"Line numbers and a tab before each line"}` +
			`},"required":["projectRoot","path"],"additionalProperties":false}`),
		Annotations:   readOnly(),
		Failure:       Structured,
		Mark:          markFiles,
		MaxReplyBytes: MaxFileReplyBytes,
	}
}
