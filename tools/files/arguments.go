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
		return invalid("unknown argument %s; known: %s", field, strings.Join(fieldsOf(into), ", "))
	case field == "":
		return invalid("the arguments must be a JSON object")
	}
	return invalid("%s must be %s", field, tools.TypeWord(semantic.GoType))
}

// fieldsOf returns the names of the arguments that a struct accepts.
func fieldsOf(v any) []string {
	var list []string
	t := reflect.TypeOf(v).Elem()
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
