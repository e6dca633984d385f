package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
	"github.com/berth-dev/berth/designer/session"
)

// Bounds of what an agent is told of lint: a hint beside a plan, no report.
const (
	maxLint     = 5
	maxLintText = 160
)

// lintOf says what a plan brings that was not there before, in the tables that
// it touches: errors and warnings, the gravest first. What the database has
// had all along is not the caller's matter here; berth lint lists it.
func (t *Tool) lintOf(ctx context.Context, in *invocation, p *session.Proposal) []string {
	if p.Diff == nil || p.Diff.Empty() {
		return nil
	}
	o := t.opts.Lint()
	o.Statistics, o.Tables = nil, map[designer.ID]bool{}
	for _, c := range p.Diff.Changed {
		o.Tables[c.To.ID] = true
	}
	for _, added := range p.Diff.Added {
		o.Tables[added.ID] = true
	}
	base, err := in.designer.Base(ctx)
	if err != nil {
		t.opts.Logger.Warn("not linted", "error", err)
		return nil
	}
	var list []string
	more := 0
	_ = t.view(in, func(s *designer.Schema) *failure {
		for _, f := range lint.New(lint.Check(base, o), lint.Check(s, o)) {
			switch {
			case !f.Severity.AtLeast(lint.Warning):
			case len(list) == maxLint:
				more++
			default:
				list = append(list, clip.Text(string(f.Rule)+": "+f.Message, maxLintText))
			}
		}
		return nil
	})
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more: berth lint lists them", more))
	}
	return list
}

// LintReport is what lint finds in a design.
type LintReport struct {
	Version  string         `json:"version"`
	Dialect  string         `json:"dialect"`
	Findings []lint.Finding `json:"findings"`
	Notes    []string       `json:"notes,omitempty"`
}

// countedSource is a source whose server counts how tables are used.
type countedSource interface {
	Statistics(ctx context.Context) (designer.Statistics, error)
}

// PageLint looks for what the rules find in a design. only are the rules to
// check; nil: those that the settings say.
func (t *Tool) PageLint(ctx context.Context, d *session.Designer, only []rule.ID) (LintReport, error) {
	s, err := d.Snapshot()
	if err != nil {
		return LintReport{}, err
	}
	options := t.opts.Lint()
	if only != nil {
		options.Only = only
	}
	report := LintReport{Version: s.Version(), Dialect: s.Dialect().Name, Findings: []lint.Finding{}}
	options.Statistics, report.Notes = t.counted(ctx, d)
	if found := lint.Check(s, options); len(found) > 0 {
		lint.Prove(s, found)
		report.Findings = found
	}
	return report, nil
}

// counted reads what the server counted of a design's tables; nil where it
// counts nothing, or cannot be asked.
func (t *Tool) counted(ctx context.Context, d *session.Designer) (*designer.Statistics, []string) {
	source, err := t.opts.Connections.Source(ctx, d.ID())
	if err != nil {
		return nil, nil
	}
	counting, is := source.(countedSource)
	if !is {
		return nil, nil
	}
	found, err := counting.Statistics(ctx)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, nil
	case err != nil:
		t.opts.Logger.Warn("statistics not read", "error", err)
		return nil, []string{"what the server counted could not be read now: rules that need it were not checked"}
	}
	return &found, nil
}
