// Package edits reads the edits of a call: JSON in, [designer.Edit] out, and
// for what cannot be read a refusal that names the member and the nearest one
// that exists. It knows the form of an edit and not what it means: whether a
// table exists, or may be changed so, is for designer.Schema.Apply to say.
//
// Start from [Decode].
package edits

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Max bounds the edits of one batch.
const Max = 10_000

// Error is a refusal of one edit of a list. Index is its place, or -1 for an
// error about the list itself.
type Error struct {
	Index int
	*designer.Error
}

// Decode reads the edits of a call: a JSON array, names exact, nothing
// doubled, no field that the operation does not take. The reason of the error
// is invalid_request; it names the field and the nearest known one.
func Decode(raw json.RawMessage) ([]designer.Edit, *Error) {
	var list []jsontext.Value
	if err := jsonv2.Unmarshal(raw, &list); err != nil {
		return nil, &Error{-1, refuse(nil, "edits must be an array of edit objects: %s", shortJSON(err))}
	}
	if list == nil { // null
		return nil, &Error{-1, refuse(nil, "edits must be an array of edit objects")}
	}
	if len(list) > Max {
		return nil, &Error{-1, refuse(nil, "edits holds %d edits: send at most %d in one call", len(list), Max)}
	}
	edits := make([]designer.Edit, len(list))
	for i, item := range list {
		e, err := decodeEdit(item)
		if err != nil {
			err.Message = fmt.Sprintf("edits[%d]: %s", i, err.Message)
			return nil, &Error{i, err}
		}
		edits[i] = e
	}
	return edits, nil
}

// field is one member that an operation takes.
type field struct {
	name     string
	required bool
	decode   func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error
}

// operations says which members each operation takes beside op.
var operations = map[designer.Op][]field{
	designer.AddTable: {tableField, {"initialColumns", false, func(raw jsontext.Value, at string, e *designer.Edit) (err *designer.Error) {
		e.InitialColumns, err = decodeList[designer.ColumnSpec](raw, columnShape, at)
		return err
	}}, createSchemaField, commentField},
	designer.DropTable:      {tableField},
	designer.SetTable:       {tableField, shapeField("set", tableSetShape, func(e *designer.Edit) any { return &e.SetTable }), createSchemaField},
	designer.AddColumn:      {tableField, shapeField("column", columnShape, func(e *designer.Edit) any { return &e.Column })},
	designer.DropColumn:     {tableField, refField("column", func(e *designer.Edit) *designer.ObjectRef { return &e.ColumnRef })},
	designer.SetColumn:      {tableField, refField("column", func(e *designer.Edit) *designer.ObjectRef { return &e.ColumnRef }), shapeField("set", columnShape, func(e *designer.Edit) any { return &e.SetColumn })},
	designer.AddForeignKey:  {tableField, shapeField("foreignKey", foreignKeyShape, func(e *designer.Edit) any { return &e.ForeignKey })},
	designer.DropForeignKey: {tableField, refField("foreignKey", func(e *designer.Edit) *designer.ObjectRef { return &e.ForeignKeyRef })},
	designer.SetForeignKey:  {tableField, refField("foreignKey", func(e *designer.Edit) *designer.ObjectRef { return &e.ForeignKeyRef }), shapeField("set", foreignKeyShape, func(e *designer.Edit) any { return &e.SetForeignKey })},
	designer.AddIndex:       {tableField, shapeField("index", indexShape, func(e *designer.Edit) any { return &e.Index })},
	designer.SetIndex:       {tableField, refField("index", func(e *designer.Edit) *designer.ObjectRef { return &e.IndexRef }), shapeField("set", indexShape, func(e *designer.Edit) any { return &e.SetIndex })},
	designer.DropIndex:      {tableField, refField("index", func(e *designer.Edit) *designer.ObjectRef { return &e.IndexRef })},
	designer.AddCheck:       {tableField, shapeField("check", checkShape, func(e *designer.Edit) any { return &e.Check })},
	designer.DropCheck:      {tableField, refField("check", func(e *designer.Edit) *designer.ObjectRef { return &e.CheckRef })},
	designer.AddType:        {shapeField("type", typeShape, func(e *designer.Edit) any { return &e.Type }), createSchemaField},
	designer.SetType:        {typeRefField, shapeField("set", typeSetShape, func(e *designer.Edit) any { return &e.SetType }), createSchemaField},
	designer.DropType:       {typeRefField},
}

var tableField = field{"table", true, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
	return decodeShape(raw, tableRefShape, at, &e.Table)
}}

var typeRefField = field{"type", true, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
	return decodeShape(raw, tableRefShape, at, &e.TypeRef)
}}

var createSchemaField = field{"createSchema", false, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
	if err := jsonv2.Unmarshal(raw, &e.CreateSchema); err != nil {
		return refuse(nil, "%s must be true or false", at)
	}
	return nil
}}

var commentField = field{"comment", false, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
	if err := jsonv2.Unmarshal(raw, &e.Comment); err != nil {
		return refuse(nil, "%s must be a string", at)
	}
	return nil
}}

func shapeField(name string, s shape, into func(*designer.Edit) any) field {
	return field{name, true, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
		return decodeShape(raw, s, at, into(e))
	}}
}

func refField(name string, into func(*designer.Edit) *designer.ObjectRef) field {
	return field{name, true, func(raw jsontext.Value, at string, e *designer.Edit) *designer.Error {
		return decodeShape(raw, objectRefShape, at, into(e))
	}}
}

func decodeEdit(raw jsontext.Value) (designer.Edit, *designer.Error) {
	members, err := membersOf(raw, "the edit")
	if err != nil {
		return designer.Edit{}, err
	}
	var e designer.Edit
	op, ok := members["op"]
	if !ok {
		return e, refuse(&designer.Hints{NearestNames: firstOps()}, "op is missing: name the edit's operation").At("op")
	}
	if err := jsonv2.Unmarshal(op, &e.Op); err != nil {
		return e, refuse(nil, "op must be a string").At("op")
	}
	fields, ok := operations[e.Op]
	if !ok {
		return e, designer.UnknownOp(e.Op).At("op")
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
			return e, refuse(nil, "%s needs %s", e.Op, f.name).At(f.name)
		case given:
			if err := f.decode(value, f.name, &e); err != nil {
				return e, err.At(f.name)
			}
		}
	}
	return e, nil
}

// flattenSet accepts the shipped tool's form of set_foreign_key, whose fields
// stood beside foreignKey rather than under set.
func flattenSet(op designer.Op, m members) {
	if op != designer.SetForeignKey || m["set"] != nil {
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

func allOps() []string {
	var names []string
	for _, op := range designer.Ops() {
		names = append(names, string(op))
	}
	return names
}

// firstOps lists as many operations as hints may have.
func firstOps() []string { return allOps()[:designer.MaxHints] }

// refuse words an invalid_request.
func refuse(hints *designer.Hints, format string, args ...any) *designer.Error {
	return &designer.Error{Reason: designer.InvalidRequest, Message: fmt.Sprintf(format, args...), Hints: hints}
}
