package browse

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Request says which rows of one table or view are wanted. Names are the
// database's.
type Request struct {
	Table   Table    `json:"table"`
	Columns []string `json:"columns"` // none: all
	Filters []Filter `json:"filters"` // that a row must all fulfil
	Order   []Order  `json:"order"`   // none: any
	Limit   int      `json:"limit"`   // rows
	Offset  int      `json:"offset"`  // rows before the first
}

// Table names a table or view; no Schema means the connection's own.
type Table struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
}

// Order sorts by a column.
type Order struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending"`
}

// Filter is one condition on a column.
type Filter struct {
	Column string `json:"column"`
	Is     Is     `json:"is"`
	Value  string `json:"value"` // of conditions that take one
	As     Kind   `json:"as"`
}

// Is is a condition.
type Is string

// The conditions. A row without a value fulfils none of them but Null.
const (
	Equal    Is = "eq"
	Unequal  Is = "ne"
	Less     Is = "lt"
	Greater  Is = "gt"
	Contains Is = "contains" // a part of its text, as the database compares text without regard to case, if it can
	Null     Is = "null"
	NotNull  Is = "not_null"
)

// Kind is how a filter's value is sent.
type Kind string

// The kinds of values.
const (
	Text   Kind = ""
	Number Kind = "number"
	Blob   Kind = "blob" // Value has it in hex
)

// Bounds of a request.
const (
	MaxParts = 64       // filters, and columns in the order
	MaxValue = 64 << 10 // bytes of a value
)

// Counted is how many rows fulfil a request's filters.
type Counted struct {
	Rows      *int64 `json:"rows"` // null: counting took too long, and was given up
	ElapsedMs int64  `json:"elapsedMs"`
}

// Saved says what a file of rows has.
type Saved struct {
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
	Limit string `json:"limit"` // that ended it, for people; "": it is whole
}

// Format is how a file has the rows.
type Format string

// The formats; see rowset.File.
const (
	CSV  Format = "csv"
	JSON Format = "json" // one list of objects
)

// Error says what is wrong with a request.
type Error struct{ message string }

func (e *Error) Error() string { return e.message }

func invalid(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// check refuses what no query can be made of.
func (r Request) check() error {
	switch {
	case r.Table.Name == "":
		return invalid("the table has no name")
	case len(r.Filters) > MaxParts || len(r.Order) > MaxParts:
		return invalid("more than %d conditions, or columns to sort by", MaxParts)
	case r.Limit < 0 || r.Offset < 0:
		return invalid("limit and offset are 0 or more")
	}
	for _, f := range r.Filters {
		if len(f.Value) > MaxValue {
			return invalid("a value has more than %d bytes", MaxValue)
		}
		if strings.ContainsRune(f.Value, 0) {
			return invalid("a value has a NUL character")
		}
	}
	return nil
}

// bound is the filter's value as a driver takes it.
func (f Filter) bound() (any, error) {
	switch f.As {
	case Text:
		return f.Value, nil
	case Number:
		if n, ok := number(f.Value); ok {
			return n, nil
		}
		return nil, invalid("%q is no number", f.Value)
	case Blob:
		b, err := hex.DecodeString(f.Value)
		if err != nil {
			return nil, invalid("a blob's value is hex digits, two a byte")
		}
		return b, nil
	}
	return nil, invalid("values are texts, numbers and blobs")
}

// number is a text as int64 or float64.
func number(text string) (any, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}
