package readonly

import "fmt"

// Refusal says that a query was not run because of what it is.
type Refusal struct {
	Rule    string // a few words that name the rule
	Message string // what is wrong, and where it helps, what to do
}

func (e *Refusal) Error() string { return fmt.Sprintf("refused (%s): %s", e.Rule, e.Message) }

// Refuse returns a Refusal by the named rule.
func Refuse(rule, format string, args ...any) *Refusal {
	return &Refusal{Rule: rule, Message: fmt.Sprintf(format, args...)}
}
