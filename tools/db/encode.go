package db

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// maxExact is the greatest integer of which every JSON reader knows all
// digits.
const maxExact = 1 << 53

// maxBlob is how many bytes of a blob a reply shows.
const maxBlob = 1 << 10

// encoder writes values as JSON and keeps count of what it did to them.
type encoder struct {
	maxText int  // bytes of a text shown; 0: all
	maxBlob int  // bytes of a blob shown; 0: all
	raw     bool // keep hidden characters
	removed int  // hidden characters left out
	cut     int  // values not shown whole
}

// value appends one value of int64, float64, bool, string, []byte or nil.
// Integers beyond 2^53 become strings, so that no reader rounds them; numbers
// with a fraction keep one, so that a REAL is told from an INTEGER;
// infinities and NaN become strings, for JSON has none. A blob is {"$base64":…}, and so is a
// text that is not UTF-8; with "$bytes", the whole length, where it is cut. A
// text that is cut is {"$text":…,"$bytes":…}.
func (e *encoder) value(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case int64:
		return appendInteger(b, v)
	case float64:
		return appendReal(b, v)
	case []byte:
		return e.blob(b, v)
	case string:
		return e.text(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return appendString(b, "?") // a driver gives nothing else
}

func appendInteger(b []byte, v int64) []byte {
	if v > maxExact || v < -maxExact {
		b = append(b, '"')
		b = strconv.AppendInt(b, v, 10)
		return append(b, '"')
	}
	return strconv.AppendInt(b, v, 10)
}

func appendReal(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(b, `"-Infinity"`...)
	case math.IsNaN(v):
		return append(b, `"NaN"`...)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendFloat(b, v, 'f', 1, 64)
	case math.Abs(v) >= 1e-6 && math.Abs(v) < 1e15:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'e', -1, 64)
}

func (e *encoder) blob(b, v []byte) []byte {
	whole := len(v)
	if e.maxBlob > 0 && whole > e.maxBlob {
		v = v[:e.maxBlob]
		e.cut++
	}
	b = append(b, `{"$base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, v)
	b = append(b, '"')
	if len(v) < whole {
		b = append(b, `,"$bytes":`...)
		b = strconv.AppendInt(b, int64(whole), 10)
	}
	return append(b, '}')
}

func (e *encoder) text(b []byte, v string) []byte {
	if !utf8.ValidString(v) {
		return e.blob(b, []byte(v))
	}
	whole := len(v)
	if e.maxText > 0 && whole > e.maxText {
		v = v[:clip.Boundary(v, e.maxText)]
		e.cut++
	}
	if !e.raw {
		var removed int
		v, removed = replytext.Clean(v)
		e.removed += removed
	}
	if whole <= e.maxText || e.maxText == 0 {
		return appendString(b, v)
	}
	b = appendString(append(b, `{"$text":`...), v)
	b = append(b, `,"$bytes":`...)
	b = strconv.AppendInt(b, int64(whole), 10)
	return append(b, '}')
}

// appendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // the error is for such bytes only
	return b
}

// storageClass names how SQLite stores v; "" for NULL.
func storageClass(v any) string {
	switch v.(type) {
	case int64:
		return "INTEGER"
	case float64:
		return "REAL"
	case string:
		return "TEXT"
	case []byte:
		return "BLOB"
	}
	return ""
}

// encodeJSON is [json.Marshal] of a value that cannot fail.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}
