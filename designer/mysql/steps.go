package mysql

import (
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// steps collects a plan.
type steps struct{ designer.Plan }

func newSteps() steps { return steps{designer.Plan{Dialect: "mysql", Separator: ";"}} }

// add adds a step. Every one of them stands for itself.
func (p *steps) add(s designer.Step) {
	s.Risks = append([]designer.Risk{designer.RiskNotTransactional}, s.Risks...)
	s.Compound = slices.ContainsFunc(scan(s.Statement), func(t sqltext.Token) bool { return t.Is(";") })
	p.Steps = append(p.Steps, s)
}

// The probes find a row where an object is there, or is not, in the default
// database: see designer.Step.Made. Names of columns, indexes and constraints
// know no case.

func probe(there bool, from string) string {
	if there {
		return "SELECT 1 FROM information_schema." + from + " LIMIT 1"
	}
	return "SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM information_schema." + from + ")"
}

func tableProbe(name string, there bool) string {
	return probe(there, "TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "+quoteString(name))
}

func columnProbe(table, name string, there bool) string {
	return probe(there, "COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "+quoteString(table)+
		" AND COLUMN_NAME = "+quoteString(name))
}

func indexProbe(table, name string, there bool) string {
	return probe(there, "STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "+quoteString(table)+
		" AND INDEX_NAME = "+quoteString(name))
}

// constraintProbe asks for a foreign key or a check.
func constraintProbe(table, name string, there bool) string {
	return probe(there, "TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "+quoteString(table)+
		" AND CONSTRAINT_NAME = "+quoteString(name)+" AND CONSTRAINT_TYPE IN ('FOREIGN KEY', 'CHECK')")
}

func triggerProbe(name string, there bool) string {
	return probe(there, "TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME = "+quoteString(name))
}
