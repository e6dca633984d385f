// Package wire holds what the two ends of berth's loopback hop agree on: the
// shapes of a call and of its reply lines, the proof of identity, the
// instance file, the documents' exact error texts and the limits. It is pure
// data: it opens no socket and knows no tool. Start with [Request] and [Line].
//
//	front-end                               instance
//	   │  GET /health?nonce=…  ───────────▶  │   proves itself (Proof)
//	   │  POST /tools/{name}   ───────────▶  │   Bearer token, Request
//	   │  ◀─ {"progress":…}\n                │   NDJSON: any number of
//	   │  ◀─ {"result":…}\n                  │   progress lines, then one end
//
// A connection can carry calls without HTTP too, see [CallsPath].
//
// Invariants: outside JSON is read by [Decode] or [CheckJSON] only, so both
// ends read the same bytes alike; unknown names are ignored, so two versions
// of berth can talk; a [Token] never prints.
package wire

import "encoding/json"

// The exact texts of the documents for what the front-end itself refuses.
const (
	TextNotAbsolute  = "Error: projectRoot must be an absolute path"
	TextNotExist     = "Error: projectRoot does not exist"
	TextNotRunning   = "MCP server not running for project: " // followed by the projectRoot as given
	TextNoConnection = "Could not establish database connection"
)

// ShownPortHeader says on which port of 127.0.0.1, on another machine, a browser
// sees the page that sends a request, in decimal. Without it that is the
// instance's own port. A page key is valid for one port.
const ShownPortHeader = "Berth-Shown-Port"

// Limits on what crosses the hop.
const (
	MaxRequestBytes = 4 << 20  // a call's body
	MaxLineBytes    = 16 << 20 // one NDJSON line of a reply
	MaxDepth        = 64       // nesting of the JSON in a call
)

// The routes both ends name. A call goes to ToolsPath + the tool's name.
const (
	ToolsPath       = "/tools/"
	CodePath        = "/signin/code"
	NonceParam      = "nonce"                // in the query of [HealthPath]; see [EncodeNonce]
	ContentTypeJSON = "application/json"     // of a Request
	ContentTypeRows = "application/x-ndjson" // of a reply
)

// Request is the body of POST /tools/{name}.
type Request struct {
	Arguments    json.RawMessage `json:"arguments,omitempty"`    // the tool's arguments, an object; absent: {}
	DeadlineMs   int64           `json:"deadlineMs,omitempty"`   // milliseconds the caller will wait; 0: the instance's own limit
	Client       Client          `json:"client,omitzero"`        // the caller, as far as known
	WantProgress bool            `json:"wantProgress,omitempty"` // send progress lines
	// InputResponses and RequestState answer an earlier InputRequired,
	// relayed verbatim.
	InputResponses json.RawMessage `json:"inputResponses,omitempty"`
	RequestState   string          `json:"requestState,omitempty"`
}

// Client is what the front-end knows about the MCP client behind a call. Since
// 2026-07-28 it belongs to the request, not to a session.
type Client struct {
	ID          string `json:"id,omitempty"` // of the front-end process, random
	Name        string `json:"name,omitempty"`
	Version     string `json:"version,omitempty"`
	Project     string `json:"project,omitempty"`     // name of the project that the front-end was started in
	Machine     string `json:"machine,omitempty"`     // that the front-end runs on
	Elicitation bool   `json:"elicitation,omitempty"` // can show a form to a person; used only with [PersonHeader]
	Views       bool   `json:"views,omitempty"`       // can show a person a view of a reply; likewise
}

// CommandLine is the client name of berth's own commands.
const CommandLine = "berth"

// Line is one line of the reply: exactly one field is set. A reply ends with
// its first line that is not Progress.
type Line struct {
	Progress *Progress `json:"progress,omitempty"`
	Result   *Result   `json:"result,omitempty"`
	Input    *Input    `json:"inputRequired,omitempty"`
	Failure  *Failure  `json:"failure,omitempty"` // the call was refused; over HTTP that is a status and a body
}

// Progress is MCP's progress notification, without its token.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"` // 0: unknown
	Message  string  `json:"message,omitempty"`
}

// Result is a tool's reply.
type Result struct {
	Content    []string        `json:"content"` // text items, first the one the contract fixes
	Structured json.RawMessage `json:"structured,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	View       json.RawMessage `json:"view,omitempty"` // for the view that shows the reply to a person, never for a model
}

// Input asks the client for input before the call can continue: MCP's
// input-required result. Requests is MCP's inputRequests object. State is sealed
// by the instance and must be returned unchanged.
type Input struct {
	Requests json.RawMessage `json:"requests"`
	State    string          `json:"state"`
}

// Failure is the body of every HTTP error an instance answers itself, and its
// line where a call came without HTTP.
type Failure struct {
	Message string `json:"message"`
	Error   string `json:"error"` // a [Code]
}
