// Package tools holds what an instance offers to agents and to its page: it
// joins each definition of [catalog] with its handler and dispatches calls.
// It knows nothing of HTTP or MCP; proxy/instance puts a [Set] on the wire.
//
// Start with [Set]. Invariant: every definition of the catalogue has exactly
// one handler, and a handler's failure is a [Reply], never a panic that
// leaves the process.
package tools

import (
	"context"
	"encoding/json"
)

// Origin says who makes a call. It follows from the credential the call came
// with and is never claimed by the caller.
type Origin string

// The origins.
const (
	OriginAgent Origin = "agent" // the instance token: an MCP client or berth call
	OriginPage  Origin = "page"  // a page key: a person at the designer page
)

// Call is one tool call.
type Call struct {
	Tool      string
	Arguments json.RawMessage // an object; validated as strict JSON before it gets here
	Origin    Origin
	Client    Client
	// Answers and State belong to a call that is repeated after an [Ask].
	Answers json.RawMessage
	State   string
	// Progress reports progress; never nil in a handler, cheap when nobody listens.
	Progress func(done, total float64, message string)
}

// Client is what is known of the program that calls.
type Client struct {
	ID            string // of the front-end process the call came through; "": none
	Name, Version string // as the program calls itself: no ground for a decision
	// Project is the name of the project in which the front-end was started, and
	// Machine what that runs on; "": not known. Both are as it says.
	Project, Machine string
	Elicitation      bool // can put a form to a person within the call
	Views            bool // can show a person a view of a reply
}

// Reply is what a tool answers. Exactly one of Content and Ask is set.
type Reply struct {
	Content []string // text items; the first is the one the contract fixes
	// Structured says all that Content says, as one object: some clients show a
	// model nothing else. A [Set] fills it in for lists and for failures.
	Structured json.RawMessage
	IsError    bool
	// View is for the view that shows the reply to a person, where the client has
	// views: a JSON object that no model reads. nil: there is nothing to show
	// beside Content.
	View json.RawMessage
	// Reason is why a call was refused, a word of a closed list. It goes to the
	// log alone; the caller reads Content.
	Reason string
	Ask    *Ask
}

// Ask puts questions to a person through the MCP client: the handler has
// done nothing yet and runs again with the answers.
type Ask struct {
	Requests json.RawMessage // MCP inputRequests
	State    string          // sealed
}

// Handler runs one tool. The context carries deadline and cancellation.
type Handler func(ctx context.Context, call Call) Reply
