package edits

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/go-json-experiment/json/jsontext"
)

// typeWords are names that callers give the fields of a type.
var typeWords = map[string]string{
	"typename": "name", "enumname": "name", "enum": "name", "type": "name", "typeschema": "schema", "schemaname": "schema",
	"enumvalues": "values", "labels": "values", "members": "values", "variants": "values", "options": "values", "items": "values",
	"description": "comment", "note": "comment", "basetype": "dataType", "base": "dataType", "default": "defaultValue", "nullable": "isNullable",
	"constraint": "check", "domain": "name", "domainname": "name",
}

// typeSetWords are those of what is changed of one.
var typeSetWords = map[string]string{
	"newname": "name", "renameto": "name", "newschema": "schema", "enumvalues": "values", "labels": "values",
	"value": "addValues", "addvalue": "addValues", "newvalue": "addValues", "newvalues": "addValues",
	"renamevalue": "renameValues", "description": "comment", "basetype": "dataType", "default": "defaultValue", "nullable": "isNullable",
}

// namedType mends an edit of a named type: what stands beside op belongs into
// type or, of a change, into set.
func (m *mender) namedType(e members, op designer.Op) jsontext.Value {
	ref, set := members{}, members{}
	if text, ok := textOf(e["type"]); ok {
		m.found("type", `an object, {"name": …}`)
		ref["name"] = jsonString(text)
		delete(e, "type")
	} else if inner, err := membersOf(e["type"], ""); err == nil {
		ref = inner
	}
	if inner, err := membersOf(e["set"], ""); err == nil {
		set = inner
	}
	known := typeShape.known
	if op != designer.AddType {
		known = tableRefShape.known
	}
	for _, name := range e.names() {
		switch name {
		case "op", "type", "set", "createSchema":
			continue
		}
		value := e[name]
		delete(e, name)
		field := fieldMeant(name, typeSetShape.known, typeSetWords)
		if of := fieldMeant(name, known, typeWords); of != "" && (op != designer.SetType || of == "name" || of == "schema" && ref["schema"] == nil) {
			m.found(name, "type."+of)
			ref[of] = value
		} else if op == designer.SetType && field != "" {
			m.found(name, "set."+field)
			set[field] = value
		} else {
			m.lost(name, known)
		}
	}
	m.within("type", func() { m.rename(ref, known, typeWords) })
	e["type"] = objectText(ref)
	if op == designer.SetType {
		m.within("set", func() { m.rename(set, typeSetShape.known, typeSetWords) })
		if text, ok := textOf(set["addValues"]); ok {
			m.found("set.addValues", "a list")
			set["addValues"] = jsontext.Value("[" + string(jsonString(text)) + "]")
		}
		e["set"] = objectText(set)
	}
	return objectText(e)
}

// typeObject is what names the types in an operation's name.
func typeObject(object string) bool {
	switch strings.TrimSuffix(object, "s") {
	case "type", "enum", "domain", "enumtype", "enumvalue", "enumeration", "typevalue", "valuetoenum", "valuetotype":
		return true
	}
	return false
}
