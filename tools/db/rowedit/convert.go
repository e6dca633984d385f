package rowedit

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// integerOf is a text as int64, or uint64 beyond that.
func integerOf(c *designer.Column, v Value) (any, error) {
	text := strings.TrimSpace(v.Text)
	if v.As == Bool {
		return map[bool]int64{true: 1, false: 0}[text == "true"], nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && v.As != Blob {
		return n, nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && v.As != Blob {
		return n, nil
	}
	return nil, notA(c, v, "a whole number")
}

// floatOf is a text as float64.
func floatOf(c *designer.Column, v Value) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
	if err != nil || math.IsNaN(f) || v.As == Blob {
		return 0, notA(c, v, "a number")
	}
	return f, nil
}

// float32Of is a text as a float32 column has it.
func float32Of(c *designer.Column, v Value) (float64, error) {
	f, err := floatOf(c, v)
	return float64(float32(f)), err
}

var digits = lazyregexp.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// decimalOf is a number as text, which keeps its digits.
func decimalOf(c *designer.Column, v Value) (string, error) {
	text := strings.TrimSpace(v.Text)
	if v.As == Blob || !digits().MatchString(text) {
		return "", notA(c, v, "a number")
	}
	return text, nil
}

// bytesOf are the bytes of hex digits.
func bytesOf(c *designer.Column, v Value) ([]byte, error) {
	if b, err := hex.DecodeString(v.Text); err == nil && v.As == Blob {
		return b, nil
	}
	return nil, notA(c, v, "hex digits, two a byte")
}

// textOf is a value of a column that takes a text.
func textOf(c *designer.Column, v Value) (any, error) {
	switch v.As {
	case Text, Number, Bool:
		return v.Text, nil
	case Blob:
		return nil, invalid("the value of column %s is bytes, which are not written to a %s here", clip.Quote(c.Name), clip.Quote(c.DataType))
	}
	return nil, unknownAs(v)
}

func unknownAs(v Value) error {
	return invalid("a value is a text, number, bool, blob or null, not %s", clip.Quote(string(v.As)))
}

func notA(c *designer.Column, v Value, what string) error {
	return invalid("column %s is of the type %s, and %s is not %s; for no value write NULL", clip.Quote(c.Name), clip.Quote(c.DataType), clip.Quote(clip.Text(v.Text, 40)), what)
}

// isInteger reports kinds whose values are whole numbers.
func isInteger(k designer.TypeKind) bool {
	switch k {
	case designer.KindInt8, designer.KindUint8, designer.KindInt16, designer.KindUint16, designer.KindInt24, designer.KindInt32,
		designer.KindUint32, designer.KindInt64, designer.KindUint64, designer.KindYear:
		return true
	}
	return false
}

// isBytes reports kinds whose values are bytes.
func isBytes(k designer.TypeKind) bool {
	return k == designer.KindBinary || k == designer.KindVarbinary || k == designer.KindBlob
}
