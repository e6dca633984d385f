package attach

import (
	"encoding/json"

	"github.com/berth-dev/berth/tools/approval"
)

// The lines that Run says; each has a type. docs/http.md lists them.

// readyLine: the project is served there, and the lease holds.
type readyLine struct {
	Type        string `json:"type"` // ready
	ProjectRoot string `json:"projectRoot"`
	Port        int    `json:"port"`
	URL         string `json:"url"`
	PID         int    `json:"pid"`
	Version     string `json:"version"`
	Started     bool   `json:"started"`           // by this process
	IdleEnd     string `json:"idleEnd,omitempty"` // as in /status
}

// goneLine: the lease has ended. lost: the instance crashed, hangs or was
// replaced, and is looked for or started again. stopped: it was ended, and stays
// so.
type goneLine struct {
	Type    string `json:"type"` // lost, stopped
	Outcome string `json:"outcome,omitempty"`
}

// failedLine: the project cannot be served.
type failedLine struct {
	Type  string `json:"type"` // failed
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}

// eventLine is an event or a notice of the instance, without whole tables.
type eventLine struct {
	Type   string                     `json:"type"` // event
	Event  map[string]json.RawMessage `json:"event,omitempty"`
	Notice map[string]json.RawMessage `json:"notice,omitempty"`
}

// approvalsLine is the list of plans, when the lease begins and whenever it has
// changed.
type approvalsLine struct {
	Type      string           `json:"type"` // approvals
	Pending   int              `json:"pending"`
	Approvals []approval.Entry `json:"approvals"`
}

// A Request is a line of the program.
type Request struct {
	ID       int64  `json:"id"` // of the reply
	Op       string `json:"op"` // see Run
	Plan     string `json:"plan,omitempty"`
	Decision string `json:"decision,omitempty"` // approve, reject
	Typed    string `json:"typed,omitempty"`    // the plan's nameToType, as a person typed it
}

// replyLine answers a request; error is why it was refused.
type replyLine struct {
	Type      string           `json:"type"` // reply
	ID        int64            `json:"id"`
	Error     string           `json:"error,omitempty"`
	Hint      string           `json:"hint,omitempty"`
	Code      string           `json:"code,omitempty"`
	URL       string           `json:"url,omitempty"`
	KeyID     string           `json:"keyId,omitempty"`
	Key       string           `json:"key,omitempty"`
	Approval  *approval.Entry  `json:"approval,omitempty"`
	Approvals []approval.Entry `json:"approvals,omitempty"`
}

// Words are what a line says to a person; "": nothing that they would miss.
func Words(line any) string {
	switch l := line.(type) {
	case readyLine:
		return "holding " + l.ProjectRoot + " at " + l.URL
	case failedLine:
		return "not served: " + l.Error
	case goneLine:
		if l.Type == "stopped" {
			return "stopped: " + l.Outcome
		}
		return "the instance has gone; looking for it"
	}
	return ""
}
