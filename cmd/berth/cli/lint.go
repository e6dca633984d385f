package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/designs"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
	"github.com/berth-dev/berth/proxy"
)

// lintFlags are the flags of berth lint.
type lintFlags struct {
	json     bool
	severity string
	rules    []string
}

func newLint(a *app) *cobra.Command {
	var flags lintFlags
	cmd := &cobra.Command{
		Use:   "lint [CONNECTION] [DIR]",
		Short: "Look for what most people regret in a schema; exit code for CI",
		Long: `Look at the designs of a project for tables without a key, foreign keys without
an index, money in floats and the like; docs/lint.md has the rules, and
lint in .berth/config.yaml switches them.

Where an instance serves the project its designs are looked at as they are now
(all that are open, or the default one), with what the server counted. Else
the files in .berth/designs are, and nothing has to run.

What is at least as grave as --severity is listed, and makes the exit code 1.`,
		Example: `  berth lint
  berth lint main --severity info
  berth lint --rule no-primary-key --json`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return usage(cmd, err)
			}
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				return a.lint(cmd.Context(), l, root, connection, flags)
			})
		},
	}
	jsonFlag(cmd, &flags.json)
	cmd.Flags().StringVar(&flags.severity, "severity", string(lint.Warning), "list this `level` and graver: error, warning or info")
	cmd.Flags().StringSliceVar(&flags.rules, "rule", nil, "check this `rule` alone; may be given more than once")
	completeWith(cmd, "severity", severityNames()...)
	completeWith(cmd, "rule", ruleNames()...)
	return cmd
}

func severityNames() (names []string) {
	for _, s := range lint.Severities() {
		names = append(names, string(s))
	}
	return names
}

func ruleNames() (names []string) {
	for _, id := range rule.All() {
		names = append(names, string(id))
	}
	return names
}

func (f lintFlags) check() error {
	if !slices.Contains(severityNames(), f.severity) {
		return fmt.Errorf("--severity is %s, not %s", strings.Join(severityNames(), ", "), quote(f.severity))
	}
	for _, name := range f.rules {
		if rule.Known(name) {
			continue
		}
		near := designer.Nearest(name, ruleNames())
		return fmt.Errorf("no rule is called %s: did you mean %s?", quote(name), near[0])
	}
	return nil
}

// linted is what was found in one design.
type linted struct {
	Connection string         `json:"connection"`
	File       string         `json:"file,omitempty"` // "": the instance's own
	Dialect    string         `json:"dialect"`
	Version    string         `json:"version,omitempty"`
	Findings   []lint.Finding `json:"findings"`
	Notes      []string       `json:"notes,omitempty"`
}

func (a *app) lint(ctx context.Context, l *link, root, connection string, flags lintFlags) error {
	list, err := a.lintServed(ctx, l, root, connection, flags.rules)
	if errors.Is(err, proxy.ErrNotRunning) {
		list, err = a.lintFiles(l, root, connection, flags.rules)
	}
	if err != nil {
		return err
	}
	counts := map[lint.Severity]int{}
	for i := range list {
		for _, f := range list[i].Findings {
			counts[f.Severity]++
		}
		list[i].Findings = slices.DeleteFunc(list[i].Findings, func(f lint.Finding) bool { return !f.Severity.AtLeast(lint.Severity(flags.severity)) })
	}
	if flags.json {
		err = printJSON(a.sys.Stdout, struct {
			Designs []linted              `json:"designs"`
			Counts  map[lint.Severity]int `json:"counts"` // of all, listed or not
		}{list, counts})
	} else {
		a.printLint(list, counts, lint.Severity(flags.severity))
	}
	if err == nil && slices.ContainsFunc(list, func(d linted) bool { return len(d.Findings) > 0 }) {
		err = errSilent
	}
	return err
}

// lintServed asks the instance, for one connection or for all designs that are
// open there. The error is [proxy.ErrNotRunning] if there is none.
func (a *app) lintServed(ctx context.Context, l *link, root, connection string, rules []string) ([]linted, error) {
	var listing designList
	if err := l.client.Do(ctx, root, http.MethodGet, "/designs", nil, &listing); err != nil {
		if errors.Is(err, proxy.ErrNotRunning) {
			return nil, err
		}
		return nil, l.explain(root, err)
	}
	query := ""
	if len(rules) > 0 {
		query = "?" + url.Values{"rule": rules}.Encode()
	}
	opened := func() []string {
		var ids []string
		for _, d := range listing.Designs {
			if connection == "" || strings.EqualFold(d.Name, connection) {
				ids = append(ids, d.Connection)
			}
		}
		return ids
	}
	ids := opened()
	if len(ids) == 0 {
		if r, err := a.designOnce(ctx, l, root, designCall{operation: "show", connection: connection}); err != nil || !r.Success {
			return nil, orRefused(r, err)
		}
		var err error
		if listing, err = l.designsWithFiles(ctx, root); err != nil {
			return nil, err
		}
		ids = opened()
	}
	var list []linted
	for _, id := range ids {
		d := linted{Connection: id}
		if err := l.ask(ctx, root, http.MethodGet, "/designs/"+url.PathEscape(id)+"/lint"+query, &d); err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// designList is what lint needs of GET /designs.
type designList struct {
	Designs []struct {
		Connection string `json:"connection"`
		Name       string `json:"name"`
		Tables     int    `json:"tables"`
	} `json:"designs"`
}

// designsWithFiles lists the designs once those that were just opened have what
// their files say. An instance reads a file after it opened the design; one that
// it refuses is not waited for longer than takeInTime.
func (l *link) designsWithFiles(ctx context.Context, root string) (list designList, err error) {
	stored, err := designs.Read(root)
	if err != nil {
		return list, err
	}
	inFile := map[string]int{}
	for _, d := range stored {
		inFile[strings.ToLower(d.Connection)] = len(d.Definition.Tables)
	}
	wait, cancel := context.WithTimeout(ctx, takeInTime)
	defer cancel()
	for {
		list = designList{}
		if err := l.ask(ctx, root, http.MethodGet, "/designs", &list); err != nil {
			return list, err
		}
		behind := ""
		for _, d := range list.Designs {
			if d.Tables == 0 && inFile[strings.ToLower(d.Name)] > 0 {
				behind = d.Name
			}
		}
		if behind == "" {
			return list, nil
		}
		select {
		case <-wait.Done():
			return list, &failure{text: "the instance has no tables of " + behind + ", whose file in .berth/designs has some",
				hint: "berth doctor says why the file was not taken in", cause: ctx.Err()}
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// takeInTime is how long an instance may take to read the file of a design that
// it has just opened.
const takeInTime = 5 * time.Second

// lintFiles looks at the files of the designs, with no instance.
func (a *app) lintFiles(l *link, root, connection string, rules []string) ([]linted, error) {
	set, err := a.settings(l.home, root)
	if err != nil {
		return nil, err
	}
	options := serve.LintOptions(set.Lint)
	for _, name := range rules {
		options.Only = append(options.Only, rule.ID(name))
	}
	stored, err := designs.Read(root)
	if err != nil {
		return nil, err
	}
	var list []linted
	for _, d := range stored {
		if connection != "" && !strings.EqualFold(d.Connection, connection) {
			continue
		}
		found, err := lintStored(d, options)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", d.File, err)
		}
		list = append(list, found)
	}
	if len(list) == 0 {
		f := notRunning(root)
		var missing *failure
		if errors.As(f, &missing) {
			missing.text += ", and .berth/designs has no design to look at"
		}
		return nil, f
	}
	return list, nil
}

func lintStored(d designs.Stored, options lint.Options) (linted, error) {
	dialect := serve.Dialect(d.Dialect)
	if dialect == nil {
		return linted{}, fmt.Errorf("dialect %s is not known", quote(d.Dialect))
	}
	s, err := designer.Build(dialect, d.Definition, nil)
	if err != nil {
		return linted{}, err
	}
	found := lint.Check(s, options)
	lint.Prove(s, found)
	if found == nil {
		found = []lint.Finding{}
	}
	return linted{Connection: d.Connection, File: d.File, Dialect: d.Dialect, Version: s.Version(), Findings: found}, nil
}

func (a *app) printLint(list []linted, counts map[lint.Severity]int, least lint.Severity) {
	out := a.sys.Stdout
	for _, d := range list {
		for _, n := range d.Notes {
			fmt.Fprintln(out, printable(d.Connection+": note: "+n))
		}
		for _, f := range d.Findings {
			fmt.Fprintln(out, printable(fmt.Sprintf("%s: %s: %s (%s)", d.Connection, f.Severity, f.Message, f.Rule)))
		}
	}
	var shown, hidden []string
	for _, s := range lint.Severities() {
		text := fmt.Sprintf("%d %s", counts[s], s)
		switch {
		case counts[s] == 0:
		case s.AtLeast(least):
			shown = append(shown, text)
		default:
			hidden = append(hidden, text)
		}
	}
	line := "nothing found"
	if len(shown) > 0 {
		line = "found " + strings.Join(shown, ", ")
	}
	if len(hidden) > 0 {
		line += "; not shown: " + strings.Join(hidden, ", ") + " (--severity info)"
	}
	fmt.Fprintln(out, line)
}
