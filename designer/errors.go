package designer

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

	ApprovalRequired Reason = "approval_required" // a person has to allow it
	Drifted          Reason = "drifted"           // design and database have both changed the same things
	DatabaseRefused  Reason = "database_refused"  // the server does not take a statement
)

// Reasons lists every [Reason], in the order of their declaration.
func Reasons() []Reason {
	return []Reason{NoActiveDesigner, StaleState, TargetMismatch, NotFound,
		AmbiguousIdentifier, ValidationError, InvalidRequest, InternalError,
		ApprovalRequired, Drifted, DatabaseRefused}
}

// Error is a refusal: what is wrong, the value seen, what to do next. The
// message never repeats the caller's own long input and never carries a
// schema.
type Error struct {
	Reason  Reason
	Message string
	Hints   *Hints // nil: none
}

func (e *Error) Error() string { return string(e.Reason) + ": " + e.Message }

// Hints are short lists that save the caller a second call. Each holds at
// most [MaxHints] entries, nearest by edit distance first.
type Hints struct {
	NearestTables         []string `json:"nearestTables,omitempty"`
	NearestColumns        []string `json:"nearestColumns,omitempty"`
	NearestNames          []string `json:"nearestNames,omitempty"` // foreign keys, indexes, checks, fields, operations
	AllowedSchemas        []string `json:"allowedSchemas,omitempty"`
	AllowedDataTypeSample []string `json:"allowedDataTypesSample,omitempty"`
}

// MaxHints bounds each list of [Hints].
const MaxHints = 10
