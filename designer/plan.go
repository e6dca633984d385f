package designer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Plan is what brings a database from one state to another: statements in the
// order in which they run. A dialect package makes it of a [Diff]; looking at
// one runs nothing.
type Plan struct {
	Dialect string
	Steps   []Step
	// Transactional says that the steps are made in one transaction, all or
	// none. Where it is false each step stands for itself once it has run.
	Transactional bool
	// Separator ends a statement in a script: ";" or, on a line of its own,
	// "GO".
	Separator string
	// Notes say what the plan does not do, or does otherwise than asked, a
	// sentence each.
	Notes []string
}

// Step is one statement of a [Plan].
type Step struct {
	Statement string `json:"statement"`         // SQL text without its separator
	Comment   string `json:"comment"`           // what it is for, in words; one line
	Reverse   string `json:"reverse,omitempty"` // statement that takes it back; "": none does
	Risks     []Risk `json:"risks,omitempty"`
	// Compound says that the statement holds the separator itself, as a
	// routine of MySQL does: in a script it stands between DELIMITER lines.
	Compound bool `json:"compound,omitempty"`
	// Made is a query that finds a row where the step has been made: for one
	// whose outcome is unknown after an interruption. "": there is none, and
	// making it twice does no harm; or it is part of a transaction.
	Made string `json:"made,omitempty"`
	// Tables are those it changes, as they are named before the plan.
	Tables []TableName `json:"-"`
	// Prechecks find rows that the step cannot take. Trying a plan asks them
	// where it does not copy the rows of a table.
	Prechecks []Precheck `json:"-"`
}

// Precheck is a question to a database as it is before a plan.
type Precheck struct {
	Query   string // finds a row where the step will fail
	Problem string // what the row shows, in words
}

// Risk warns of what a step does to a database in use.
type Risk string

// The risks.
const (
	RiskDataLoss         Risk = "data_loss"         // rows, or parts of values, are gone afterwards
	RiskRewritesTable    Risk = "rewrites_table"    // takes time and room in proportion to the table
	RiskBlocksWrites     Risk = "blocks_writes"     // writers of the table wait while it runs
	RiskNotTransactional Risk = "not_transactional" // cannot be rolled back with the others
	RiskMayFail          Risk = "may_fail"          // depends on the rows that are there
	RiskBreaks           Risk = "breaks"            // a text that the server does not change names what gets another name or goes: the notes say which
	RiskInventsValues    Risk = "invents_values"    // rows that are there get a value that nobody gave them
)

// Script is the plan as one text, exactly what runs: statements with their
// comments and separators. "" for a plan without steps.
func (p Plan) Script() string {
	var b strings.Builder
	for i, s := range p.Steps {
		if i > 0 {
			b.WriteString("\n")
		}
		for line := range strings.Lines(s.Comment) {
			fmt.Fprintf(&b, "-- %s\n", strings.TrimRight(line, "\r\n"))
		}
		if s.Compound {
			mark := delimiterFor(s.Statement)
			fmt.Fprintf(&b, "DELIMITER %s\n%s%s\nDELIMITER ;\n", mark, s.Statement, mark)
			continue
		}
		b.WriteString(s.Statement)
		if p.Separator == "" || p.Separator == ";" {
			b.WriteString(";\n")
		} else {
			b.WriteString("\n" + p.Separator + "\n")
		}
	}
	return b.String()
}

// delimiterFor returns a mark that does not occur in the statement.
func delimiterFor(statement string) string {
	mark := "$$"
	for strings.Contains(statement, mark) {
		mark += "$"
	}
	return mark
}

// Digest names the plan: 32 hex digits that differ where any statement does.
// An approval is good for one digest.
func (p Plan) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %t\n", p.Dialect, p.Transactional) // a hash takes every write
	for _, s := range p.Steps {
		fmt.Fprintf(h, "%d:%s\n", len(s.Statement), s.Statement)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Risks lists the risks of all steps, each once, in the order of first use.
func (p Plan) Risks() []Risk {
	var all []Risk
	seen := map[Risk]bool{}
	for _, s := range p.Steps {
		for _, r := range s.Risks {
			if !seen[r] {
				seen[r] = true
				all = append(all, r)
			}
		}
	}
	return all
}

// StepError says which step of a plan the database refused, and why.
type StepError struct {
	Index   int // of the step; len(steps) where the whole was refused at its end
	Step    Step
	Applied int   // steps that are in force nevertheless: 0 after a rollback
	Err     error // the server's own
}

func (e *StepError) Error() string {
	return fmt.Sprintf("step %d (%s): %v", e.Index+1, e.Step.Comment, e.Err)
}

// Unwrap returns the server's error.
func (e *StepError) Unwrap() error { return e.Err }

// NotTriedError says that a plan passed where it was tried, and what could not
// be tried. It is an error so that nobody takes it for a full verification; a
// caller that continues regardless shows it to the person who decides.
type NotTriedError struct {
	Reason string // what was not tried and why
}

func (e *NotTriedError) Error() string { return e.Reason }

// PlanError says that no plan can make a change, and what to do instead.
type PlanError struct {
	Table   TableName // zero: it is not about one
	Message string    // what cannot be done and what could be
}

func (e *PlanError) Error() string {
	if e.Table == (TableName{}) {
		return e.Message
	}
	return fmt.Sprintf("table %s.%s: %s", e.Table.Schema, e.Table.Name, e.Message)
}
