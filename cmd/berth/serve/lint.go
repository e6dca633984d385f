package serve

import (
	"path"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// LintOptions are the settings of lint as designer/lint takes them.
func LintOptions(l settings.Lint) lint.Options {
	o := lint.Options{Off: ruleIDs(l.Off), On: ruleIDs(l.On)}
	if len(l.Ignore) > 0 {
		o.Ignore = func(t *designer.Table) bool { return ignored(l.Ignore, t) }
	}
	return o
}

func ruleIDs(names []string) []rule.ID {
	ids := make([]rule.ID, len(names))
	for i, n := range names {
		ids[i] = rule.ID(n)
	}
	return ids
}

// ignored reports whether one of the patterns is of the table's name, or of its
// schema and name.
func ignored(patterns []string, t *designer.Table) bool {
	for _, p := range patterns {
		name := t.Name
		if strings.Contains(p, ".") {
			name = t.Schema + "." + t.Name
		}
		if yes, err := path.Match(strings.ToLower(p), strings.ToLower(name)); err == nil && yes {
			return true
		}
	}
	return false
}
