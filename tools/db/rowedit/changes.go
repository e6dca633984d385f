package rowedit

import (
	"fmt"

	"github.com/berth-dev/berth/tools/db/browse"
)

// Bounds of the changes that are made at once.
const (
	MaxChanges = 200             // rows
	MaxValue   = browse.MaxValue // bytes of a value
	MaxText    = 256 << 10       // bytes of all statements as they are shown
)

// Changes are what a person wants changed in the rows of one table. Names are
// the database's.
type Changes struct {
	Table browse.Table `json:"table"`
	Rows  []Change     `json:"changes"` // in the order in which they are made
}

// Change is that of one row.
type Change struct {
	Kind Kind `json:"kind"`
	// Row has the values that the row had when it was read, of an update or
	// delete. A value that was cut is left out.
	Row map[string]Value `json:"row"`
	Set map[string]Value `json:"set"` // new values, of an insert or update
}

// Kind is what happens to a row.
type Kind string

// The kinds.
const (
	Insert Kind = "insert"
	Update Kind = "update"
	Delete Kind = "delete"
)

// Value is a value as a page has it.
type Value struct {
	As   As     `json:"as"`
	Text string `json:"text"`
}

// As is how Text has a value.
type As string

// The ways.
const (
	Text   As = ""
	Number As = "number" // digits as the reply to a query has them
	Bool   As = "bool"   // true or false
	Blob   As = "blob"   // hex
	Null   As = "null"   // Text is not looked at
)

// Error says why changes cannot be made. Change is the one it is about, -1 if
// it is about none.
type Error struct {
	Change  int
	message string
}

func (e *Error) Error() string { return e.message }

func invalid(format string, args ...any) error { return &Error{-1, fmt.Sprintf(format, args...)} }
