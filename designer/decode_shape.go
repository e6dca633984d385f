package designer

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// shape is an object of the edit contract: the members it may have, and those
// that callers write in more than one way.
type shape struct {
	known []string
	fix   map[string]func(jsontext.Value) jsontext.Value
	inner map[string]shape // members with a shape of their own
	list  bool             // of an inner shape: the member is a list of such objects
}

var (
	tableRefShape  = shape{known: namesOfType[TableRef]()}
	objectRefShape = shape{known: namesOfType[ObjectRef]()}
	tableSetShape  = shape{known: namesOfType[TableSet]()}
	columnShape    = shape{known: namesOfType[ColumnSpec](),
		fix: map[string]func(jsontext.Value) jsontext.Value{"maxLength": numberAsText}}
	foreignKeyShape = shape{known: namesOfType[ForeignKeySpec](),
		fix:   map[string]func(jsontext.Value) jsontext.Value{"onDeleteAction": actionAsName, "onUpdateAction": actionAsName},
		inner: map[string]shape{"referencedTable": tableRefShape, "mappings": {known: namesOfType[NameMapping](), list: true}}}
	indexShape = shape{known: namesOfType[IndexSpec](),
		inner: map[string]shape{"columns": {known: namesOfType[IndexPart](), list: true}}}
	checkShape = shape{known: namesOfType[CheckSpec]()}
)

// namesOfType lists the JSON names of a struct's fields.
func namesOfType[T any]() []string {
	t := reflect.TypeFor[T]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = jsonName(t.Field(i))
	}
	return names
}

// members are the members of a JSON object.
type members map[string]jsontext.Value

func (m members) names() []string { return slices.Sorted(maps.Keys(m)) }

// membersOf takes an object apart. A member with the value null counts as
// not given.
func membersOf(raw jsontext.Value, what string) (members, *Error) {
	var m members
	if raw.Kind() != '{' {
		return nil, badRequest(nil, "%s must be an object", what)
	}
	if err := jsonv2.Unmarshal(raw, &m); err != nil {
		return nil, badRequest(nil, "%s: %s", what, shortJSON(err))
	}
	maps.DeleteFunc(m, func(_ string, v jsontext.Value) bool { return v.Kind() == 'n' })
	return m, nil
}

// checkField refuses a member that nobody reads, naming the nearest that
// exists.
func checkField(name string, known []string, where string) *Error {
	if slices.Contains(known, name) {
		return nil
	}
	nearest := nearestFields(name, known)
	return badRequest(&Hints{NearestNames: nearest}, "%s has no field %s: did you mean %s?", where, quote(name), quote(nearest[0]))
}

// nearestFields lists the fields that hold the name first, as dataType does
// type: callers shorten names more than they misspell them.
func nearestFields(name string, known []string) []string {
	var holding, others []string
	for _, k := range known {
		if strings.Contains(Fold(k), Fold(name)) {
			holding = append(holding, k)
		} else {
			others = append(others, k)
		}
	}
	nearest := append(Nearest(name, holding), Nearest(name, others)...)
	return nearest[:min(len(nearest), MaxHints)]
}

// decodeShape reads an object of a shape into the struct it belongs to.
func decodeShape(raw jsontext.Value, s shape, at string, into any) *Error {
	fixed, err := s.normal(raw, at)
	if err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(fixed, into); err != nil {
		return badRequest(nil, "%s: %s", at, shortJSON(err))
	}
	return nil
}

// decodeList reads an array of objects of a shape.
func decodeList[T any](raw jsontext.Value, s shape, at string) ([]T, *Error) {
	fixed, err := s.normalList(raw, at)
	if err != nil {
		return nil, err
	}
	list := []T{}
	if err := jsonv2.Unmarshal(fixed, &list); err != nil {
		return nil, badRequest(nil, "%s: %s", at, shortJSON(err))
	}
	return list, nil
}

// normal returns the object with its members in the one form that the
// structs read, or what is wrong with it.
func (s shape) normal(raw jsontext.Value, at string) (jsontext.Value, *Error) {
	m, err := membersOf(raw, at)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, name := range m.names() {
		if err := checkField(name, s.known, at); err != nil {
			return nil, err
		}
		value := m[name]
		if fix := s.fix[name]; fix != nil {
			value = fix(value)
		}
		if inner, ok := s.inner[name]; ok {
			if value, err = inner.normalInner(value, at+"."+name); err != nil {
				return nil, err
			}
		}
		out = append(out, string(jsonString(name))+":"+string(value))
	}
	return jsontext.Value("{" + strings.Join(out, ",") + "}"), nil
}

func (s shape) normalInner(raw jsontext.Value, at string) (jsontext.Value, *Error) {
	if s.list {
		return s.normalList(raw, at)
	}
	return s.normal(raw, at)
}

func (s shape) normalList(raw jsontext.Value, at string) (jsontext.Value, *Error) {
	var list []jsontext.Value
	if err := jsonv2.Unmarshal(raw, &list); err != nil || raw.Kind() != '[' {
		return nil, badRequest(nil, "%s must be an array", at)
	}
	out := make([]string, len(list))
	for i, item := range list {
		if item.Kind() == '"' && slices.Contains(s.known, "name") { // a bare name
			item = jsontext.Value(`{"name":` + string(item) + "}")
		}
		fixed, err := s.normal(item, at)
		if err != nil {
			return nil, err
		}
		out[i] = string(fixed)
	}
	return jsontext.Value("[" + strings.Join(out, ",") + "]"), nil
}

// numberAsText lets a length be written as a number.
func numberAsText(v jsontext.Value) jsontext.Value {
	if v.Kind() == '0' {
		return jsonString(string(v))
	}
	return v
}

// numbered are the foreign key actions by their number in the shipped tool.
var numbered = map[string]Action{"0": Cascade, "1": NoAction, "2": SetNull, "3": SetDefault}

// actionAsName lets an action be written as its number, and a name in any
// case, with spaces or underscores.
func actionAsName(v jsontext.Value) jsontext.Value {
	if v.Kind() == '0' {
		if a, ok := numbered[string(v)]; ok {
			return jsonString(string(a))
		}
		return jsonString(string(v)) // for validation to refuse
	}
	var name string
	if v.Kind() != '"' || jsonv2.Unmarshal(v, &name) != nil {
		return v
	}
	return jsonString(strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r == ' ' || r == '_' || r == '-'
	}), "_")))
}

// Code returns the number of an action in the shipped tool, -1 for one that
// has none.
func (a Action) Code() int {
	for code, name := range []Action{Cascade, NoAction, SetNull, SetDefault} {
		if a == name {
			return code
		}
	}
	return -1
}

func jsonString(s string) jsontext.Value {
	v, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return jsontext.Value(`""`) // invalid UTF-8, which the decoder has refused before
	}
	return v
}

// shortJSON words a decoding error without the input.
func shortJSON(err error) string {
	var semantic *jsonv2.SemanticError
	if errors.As(err, &semantic) {
		where := strings.TrimPrefix(string(semantic.JSONPointer), "/")
		if where == "" {
			return "expected " + kindOf(semantic.GoType)
		}
		return clip(where) + " must be " + kindOf(semantic.GoType)
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return clip(syntax.Err.Error())
	}
	return clip(err.Error())
}

func kindOf(t reflect.Type) string {
	if t == nil {
		return "another type"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice, reflect.Array:
		return "an array"
	}
	return "an object"
}
