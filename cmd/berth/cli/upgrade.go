package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/releases"
	"github.com/berth-dev/berth/proxy"
)

func newUpgrade(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "Say if there is a newer berth, and how this copy is upgraded",
		Long: `Ask whether a newer berth was released, and say how this copy was installed and
so how it is upgraded. Nothing is downloaded, nothing is changed, and no other
command asks. Where it asks was fixed when this program was built; a program
that was built from source has no such place and says so.

Instances keep the program that started them: those of another version are
listed, with the command that has this one take over.`,
		Example: `  berth upgrade
  berth upgrade --json`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := a.upgradeReport(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.sys.Stdout, report)
			}
			return report.print(a.sys.Stdout)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// upgradeReport is what berth upgrade --json prints.
type upgradeReport struct {
	thisCopy
	Newest *releases.Release `json:"newest"` // null: not asked, see Asked
	Asked  string            `json:"asked"`  // the address; empty: built from source
	Newer  *bool             `json:"newer"`  // null: not known
	Others []otherVersion    `json:"otherVersions"`
}

// otherVersion is an instance that runs another version than this one.
type otherVersion struct {
	ProjectRoot string `json:"projectRoot"`
	Version     string `json:"version"`
}

func (a *app) upgradeReport(ctx context.Context) (r upgradeReport, err error) {
	if r.thisCopy, err = a.thisCopy(); err != nil {
		return r, err
	}
	if r.Others, err = a.otherVersions(ctx, r.Version); err != nil {
		return r, err
	}
	if r.Asked = build.Releases(); r.Asked == "" {
		return r, nil
	}
	newest, err := releases.Newest(ctx, r.Asked)
	if err != nil {
		return r, &failure{text: "the newest release is not known", cause: err,
			hint: "this copy was installed by " + r.Installed.Words + "; try again when the network is there"}
	}
	r.Newest = &newest
	if newer, compared := newest.NewerThan(r.Version); compared {
		r.Newer = &newer
	}
	return r, nil
}

// otherVersions are the live instances that run another version.
func (a *app) otherVersions(ctx context.Context, version string) ([]otherVersion, error) {
	l, err := a.link(nil)
	if err != nil {
		return nil, err
	}
	defer l.close()
	projects, err := l.projects(ctx)
	if err != nil {
		return nil, err
	}
	others := []otherVersion{}
	for _, p := range projects {
		if p.State == stateLive && p.Version != nil && *p.Version != version {
			others = append(others, otherVersion{p.ProjectRoot, *p.Version})
		}
	}
	return others, nil
}

func (r upgradeReport) print(w io.Writer) error {
	p := &printer{w: w}
	p.add("%s", r.Info)
	p.add("%s", r.installedBy())
	switch {
	case r.Newest == nil:
		p.add("it was built from source and knows no place where releases are listed")
		p.add("to upgrade: %s", r.Installed.Upgrade)
	case r.Newer == nil:
		p.add("the newest release is %s (%s): %s", r.Newest.Version, r.Newest.Date, r.Newest.Page)
	case *r.Newer:
		p.add("%s was released (%s): %s", r.Newest.Version, r.Newest.Date, r.Newest.Page)
		if r.Installed.Upgrade == "" {
			p.add("to upgrade: nothing says how this copy came here; docs/install.md of that page has every way")
		} else {
			p.add("to upgrade: %s", r.Installed.Upgrade)
		}
	default:
		p.add("it is the newest")
	}
	for _, o := range r.Others {
		p.add("still runs %s: %s; to have this one take over: berth serve %s", oneLine(o.Version), oneLine(o.ProjectRoot), proxy.ShellWord(oneLine(o.ProjectRoot)))
	}
	return p.err
}

// printer prints line by line, and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) add(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
