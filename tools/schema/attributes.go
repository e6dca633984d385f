package schema

import (
	"github.com/berth-dev/berth/designer"

	"github.com/berth-dev/berth/designer/clip"
)

// Limits on the values of one enumerated type in a reply.
const (
	maxValues     = 200
	maxValueBytes = 4 << 10 // of all together
)

// valueList is the values of an enumerated type, in order: all of them, or
// the first and how many there are.
type valueList struct {
	Values     []string `json:"values,omitempty"`
	ValueCount int      `json:"valueCount,omitzero"` // where the values are not all there
}

func valuesOf(values []string) valueList {
	bytes := 0
	for i, v := range values {
		if bytes += len(v); i == maxValues || bytes > maxValueBytes {
			return valueList{Values: values[:i], ValueCount: len(values)}
		}
	}
	return valueList{Values: values}
}

// options are a dialect's own attributes of a table, column, key, index or
// check, by the names that the dialect's package gives them: "on_update",
// "partition_by", "identity". Each value is at most [maxText] bytes.
type options map[string]string

func optionsOf(all map[string]string) options {
	if len(all) == 0 {
		return nil
	}
	bounded := make(options, len(all))
	for name, value := range all {
		bounded[name] = clip.Text(value, maxText)
	}
	return bounded
}

// ownType is a type that the database has of its own and that a column has:
// an enum by its values, a domain, composite or range by its statement.
type ownType struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`
	valueList
	Definition string `json:"definition,omitempty"`
	Comment    string `json:"comment,omitempty"`
}

func ownTypeOf(o designer.Object) ownType {
	out := ownType{Schema: o.Schema, Name: o.Name, valueList: valuesOf(o.Values), Comment: clip.Text(o.Comment, maxText)}
	if len(o.Values) == 0 {
		out.Definition = clip.Text(o.Definition, maxText)
	}
	return out
}
