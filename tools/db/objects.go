package db

import (
	"encoding/json"
	"strconv"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// objectRows collects rows as JSON objects for the REST route. A column name
// that comes again gets a number.
type objectRows struct {
	maxRows, maxBytes int

	keys   []string
	encode encoder
	rows   []json.RawMessage
	size   int
}

func (o *objectRows) columns(names, _ []string) error {
	o.keys = distinct(names)
	for i, k := range o.keys {
		o.keys[i], _ = replytext.Clean(k)
	}
	return nil
}

// limit implements [limited].
func (o *objectRows) limit() int { return o.maxRows }

func (o *objectRows) row(values []any) (bool, error) {
	object := o.encode.object(nil, o.keys, values)
	if len(o.rows) == o.maxRows || o.size+len(object) > o.maxBytes {
		return false, nil
	}
	o.rows = append(o.rows, object)
	o.size += len(object)
	return true, nil
}

// object appends a row as a JSON object.
func (e *encoder) object(b []byte, keys []string, values []any) []byte {
	b = append(b, '{')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, keys[i]), ':')
		b = e.value(b, v)
	}
	return append(b, '}')
}

// distinct numbers the names that come again: a, a_2, a_3.
func distinct(names []string) []string {
	out := make([]string, len(names))
	taken := map[string]bool{}
	for i, name := range names {
		out[i] = name
		for n := 2; taken[out[i]]; n++ {
			out[i] = name + "_" + strconv.Itoa(n)
		}
		taken[out[i]] = true
	}
	return out
}
