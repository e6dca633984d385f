package lint

import (
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// Rule describes one rule.
type Rule struct {
	ID       rule.ID
	Severity Severity
	// Dialects are those for which the rule makes sense; nil: all.
	Dialects []string
	// Off says that the rule is checked only where it is asked for: it is right
	// for some designs and noise for most.
	Off bool
	// Counted says that the rule needs [designer.Statistics].
	Counted bool
	Says    string // what it finds, in one line
	Why     string
	Edit    string // what its edit does; "": it has none
	Peers   string // the rules of other tools that look for the same

	table  func(p *pass, t *designer.Table)
	design func(p *pass)
}

// For reports whether the rule makes sense for a dialect.
func (r *Rule) For(dialect string) bool {
	return r.Dialects == nil || slices.Contains(r.Dialects, dialect)
}

// Rules lists every rule, in the order of [rule.All].
func Rules() []Rule {
	return slices.Concat(keyRules(), relationRules(), actionRules(), indexRules(), nameRules(), typeRules(), valueRules(), tableRules(), countedRules())
}
