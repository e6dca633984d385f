package designer

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxEdits bounds the edits of one batch.
const MaxEdits = 10_000

// IndexedError is an [Error] about one edit of a list. Index is its place, or
// -1 for an error about the list itself.
type IndexedError struct {
	Index int
	*Error
}

// DecodeEdits reads the edits of a call: a JSON array, names exact, nothing
// doubled, no field that the operation does not take. The reason of the error
// is invalid_request; it names the field and the nearest known one.
func DecodeEdits(raw json.RawMessage) ([]Edit, *IndexedError) {
	var list []jsontext.Value
	if err := jsonv2.Unmarshal(raw, &list); err != nil {
		return nil, &IndexedError{-1, badRequest(nil, "edits must be an array of edit objects: %s", shortJSON(err))}
	}
	if list == nil { // null
		return nil, &IndexedError{-1, badRequest(nil, "edits must be an array of edit objects")}
	}
	if len(list) > MaxEdits {
		return nil, &IndexedError{-1, badRequest(nil, "edits holds %d edits: send at most %d in one call", len(list), MaxEdits)}
	}
	edits := make([]Edit, len(list))
	for i, item := range list {
		e, err := decodeEdit(item)
		if err != nil {
			err.Message = fmt.Sprintf("edits[%d]: %s", i, err.Message)
			return nil, &IndexedError{i, err}
		}
		edits[i] = e
	}
	return edits, nil
}

// field is one member that an operation takes.
type field struct {
	name     string
	required bool
	decode   func(raw jsontext.Value, at string, e *Edit) *Error
}

// operations says which members each operation takes beside op.
var operations = map[Op][]field{
	AddTable: {tableField, {"initialColumns", false, func(raw jsontext.Value, at string, e *Edit) (err *Error) {
		e.InitialColumns, err = decodeList[ColumnSpec](raw, columnShape, at)
		return err
	}}},
	DropTable:      {tableField},
	SetTable:       {tableField, shapeField("set", tableSetShape, func(e *Edit) any { return &e.SetTable })},
	AddColumn:      {tableField, shapeField("column", columnShape, func(e *Edit) any { return &e.Column })},
	DropColumn:     {tableField, refField("column", func(e *Edit) *ObjectRef { return &e.ColumnRef })},
	SetColumn:      {tableField, refField("column", func(e *Edit) *ObjectRef { return &e.ColumnRef }), shapeField("set", columnShape, func(e *Edit) any { return &e.SetColumn })},
	AddForeignKey:  {tableField, shapeField("foreignKey", foreignKeyShape, func(e *Edit) any { return &e.ForeignKey })},
	DropForeignKey: {tableField, refField("foreignKey", func(e *Edit) *ObjectRef { return &e.ForeignKeyRef })},
	SetForeignKey:  {tableField, refField("foreignKey", func(e *Edit) *ObjectRef { return &e.ForeignKeyRef }), shapeField("set", foreignKeyShape, func(e *Edit) any { return &e.SetForeignKey })},
	AddIndex:       {tableField, shapeField("index", indexShape, func(e *Edit) any { return &e.Index })},
	SetIndex:       {tableField, refField("index", func(e *Edit) *ObjectRef { return &e.IndexRef }), shapeField("set", indexShape, func(e *Edit) any { return &e.SetIndex })},
	DropIndex:      {tableField, refField("index", func(e *Edit) *ObjectRef { return &e.IndexRef })},
	AddCheck:       {tableField, shapeField("check", checkShape, func(e *Edit) any { return &e.Check })},
	DropCheck:      {tableField, refField("check", func(e *Edit) *ObjectRef { return &e.CheckRef })},
}

var tableField = field{"table", true, func(raw jsontext.Value, at string, e *Edit) *Error {
	return decodeShape(raw, tableRefShape, at, &e.Table)
}}

func shapeField(name string, s shape, into func(*Edit) any) field {
	return field{name, true, func(raw jsontext.Value, at string, e *Edit) *Error {
		return decodeShape(raw, s, at, into(e))
	}}
}

func refField(name string, into func(*Edit) *ObjectRef) field {
	return field{name, true, func(raw jsontext.Value, at string, e *Edit) *Error {
		return decodeShape(raw, objectRefShape, at, into(e))
	}}
}

func decodeEdit(raw jsontext.Value) (Edit, *Error) {
	members, err := membersOf(raw, "the edit")
	if err != nil {
		return Edit{}, err
	}
	var e Edit
	op, ok := members["op"]
	if !ok {
		return e, badRequest(&Hints{NearestNames: opNames(MaxHints)}, "op is missing: name the edit's operation").at("op")
	}
	if err := jsonv2.Unmarshal(op, &e.Op); err != nil {
		return e, badRequest(nil, "op must be a string").at("op")
	}
	fields, ok := operations[e.Op]
	if !ok {
		return e, unknownOp(string(e.Op)).at("op")
	}
	flattenSet(e.Op, members)
	known := []string{"op"}
	for _, f := range fields {
		known = append(known, f.name)
	}
	for _, name := range members.names() {
		if err := checkField(name, known, string(e.Op)); err != nil {
			return e, err
		}
	}
	for _, f := range fields {
		value, given := members[f.name]
		switch {
		case !given && f.required:
			return e, badRequest(nil, "%s needs %s", e.Op, f.name).at(f.name)
		case given:
			if err := f.decode(value, f.name, &e); err != nil {
				return e, err.at(f.name)
			}
		}
	}
	return e, nil
}

// flattenSet accepts the shipped tool's form of set_foreign_key, whose fields
// stood beside foreignKey rather than under set.
func flattenSet(op Op, m members) {
	if op != SetForeignKey || m["set"] != nil {
		return
	}
	var set []string
	for _, name := range m.names() {
		if name == "op" || name == "table" || name == "foreignKey" {
			continue
		}
		set = append(set, string(jsonString(name))+":"+string(m[name]))
		delete(m, name)
	}
	if len(set) > 0 {
		m["set"] = jsontext.Value("{" + strings.Join(set, ",") + "}")
	}
}

func unknownOp(op string) *Error {
	return badRequest(&Hints{NearestNames: Nearest(op, opNames(-1))}, "op %s is unknown", quote(op))
}

// opNames lists the operations, at most n of them unless n is negative.
func opNames(n int) []string {
	names := mapEach(Ops(), func(o Op) string { return string(o) })
	if n >= 0 && len(names) > n {
		return names[:n]
	}
	return names
}
