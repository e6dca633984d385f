package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
)

// decode parses a call's arguments into a struct. An unknown field or a value
// of the wrong type is a failure that names the field.
func decode(raw json.RawMessage, into any) *failure {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	err := jsonv2.Unmarshal(raw, into, jsonv2.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	var semantic *jsonv2.SemanticError
	if !errors.As(err, &semantic) {
		return invalid("the arguments are not one strict JSON object")
	}
	field := clip.Text(strings.ReplaceAll(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "/", "."), 80)
	switch {
	case errors.Is(err, jsonv2.ErrUnknownName):
		return unknownArgument(field, string(semantic.JSONPointer), reflect.TypeOf(into))
	case field == "":
		return invalid("the arguments must be a JSON object")
	}
	return invalid("%s must be %s", field, tools.TypeWord(semantic.GoType))
}

// otherNames are what other tools and the habits of models call our arguments.
// Words are compared without case and underscores.
var otherNames = map[string]string{
	"oldstring": "old_text", "oldstr": "old_text", "old": "old_text", "search": "old_text", "find": "old_text",
	"newstring": "new_text", "newstr": "new_text", "new": "new_text", "replace": "new_text", "replacement": "new_text",
	"replaceall": "all", "file": "path", "filename": "path", "filepath": "path", "offset": "from", "limit": "head",
	"pattern": "query", "dir": "path_prefix", "directory": "path_prefix", "folder": "path_prefix", "path": "path_prefix",
}

// unknownArgument refuses a name with those of its own level, the one that it
// means first.
func unknownArgument(field, pointer string, t reflect.Type) *failure {
	names := fieldsAt(t, strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	key := strings.ToLower(strings.ReplaceAll(last, "_", ""))
	hint := ""
	for _, name := range names {
		if strings.ReplaceAll(name, "_", "") == key || otherNames[key] == name {
			hint = name + " is what it is called here"
		}
	}
	f := invalid("unknown argument %s; known: %s", field, strings.Join(names, ", "))
	if strings.Contains(field, ".") {
		f = invalid("unknown argument %s; known there: %s", field, strings.Join(names, ", "))
	}
	f.Hint = hint
	return f
}

// fieldsAt returns the names that are known where the last element of path is.
func fieldsAt(t reflect.Type, path []string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if len(path) > 1 {
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name == path[0] {
				inner := t.Field(i).Type
				if inner.Kind() == reflect.Slice {
					return fieldsAt(inner, path[2:])
				}
				return fieldsAt(inner, path[1:])
			}
		}
	}
	return fieldsOf(t)
}

// fieldsOf returns the names of the arguments that a struct accepts.
func fieldsOf(t reflect.Type) []string {
	var list []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, name)
	}
	return list
}

// atLeastOne refuses a number below 1; nil: not given.
func atLeastOne(name string, n *int) *failure {
	if n != nil && *n < 1 {
		return invalid("%s must be at least 1, not %d", name, *n)
	}
	return nil
}

// given counts arguments that are there.
func given(numbers ...*int) int {
	n := 0
	for _, number := range numbers {
		if number != nil {
			n++
		}
	}
	return n
}

func or(number *int, otherwise int) int {
	if number == nil {
		return otherwise
	}
	return *number
}

func invalid(format string, args ...any) *failure {
	return &failure{Reason: reasonInvalid, Message: fmt.Sprintf(format, args...)}
}
