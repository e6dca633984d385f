package edits

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
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
	tableRefShape  = shape{known: namesOfType[designer.TableRef]()}
	objectRefShape = shape{known: namesOfType[designer.ObjectRef]()}
	tableSetShape  = shape{known: namesOfType[designer.TableSet]()}
	columnShape    = shape{known: namesOfType[designer.ColumnSpec](),
		fix: map[string]func(jsontext.Value) jsontext.Value{"maxLength": numberAsText}}
	foreignKeyShape = shape{known: namesOfType[designer.ForeignKeySpec](),
		fix:   map[string]func(jsontext.Value) jsontext.Value{"onDeleteAction": actionAsName, "onUpdateAction": actionAsName},
		inner: map[string]shape{"referencedTable": tableRefShape, "mappings": {known: namesOfType[designer.NameMapping](), list: true}}}
	partShape    = shape{known: namesOfType[designer.IndexPart](), list: true}
	indexShape   = shape{known: namesOfType[designer.IndexSpec](), inner: map[string]shape{"columns": partShape}}
	checkShape   = shape{known: namesOfType[designer.CheckSpec]()}
	typeShape    = shape{known: namesOfType[designer.TypeSpec]()}
	typeSetShape = shape{known: namesOfType[designer.TypeSet]()}
)

// namesOfType lists the JSON names of a struct's fields.
func namesOfType[T any]() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
			names = append(names, name)
		}
	}
	return names
}

// members are the members of a JSON object.
type members map[string]jsontext.Value

func (m members) names() []string { return slices.Sorted(maps.Keys(m)) }

// membersOf takes an object apart. A member with the value null counts as
// not given.
func membersOf(raw jsontext.Value, what string) (members, *designer.Error) {
	var m members
	if raw.Kind() != '{' {
		return nil, refuse(nil, "%s must be an object", what)
	}
	if err := jsonv2.Unmarshal(raw, &m); err != nil {
		return nil, refuse(nil, "%s: %s", what, shortJSON(err))
	}
	maps.DeleteFunc(m, func(_ string, v jsontext.Value) bool { return v.Kind() == 'n' })
	return m, nil
}

// checkField refuses a member that nobody reads, naming the nearest that
// exists.
func checkField(name string, known []string, where string) *designer.Error {
	if slices.Contains(known, name) {
		return nil
	}
	nearest := nearestFields(name, known)
	return refuse(&designer.Hints{NearestNames: nearest}, "%s has no field %s: did you mean %s?", where, clip.Quote(name), clip.Quote(nearest[0]))
}

// nearestFields lists the fields that hold the name first, as dataType does
// type: callers shorten names more than they misspell them.
func nearestFields(name string, known []string) []string {
	var holding, others []string
	for _, k := range known {
		if strings.Contains(designer.Fold(k), designer.Fold(name)) {
			holding = append(holding, k)
		} else {
			others = append(others, k)
		}
	}
	nearest := append(designer.Nearest(name, holding), designer.Nearest(name, others)...)
	return nearest[:min(len(nearest), designer.MaxHints)]
}

// decodeShape reads an object of a shape into the struct it belongs to.
func decodeShape(raw jsontext.Value, s shape, at string, into any) *designer.Error {
	fixed, err := s.normal(raw, at)
	if err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(fixed, into); err != nil {
		return refuse(nil, "%s: %s", at, shortJSON(err))
	}
	return nil
}

// decodeList reads an array of objects of a shape.
func decodeList[T any](raw jsontext.Value, s shape, at string) ([]T, *designer.Error) {
	fixed, err := s.normalList(raw, at)
	if err != nil {
		return nil, err
	}
	list := []T{}
	if err := jsonv2.Unmarshal(fixed, &list); err != nil {
		return nil, refuse(nil, "%s: %s", at, shortJSON(err))
	}
	return list, nil
}

// normal returns the object with its members in the one form that the
// structs read, or what is wrong with it.
func (s shape) normal(raw jsontext.Value, at string) (jsontext.Value, *designer.Error) {
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

func (s shape) normalInner(raw jsontext.Value, at string) (jsontext.Value, *designer.Error) {
	if s.list {
		return s.normalList(raw, at)
	}
	return s.normal(raw, at)
}

func (s shape) normalList(raw jsontext.Value, at string) (jsontext.Value, *designer.Error) {
	var list []jsontext.Value
	if err := jsonv2.Unmarshal(raw, &list); err != nil || raw.Kind() != '[' {
		return nil, refuse(nil, "%s must be an array", at)
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
var numbered = map[string]designer.Action{"0": designer.Cascade, "1": designer.NoAction, "2": designer.SetNull, "3": designer.SetDefault}

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
		return clip.Name(where) + " must be " + kindOf(semantic.GoType)
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return clip.Name(syntax.Err.Error())
	}
	return clip.Name(err.Error())
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
