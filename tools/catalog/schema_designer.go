package catalog

import "encoding/json"

// SchemaDesigner reads and edits the design of a database's schema. The name
// is the contract's, whatever the dialect.
const SchemaDesigner = "mssql_schema_designer"

// Operations lists the designer's operations in the order of its enum.
func Operations() []string {
	return []string{"show", "get_overview", "get_table", "apply_edits", "undo", "redo",
		"get_metadata", "get_relationships", "get_changes", "verify", "publish", "rebase", "export", "import"}
}

// schemaDesigner is destructive for one operation's sake: an edit changes a
// design that undo brings back, but publish, which a person approves, changes
// a database.
func schemaDesigner() Definition {
	return Definition{
		Name:  SchemaDesigner,
		Title: "Schema designer",
		Description: "Design the schema of a SQL Server, PostgreSQL, MySQL/MariaDB or SQLite database " +
			"by versioned, undoable edits; no database is changed before publish. " +
			"show opens a connection's designer and makes it active. get_overview lists tables and columns: start here. " +
			"get_table reads one table. apply_edits applies payload.edits in order and returns a receipt; it stops at the first invalid edit " +
			"and keeps those before it. undo and redo step through edits. get_metadata lists schemas, data types, views. " +
			"get_relationships lists foreign keys. get_changes compares design and database; verify tries the change; " +
			"publish makes it once a person approves. export and import use files of the project. On stale_state re-read what you need and retry with currentVersion.",
		InputSchema:   json.RawMessage(designerSchema),
		Annotations:   Annotations{Destructive: true},
		Failure:       Structured,
		MaxReplyBytes: MaxDesignerReplyBytes,
	}
}

// designerSchema is one flat object: model APIs refuse oneOf at the top, and
// each shape stands once under $defs. The handler is stricter than the schema
// and says more when it refuses.
const designerSchema = `{"type":"object","properties":{` +
	`"operation":{"type":"string","enum":["show","get_overview","get_table","apply_edits","undo","redo","get_metadata","get_relationships","get_changes","verify","publish","rebase","export","import"]},` +
	projectRoot + `,` +
	`"connectionId":{"type":"string","description":"Designer to use; default: the active one. show: the connection to open"},` +
	`"connectionName":{"type":"string","description":"show: in place of connectionId"},` +
	`"payload":` + designerPayload + `,` +
	`"options":` + designerOptions +
	`},"required":["operation","projectRoot"],"additionalProperties":false,"$defs":{` +
	`"tableRef":{"type":"object","properties":{"schema":{"type":"string","description":"Default: the connection's. A new one: createSchema"},` +
	`"name":{"type":"string"},"id":{"type":"string"}},"additionalProperties":false},` +
	`"edit":` + editShape + `,` +
	`"column":` + columnShape + `,` +
	`"foreignKey":` + foreignKeyShape +
	`}}`

const designerPayload = `{"type":"object","properties":{` +
	`"table":{"$ref":"#/$defs/tableRef"},` +
	`"expectedVersion":{"type":"string","description":"of the last reply; required by apply_edits"},` +
	`"targetHint":{"type":"object","description":"Fail unless the database is this","properties":{` +
	`"server":{"type":"string"},"database":{"type":"string"}},"additionalProperties":false},` +
	`"edits":{"type":"array","items":{"$ref":"#/$defs/edit"}},` +
	`"steps":{"type":"integer","description":"undo, redo: how many edits; default 1"},` +
	`"batch":{"type":"boolean","description":"undo, redo: the whole last apply_edits"},` +
	`"format":{"type":"string","enum":["sql","plan","dbml","prisma","mermaid","markdown","json"]},` +
	`"path":{"type":"string","description":"export, import: file below the project"},` +
	`"dialect":{"type":"string","description":"of exported, imported sql: sqlite, postgres, mysql, mssql"},` +
	`"to":{"type":"string","description":"publish: the connection, of a design without a database"},` +
	`"planId":{"type":"string","description":"From approval_required"},` +
	`"choices":{"type":"array","description":"rebase: side design or database for each conflict id, * for the rest","items":{"type":"object"}}` +
	`},"additionalProperties":false}`

const designerOptions = `{"type":"object","properties":{` +
	`"includeColumns":{"type":"string","enum":["none","names","namesAndTypes","full"],"description":"Default namesAndTypes; full: get_table only, with all else"},` +
	`"includeForeignKeys":{"type":"boolean","description":"get_table"},` +
	`"columns":{"type":"array","items":{"type":"string"},"description":"get_table: only these"},` +
	`"includeOverview":{"type":"boolean","description":"show"},` +
	`"pattern":{"type":"string","description":"Only matching name or schema.name; wildcards * and ?"},` +
	`"offset":{"type":"integer","description":"nextOffset of the last page"},` +
	`"limit":{"type":"integer"},` +
	`"atomic":{"type":"boolean","description":"apply_edits: all or nothing"},` +
	`"dryRun":{"type":"boolean","description":"apply_edits, import: validate only"},` +
	`"overwrite":{"type":"boolean"},` + // of export, as owners: its notes say what that does
	`"owners":{"type":"boolean"}` +
	`},"additionalProperties":false}`

const editShape = `{"type":"object","description":"add_*: the new object. set_*, drop_*: name (or id) of the object; set: the fields to change",` +
	`"properties":{"op":{"type":"string","enum":["add_table","drop_table","set_table","add_column","drop_column","set_column",` +
	`"add_foreign_key","drop_foreign_key","set_foreign_key","add_index","set_index","drop_index","add_check","drop_check","add_type","set_type","drop_type"]},` +
	`"table":{"$ref":"#/$defs/tableRef"},` +
	`"createSchema":{"type":"boolean"},` +
	`"comment":{"type":"string","description":"add_table"},` +
	`"initialColumns":{"type":"array","items":{"$ref":"#/$defs/column"},"description":"add_table"},` +
	`"column":{"$ref":"#/$defs/column"},` +
	`"foreignKey":{"$ref":"#/$defs/foreignKey"},` +
	`"index":{"type":"object","properties":{"name":{"type":"string"},"id":{"type":"string"},"unique":{"type":"boolean"},` +
	`"columns":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"expression":{"type":"string"},"descending":{"type":"boolean"}},` +
	`"description":"name or expression; also length, opClass, nulls, collation"}},` +
	`"where":{"type":"string"},"method":{"type":"string"},"include":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},` +
	`"check":{"type":"object","properties":{"name":{"type":"string"},"id":{"type":"string"},"expression":{"type":"string"}},"additionalProperties":false},` +
	`"type":{"type":"object","description":"enum: schema, name, values; domain: dataType, isNullable, defaultValue, check"},` +
	`"set":{"type":"object","description":"set_table: name, schema, comment; set_type: also values, addValues, before, after, renameValues; else fields of column, foreignKey or index"}` +
	`},"required":["op"],"additionalProperties":false}`

const columnShape = `{"type":"object","properties":{` +
	`"name":{"type":"string"},"id":{"type":"string"},` +
	`"dataType":{"type":"string","description":"int, or with length: nvarchar(200)"},` +
	`"maxLength":{"description":"digits or MAX"},` +
	`"precision":{"type":"integer"},"scale":{"type":"integer"},` +
	`"isPrimaryKey":{"type":"boolean"},"isIdentity":{"type":"boolean"},` +
	`"identitySeed":{"type":"integer"},"identityIncrement":{"type":"integer"},` +
	`"isNullable":{"type":"boolean"},` +
	`"defaultValue":{"type":"string","description":"SQL expression"},` +
	`"isComputed":{"type":"boolean"},"computedFormula":{"type":"string"},"computedPersisted":{"type":"boolean"},` +
	`"values":{"type":"array","items":{"type":"string"},"description":"enum, set"},` +
	`"collation":{"type":"string"},"comment":{"type":"string"},` +
	`"isUnique":{"type":"boolean"}},"additionalProperties":false}`

const foreignKeyShape = `{"type":"object","properties":{` +
	`"name":{"type":"string"},"id":{"type":"string"},` +
	`"referencedTable":{"$ref":"#/$defs/tableRef"},` +
	`"mappings":{"type":"array","items":{"type":"object","properties":{"column":{"type":"string"},"referencedColumn":{"type":"string"}},"required":["column","referencedColumn"]}},` +
	`"onDeleteAction":{"description":"cascade, no_action, set_null, set_default, restrict; or 0 to 3"},` +
	`"onUpdateAction":{"description":"likewise"}` +
	`},"additionalProperties":false}`
