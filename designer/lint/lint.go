package lint

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// Severity says how sure it is that a finding is trouble.
type Severity string

// The severities. An Error is something that cannot work as it is, a Warning
// something that most people regret, an Info a matter of taste or of size.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Severities lists them, the gravest first.
func Severities() []Severity { return []Severity{Error, Warning, Info} }

// AtLeast reports whether s is as grave as least or graver.
func (s Severity) AtLeast(least Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), least)
}

// Finding is one thing that a rule found.
type Finding struct {
	Rule     rule.ID     `json:"rule"`
	Severity Severity    `json:"severity"`
	TableID  designer.ID `json:"tableId,omitempty"` // "": it is of a type, or of the whole design
	Schema   string      `json:"schema,omitempty"`
	Table    string      `json:"table,omitempty"`
	Column   string      `json:"column,omitempty"`
	Object   string      `json:"object,omitempty"` // the key, index or type it is about, by name
	Message  string      `json:"message"`
	Edits    []Edit      `json:"edits,omitempty"` // that settle it; none: a person has to decide
}

// Key names the finding, the same before and after a change of something else.
func (f Finding) Key() string {
	return string(f.Rule) + "\x00" + string(f.TableID) + "\x00" + f.Column + "\x00" + f.Object + "\x00" + f.Message
}

// Options say what to look for. The zero value is every rule that is on by
// default, on every table, without statistics.
type Options struct {
	// Off are rules that are not checked, On such as are off by default.
	Off, On []rule.ID
	// Only are the rules to check, whatever else is said; nil: no such limit.
	Only []rule.ID
	// Ignore reports whether nothing is said of a table; nil: of none.
	Ignore func(t *designer.Table) bool
	// Tables are those to say something of; nil: all. What a rule compares a
	// table with is the whole design in any case.
	Tables map[designer.ID]bool
	// Statistics are what the server counted; nil: unknown.
	Statistics *designer.Statistics
}

// checks reports whether a rule is to be checked.
func (o Options) checks(r *Rule) bool {
	switch {
	case o.Only != nil:
		return slices.Contains(o.Only, r.ID)
	case slices.Contains(o.Off, r.ID):
		return false
	}
	return !r.Off || slices.Contains(o.On, r.ID)
}

// Check returns what the rules find in a design: by table, the gravest first.
// It only reads s.
func Check(s *designer.Schema, o Options) []Finding {
	p := newPass(s, o)
	rules := Rules()
	for i := range rules {
		r := &rules[i]
		if !o.checks(r) || !r.For(s.Dialect().Name) {
			continue
		}
		p.rule = r
		if r.design != nil {
			r.design(p)
		}
		if r.table == nil {
			continue
		}
		for _, t := range p.tables {
			if p.wants(t) {
				r.table(p, t)
			}
		}
	}
	slices.SortStableFunc(p.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(Severities(), a.Severity), slices.Index(Severities(), b.Severity)),
			cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Table, b.Table))
	})
	return p.found
}

// New returns the findings that are not in before, as those that a change has
// brought.
func New(before, after []Finding) []Finding {
	known := map[string]bool{}
	for _, f := range before {
		known[f.Key()] = true
	}
	var list []Finding
	for _, f := range after {
		if !known[f.Key()] {
			list = append(list, f)
		}
	}
	return list
}
