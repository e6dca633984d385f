package rowset

import (
	"encoding/json"
	"strconv"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Objects collects rows as JSON objects for the REST route. A column name
// that comes again gets a number.
type Objects struct {
	maxRows, maxBytes int

	keys   []string
	encode encoder
	rows   []json.RawMessage
	size   int
}

// NewObjects returns objects of at most so many rows and bytes.
func NewObjects(maxRows, maxBytes int) *Objects {
	return &Objects{maxRows: maxRows, maxBytes: maxBytes,
		encode: encoder{maxText: MaxText, maxBlob: MaxBlob}, rows: []json.RawMessage{}}
}

// Rows are the rows, each a JSON object.
func (o *Objects) Rows() []json.RawMessage { return o.rows }

// Columns implements [Sink].
func (o *Objects) Columns(names, _ []string) error {
	o.keys = distinct(names)
	for i, k := range o.keys {
		o.keys[i], _ = replytext.Clean(k)
	}
	return nil
}

// Limit implements [Limited].
func (o *Objects) Limit() int { return o.maxRows }

// Types implements [Limited]; objects do not have them.
func (o *Objects) Types([]string) {}

// Row implements [Sink].
func (o *Objects) Row(values []any) (bool, error) {
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
