package postgres

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// note adds a sentence about what the plan does not do, or does otherwise than
// asked.
func (b *steps) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

// noteTriggers says that a new table has no triggers yet: a design only knows
// their names.
func (p *planner) noteTriggers(t *designer.Table) {
	if len(t.Triggers) > 0 {
		p.note("The triggers of table %s are not made: %s.", qualifiedPlain(t.Schema, t.Name), strings.Join(t.Triggers, ", "))
	}
}

// noteSequence notes what a column loses that is numbered in another way.
func (p *planner) noteSequence(column string) {
	p.note("The sequence of %s is re-created: rights on it that were granted or revoked are not kept.", column)
}

// noteDependent notes what re-creating something does not keep, and refuses where
// that is too much.
func (p *planner) noteDependent(m dependent) error {
	switch {
	case m.definition == "":
		return &designer.PlanError{Table: designer.TableName{Schema: m.schema, Name: m.name},
			Message: "the " + m.label() + " would have to be re-created, and the database gives only its name: drop it first"}
	case m.isMaterialized():
		p.note("The materialized %s is re-created: its rows are computed again.", m.label())
	}
	return nil
}
