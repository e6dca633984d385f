package catalog

import "encoding/json"

// EditFile edits a file by replacing exact text.
const EditFile = "fs_edit_file"

func editFile() Definition {
	return Definition{
		Name:        EditFile,
		Title:       "Edit a file",
		Description: "Edit a file by replacing exact text. ALWAYS read the file first to get its version. A person may have to approve it",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot +
			`,"path":{"type":"string"}` +
			`,"version":{"type":"string","description":"From fs_read_file; none: create, by one edit of empty old_text"}` +
			`,"edits":{"type":"array","items":{"type":"object","properties":{` +
			`"old_text":{"type":"string","description":"Must match once"}` +
			`,"new_text":{"type":"string"}` +
			`,"all":{"type":"boolean","description":"Replace all"}` +
			`,"expect":{"type":"integer","description":"Replace so many"}` +
			`},"required":["old_text","new_text"],"additionalProperties":false}}` +
			`,"dry_run":{"type":"boolean"}` +
			`,"plan_id":{"type":"string"}` +
			`},"required":["projectRoot","path","version","edits"],"additionalProperties":false}`),
		Annotations:   Annotations{Destructive: true},
		Failure:       Structured,
		MaxReplyBytes: MaxFileReplyBytes,
	}
}
