package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// failure is the reply of a call that was refused or failed, in the
// contract's order.
type failure struct {
	Success           bool             `json:"success"`
	Reason            designer.Reason  `json:"reason"`
	Message           string           `json:"message"`
	FailedEditIndex   *int             `json:"failedEditIndex,omitempty"`
	AppliedEdits      *int             `json:"appliedEdits,omitempty"`
	DryRun            bool             `json:"dryRun,omitempty"`
	CurrentVersion    string           `json:"currentVersion,omitempty"`
	Server            string           `json:"server,omitempty"`
	Database          string           `json:"database,omitempty"`
	CurrentOverview   *overview        `json:"currentOverview,omitempty"`
	SuggestedNextCall *nextCall        `json:"suggestedNextCall,omitempty"`
	ActiveTarget      *designer.Target `json:"activeTarget,omitempty"`
	TargetHint        *targetHint      `json:"targetHint,omitempty"`
	Hints             *designer.Hints  `json:"hints,omitempty"`
}

// nextCall is the call a reply suggests.
type nextCall struct {
	Operation string      `json:"operation"`
	Options   nextOptions `json:"options"`
}

type nextOptions struct {
	IncludeColumns string `json:"includeColumns"`
}

func fail(reason designer.Reason, format string, args ...any) *failure {
	return &failure{Reason: reason, Message: clipTo(fmt.Sprintf(format, args...), maxMessage)}
}

func invalid(format string, args ...any) *failure {
	return fail(designer.InvalidRequest, format, args...)
}

// near adds the names the caller may have meant.
func (f *failure) near(names ...string) *failure {
	f.Hints = &designer.Hints{NearestNames: names}
	return f.bounded()
}

// refusal is a refusal of the model in the reply's words.
func refusal(e *designer.Error) *failure {
	f := fail(e.Reason, "%s", e.Message)
	if e.Hints != nil {
		hints := *e.Hints
		f.Hints = &hints
	}
	return f.bounded()
}

// bounded holds the hints to their number and length.
func (f *failure) bounded() *failure {
	h := f.Hints
	if h == nil {
		return f
	}
	for _, list := range []*[]string{&h.NearestTables, &h.NearestColumns, &h.NearestNames, &h.AllowedSchemas, &h.AllowedDataTypeSample} {
		var short []string
		for _, name := range (*list)[:min(len(*list), designer.MaxHints)] {
			short = append(short, clip(name))
		}
		*list = short
	}
	return f
}

// internal is the reply to what nobody outside can have caused: the cause
// goes to the log, the reply says what helps.
func (t *Tool) internal(doing string, err error) *failure {
	t.cfg.Logger.Error("schema designer failed", "doing", doing, "error", err)
	return fail(designer.InternalError, "%s", remedy(err))
}

// remedy says what to do about an error without repeating it: its text may
// hold paths and values.
func remedy(err error) string {
	const nothing = "; nothing was changed"
	switch {
	case errors.Is(err, session.ErrFull):
		return "the disk is full: free some space and repeat the call" + nothing
	case errors.Is(err, session.ErrReadOnly):
		return "berth cannot write its state: check the permissions of its state folder and repeat the call" + nothing
	case errors.Is(err, session.ErrDamaged):
		return "the stored designs are damaged and were left as they are: run berth doctor, which names the file to set aside"
	case errors.Is(err, session.ErrNewer):
		return "the stored designs were written by a newer berth: update berth"
	case errors.Is(err, session.ErrClosed):
		return "the project's instance is stopping: repeat the call in a moment" + nothing
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "the call was ended before it was done" + nothing
	}
	return "the schema designer failed unexpectedly; the instance's log has the cause"
}
