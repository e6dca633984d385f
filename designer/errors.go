package designer

import "fmt"

// Reason is the closed list of causes a designer operation reports on
// failure, in the words of the tool's contract.
type Reason string

// The reasons of the contract, in its order, then those that designs need
// beyond it.
const (
	NoActiveDesigner    Reason = "no_active_designer"
	StaleState          Reason = "stale_state"
	TargetMismatch      Reason = "target_mismatch"
	NotFound            Reason = "not_found"
	AmbiguousIdentifier Reason = "ambiguous_identifier"
	ValidationError     Reason = "validation_error"
	InvalidRequest      Reason = "invalid_request"
	InternalError       Reason = "internal_error"

	ApprovalRequired Reason = "approval_required" // a person must approve it
	Declined         Reason = "declined"          // a person said no
	Drifted          Reason = "drifted"           // design and database have both changed the same things
	DatabaseRefused  Reason = "database_refused"  // the server does not take a statement
	TeamUnreachable  Reason = "team_unreachable"  // the broker of a shared design: it is read-only until then
	TeamUnknown      Reason = "team_unknown"      // whether an edit of a shared design was committed; likewise
	TeamRefused      Reason = "team_refused"      // the broker does not take an edit, or the design is not followed any more
)

// Reasons lists every [Reason], in the order of their declaration.
func Reasons() []Reason {
	return []Reason{NoActiveDesigner, StaleState, TargetMismatch, NotFound,
		AmbiguousIdentifier, ValidationError, InvalidRequest, InternalError,
		ApprovalRequired, Declined, Drifted, DatabaseRefused,
		TeamUnreachable, TeamUnknown, TeamRefused}
}

// Error is a refusal: what is wrong, the value seen, what to do next. The
// message never repeats the caller's own long input and never carries a
// schema.
type Error struct {
	Reason  Reason
	Message string
	Hints   *Hints // nil: none
	// Field is the member of the edit that is to blame, "set.dataType" or
	// "initialColumns[0].name"; "": no single one.
	Field string
}

func (e *Error) Error() string { return string(e.Reason) + ": " + e.Message }

// At returns e as one that blames a member: within it what e already blames,
// else the whole. It returns nil for nil.
func (e *Error) At(member string) *Error {
	if e != nil && e.Field != "" {
		member += "." + e.Field
	}
	return e.blame(member)
}

// within says where the member is that e blames, if it blames one.
func (e *Error) within(member string) *Error {
	if e == nil || e.Field == "" {
		return e
	}
	return e.At(member)
}

// orAt blames a member where e blames none.
func (e *Error) orAt(member string) *Error {
	if e == nil || e.Field != "" {
		return e
	}
	return e.blame(member)
}

// blame is [Error.At] for a member that takes the place of what e blames.
func (e *Error) blame(member string) *Error {
	if e == nil {
		return nil
	}
	blaming := *e
	blaming.Field = member
	return &blaming
}

// item names one of a member's list.
func item(member string, i int) string { return fmt.Sprintf("%s[%d]", member, i) }

// Hints are short lists that save the caller a second call. Each holds at
// most [MaxHints] entries, nearest by edit distance first.
type Hints struct {
	NearestTables         []string `json:"nearestTables,omitempty"`
	NearestColumns        []string `json:"nearestColumns,omitempty"`
	NearestNames          []string `json:"nearestNames,omitempty"` // foreign keys, indexes, checks, fields, operations
	AllowedSchemas        []string `json:"allowedSchemas,omitempty"`
	NewSchema             string   `json:"newSchema,omitempty"` // how to use another
	AllowedDataTypeSample []string `json:"allowedDataTypesSample,omitempty"`
	Matches               []Match  `json:"matches,omitempty"` // each can be addressed by its id
}

// Match is an object that a reference may mean, or that has no name. An edit
// addresses it by its id: {"id": …} in place of {"name": …}, and where a column
// is a bare name the id in place of the name.
type Match struct {
	ID   ID     `json:"id"`
	Name string `json:"name,omitempty"`
	On   string `json:"on,omitempty"` // what tells objects without a name apart
}

// MaxHints bounds each list of [Hints].
const MaxHints = 10
