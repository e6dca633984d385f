package approval

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/visible"
)

// NameToType returns what a person types to approve p: the name of its database
// as they see it. It is "" for a plan that loses no data, which one press
// approves. The ledger holds every home of the question to this rule: the page,
// an editor, a client's form and the terminal.
func NameToType(p Plan) string {
	if !p.LosesData {
		return ""
	}
	return cmp.Or(trimmed(visible.Line(p.About.Database)), trimmed(visible.Line(p.About.Connection)), string(p.Kind))
}

// Typed reports whether a person typed name. Spaces around it do not count.
func Typed(name, typed string) bool { return trimmed(typed) == name }

func trimmed(s string) string { return strings.TrimSpace(s) }

// NotTypedError reports that the plan was not approved because the person did
// not type Name. The plan still waits.
type NotTypedError struct{ Name string }

func (e *NotTypedError) Error() string {
	return fmt.Sprintf("data is lost by this plan: it is approved by typing %s; nothing was decided", e.Name)
}
