package catalog

import "encoding/json"

// SchemaReader is the designer's reading half. Clients ask a person by a tool's
// annotations, and those of the designer are publish's.
const SchemaReader = "schema_designer_read"

// ReadingOperations lists the designer's operations that [SchemaReader] has. show
// is not one of them (it opens a page, and decides what later edits go to), nor is
// verify, which makes scratch databases.
func ReadingOperations() []string {
	return []string{"get_overview", "get_table", "get_metadata", "get_relationships", "get_changes"}
}

func schemaReader() Definition {
	return Definition{
		Name:  SchemaReader,
		Title: "Read the schema design",
		Description: "The operations of mssql_schema_designer that only read, with the same replies; " +
			"needs no show. Its version is good for apply_edits",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"operation":{"type":"string","enum":["get_overview","get_table","get_metadata","get_relationships","get_changes"]},` +
			projectRoot +
			`,"connectionName":{"type":"string","description":"Default: the active design's"}` +
			`,"payload":{"type":"object","properties":{"table":{"type":"object","properties":{"schema":{"type":"string"},"name":{"type":"string"}}}}}` +
			`,"options":{"type":"object","description":"includeColumns: none, names, namesAndTypes, full; includeForeignKeys; columns; pattern; offset; limit"}` +
			`},"required":["operation","projectRoot"],"additionalProperties":false}`),
		Annotations:   readOnly(),
		Failure:       Structured,
		MaxReplyBytes: MaxDesignerReplyBytes,
	}
}
