package rowedit

import "encoding/json"

// Reviewed is what a person is shown before changes are made.
type Reviewed struct {
	Statements []Shown `json:"statements"` // one for each change, in their order
	// Seal names exactly these statements on this database: they run only with
	// it.
	Seal     string `json:"seal"`
	Server   string `json:"server,omitempty"`
	Database string `json:"database"`
}

// Shown is a statement as it is shown.
type Shown struct {
	SQL         string   `json:"sql"`
	NotCompared []string `json:"notCompared,omitempty"` // see [Statement]
}

// Run asks for changes to be made that were reviewed.
type Run struct {
	Changes
	Seal string `json:"seal"`
}

// Outcome is what became of changes. Exactly one of Done, Refused and Unknown
// is set.
type Outcome struct {
	Done      int      `json:"done,omitempty"`    // rows: all of them
	Refused   *Refused `json:"refused,omitempty"` // nothing was changed
	Unknown   string   `json:"unknown,omitempty"` // nobody knows: the reason, for people
	ElapsedMs int64    `json:"elapsedMs"`
}

// Refused says which change could not be made.
type Refused struct {
	Change int    `json:"change"` // -1: none alone
	Why    string `json:"why"`
	// Now has the row as the database has it since, as the reply to a query; it
	// has no rows where the row is gone, and is null where it was not asked for.
	Now json.RawMessage `json:"now"`
}
