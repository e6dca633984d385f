package tools

import "reflect"

// TypeWord says in words which JSON value decodes into a Go type, for a
// message such as "limit must be a whole number". A pointer counts as what it
// points to; nil is "another kind of value", and structs and maps "an object".
func TypeWord(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "another kind of value"
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}
