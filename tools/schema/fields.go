package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// The operations.
const (
	opShow          = "show"
	opOverview      = "get_overview"
	opGetTable      = "get_table"
	opApply         = "apply_edits"
	opUndo          = "undo"
	opRedo          = "redo"
	opMetadata      = "get_metadata"
	opRelationships = "get_relationships"
	opChanges       = "get_changes"
	opVerify        = "verify"
	opPublish       = "publish"
	opRebase        = "rebase"
	opExport        = "export"
	opImport        = "import"
)

func operationNames() []string {
	return []string{opShow, opOverview, opGetTable, opApply, opUndo, opRedo, opMetadata, opRelationships,
		opChanges, opVerify, opPublish, opRebase, opExport, opImport}
}

func knownOperation(name string) bool { return slices.Contains(operationNames(), name) }

// fieldsOf lists the fields an operation takes beside those every operation
// does. A field it does not take is refused rather than ignored: an undo that
// overlooked options.dryRun would do what its caller believed it did not.
func fieldsOf(operation string) []string {
	common := []string{"operation", "projectRoot", "connectionId", "connectionName", "payload", "options"}
	switch operation {
	case opShow:
		return append(common, "options.includeOverview", "options.includeColumns")
	case opOverview:
		return append(common, "payload.targetHint", "options.includeColumns",
			"options.pattern", "options.offset", "options.limit")
	case opGetTable:
		return append(common, "payload.table", "payload.targetHint", "options.includeColumns",
			"options.includeForeignKeys", "options.columns", "options.offset", "options.limit")
	case opApply:
		return append(common, "payload.expectedVersion", "payload.edits", "payload.targetHint", planField,
			"options.atomic", "options.dryRun")
	case opUndo, opRedo:
		return append(common, "payload.expectedVersion", "payload.targetHint", "payload.steps", "payload.batch", planField)
	case opMetadata:
		return append(common, "payload.targetHint", "options.offset", "options.limit")
	case opChanges:
		return append(common, "payload.targetHint", "options.offset", "options.limit")
	case opVerify:
		return append(common, "payload.targetHint")
	case opPublish:
		return append(common, "payload.expectedVersion", "payload.targetHint", "payload.to", planField)
	case opRebase:
		return append(common, "payload.targetHint", "payload.choices", planField)
	case opExport:
		return append(common, "payload.targetHint", "payload.format", "payload.path", "payload.dialect", "options.overwrite", "options.owners")
	case opImport:
		return append(common, "payload.expectedVersion", "payload.targetHint", "payload.format", "payload.path",
			"payload.dialect", "options.dryRun")
	case opRelationships:
		return append(common, "payload.table", "payload.targetHint",
			"options.pattern", "options.offset", "options.limit")
	}
	return common
}

// checkField refuses a field that the operation does not take, and says what
// the caller most likely meant.
func checkField(operation, field string) *failure {
	taken := fieldsOf(operation)
	if slices.Contains(taken, field) {
		return nil
	}
	if others := operationsTaking(field); len(others) > 0 {
		return invalid("%s does not take %s, which belongs to %s", operation, field, strings.Join(others, ", "))
	}
	if successor := fieldSuccessor(lastName(field)); successor != "" {
		return invalid("unknown field %s: this tool calls it %s", quote(field), successor)
	}
	for _, name := range taken {
		if strings.EqualFold(lastName(name), lastName(field)) {
			return invalid("unknown field %s: it is %s", quote(field), name).near(name)
		}
	}
	near := nearest(field, taken)
	return invalid("unknown field %s; the nearest is %s", quote(field), near[0]).near(near...)
}

// nearest returns the few candidates that name is most like.
func nearest(name string, candidates []string) []string {
	const few = 3
	names := designer.Nearest(name, candidates)
	return names[:min(few, len(names))]
}

// operationsTaking lists the operations that take exactly this field.
func operationsTaking(field string) []string {
	var names []string
	for _, operation := range operationNames() {
		if slices.Contains(fieldsOf(operation), field) {
			names = append(names, operation)
		}
	}
	return names
}

// fieldSuccessor maps a parameter of the older tool to this one's.
func fieldSuccessor(name string) string {
	switch name {
	case "schemaVersion", "version":
		return "payload.expectedVersion"
	case "tableName":
		return "payload.table.name"
	case "schemaName":
		return "payload.table.schema"
	case "connectionUri":
		return "connectionId"
	case "schema":
		return "payload.edits (apply_edits); a whole schema is never sent"
	}
	return ""
}

// unknownOperation names the successor of an operation of the older tool, or
// the nearest operation.
func unknownOperation(name string) *failure {
	if successor := operationSuccessor(name); successor != "" {
		return invalid("operation %s is not part of this tool: use %s", quote(name), successor)
	}
	return invalid("unknown operation %s; this tool has %s", quote(name), strings.Join(operationNames(), ", "))
}

func operationSuccessor(name string) string {
	switch name {
	case "get_schema", "getSchema":
		return "get_overview, then get_table for the tables you need"
	case "replace_schema", "replaceSchema":
		return "apply_edits with only the changes"
	}
	if op := editOperation(name); op != "" {
		return fmt.Sprintf(`apply_edits with payload.edits: [{"op": %q, …}]`, op)
	}
	return ""
}

// editOperation finds the edit that an operation of the older tool became:
// add_table and its like, with the older verbs and spellings.
func editOperation(name string) designer.Op {
	var snake strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			snake.WriteByte('_')
			r += 'a' - 'A'
		}
		snake.WriteRune(r)
	}
	verb, object, _ := strings.Cut(snake.String(), "_")
	switch verb {
	case "delete", "remove":
		verb = "drop"
	case "modify", "update", "alter":
		verb = "set"
	case "create":
		verb = "add"
	}
	op := designer.Op(verb + "_" + object)
	if slices.Contains(designer.Ops(), op) {
		return op
	}
	return ""
}

func lastName(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }
