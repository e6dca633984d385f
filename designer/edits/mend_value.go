package edits

import (
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// textOf returns a JSON string's text.
func textOf(v jsontext.Value) (text string, ok bool) {
	if v.Kind() != '"' {
		return "", false
	}
	return text, jsonv2.Unmarshal(v, &text) == nil
}

// flagOf reads a flag as callers write it: true, 1, "yes".
func flagOf(v jsontext.Value) (flag, ok bool) {
	word := strings.ToLower(strings.Trim(string(v), `"`))
	switch word {
	case "true", "yes", "y", "1", "desc", "descending", "increment", "identity", "always", "by default", "null":
		return true, true
	case "false", "no", "n", "0", "asc", "ascending", "not null":
		return false, true
	}
	return false, false
}

// listOf returns the items of a list, a single value as a list of one.
func listOf(v jsontext.Value) []jsontext.Value {
	var list []jsontext.Value
	if v.Kind() == '[' && jsonv2.Unmarshal(v, &list) == nil {
		return list
	}
	return []jsontext.Value{v}
}

// namesOf returns the names in a list of strings or of objects with a name.
func namesOf(v jsontext.Value) ([]string, bool) {
	var names []string
	for _, item := range listOf(v) {
		if m, err := membersOf(item, ""); err == nil {
			item = m["name"]
		}
		name, ok := textOf(item)
		if !ok {
			return nil, false
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

// objectText writes an object, the members that a reader looks for first.
func objectText(m members) jsontext.Value {
	order := []string{"op", "table", "schema", "name", "id", "dataType", "referencedTable", "mappings"}
	names := m.names()
	slices.SortStableFunc(names, func(a, b string) int { return rank(order, a) - rank(order, b) })
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = string(jsonString(n)) + ":" + string(m[n])
	}
	return jsontext.Value("{" + strings.Join(parts, ",") + "}")
}

func rank(order []string, name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

func listText(items []jsontext.Value) jsontext.Value {
	texts := make([]string, len(items))
	for i, v := range items {
		texts[i] = string(v)
	}
	return jsontext.Value("[" + strings.Join(texts, ",") + "]")
}

// fixValue gives a field's value the kind that it has to be of. It is false
// where it cannot.
func fixValue(field string, v jsontext.Value, s *designer.Schema) (jsontext.Value, bool) {
	switch field {
	case "isNullable", "isPrimaryKey", "isIdentity", "isComputed", "computedPersisted", "isUnique", "unique", "descending":
		flag, ok := flagOf(v)
		if !ok {
			return v, false
		}
		return jsontext.Value(map[bool]string{true: "true", false: "false"}[flag]), true
	case "precision", "scale", "identitySeed", "identityIncrement", "length":
		if text, ok := textOf(v); ok {
			v = jsontext.Value(strings.TrimSpace(text))
		}
		return v, regexp.MustCompile(`^-?\d+$`).MatchString(string(v))
	case "defaultValue":
		return fixDefault(v, s)
	case "onDeleteAction", "onUpdateAction":
		if text, ok := textOf(v); ok {
			snake := regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(text, "${1}_$2") // setNull
			return actionAsName(jsonString(snake)), true
		}
		return v, v.Kind() == '0'
	case "nulls":
		switch text, _ := textOf(v); strings.ToLower(text) {
		case "first", "last":
			return v, true
		case "nulls first", "nulls last":
			return jsonString(strings.ToLower(text[6:])), true
		}
		return v, false
	case "include":
		return listText(listOf(v)), true
	case "maxLength":
		return v, v.Kind() == '"' || v.Kind() == '0'
	case "name", "dataType", "collation", "computedFormula", "expression", "where", "schema", "column", "referencedColumn", "comment", "method", "opClass":
		return v, v.Kind() == '"'
	}
	return v, true
}

// fixDefault makes a SQL expression of a default that is a JSON value.
func fixDefault(v jsontext.Value, s *designer.Schema) (jsontext.Value, bool) {
	dialect := s.Dialect().Name
	switch v.Kind() {
	case '0':
		return jsonString(string(v)), true
	case 't', 'f':
		if dialect == "mssql" || dialect == "sqlite" {
			return jsonString(map[bool]string{true: "1", false: "0"}[v.Kind() == 't']), true
		}
		return jsonString(string(v)), true
	case '"':
		text, _ := textOf(v)
		if now := strings.ToLower(text); (now == "now()" || now == "now") && (dialect == "mssql" || dialect == "sqlite") {
			return jsonString("CURRENT_TIMESTAMP"), true
		}
		return v, true
	}
	return v, false
}
