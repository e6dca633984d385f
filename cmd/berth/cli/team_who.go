package cli

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/tools/presence"
)

func newTeamWho(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "who [DIR]",
		Short: "List who is at the project now, and in a team at its designs",
		Long: `List the pages that are open, the agents that call and the programs that hold
the project's instance, with what each looks at or did last and when it was last
heard of. Where a design is shared, the other instances of the team are asked,
too. It works without a team as well.`,
		Example: `  berth team who
  berth team who ./app --json`,
		Args: upTo(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.link(nil)
			if err != nil {
				return err
			}
			defer l.close()
			return a.who(cmd.Context(), l, args, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) who(ctx context.Context, l *link, args []string, asJSON bool) error {
	root, err := a.project(args)
	if err != nil {
		return err
	}
	var list presence.List
	if err := l.ask(ctx, root, http.MethodGet, "/presence?ask=true", &list); err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.sys.Stdout, list)
	}
	return a.printWho(list)
}

func (a *app) printWho(list presence.List) error {
	out := a.sys.Stdout
	if len(list.Here) == 0 {
		_, err := fmt.Fprintln(out, "nobody is here")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WHO\tWITH\tPROJECT\tMACHINE\tDOES\tHEARD")
	for _, e := range list.Here {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", oneLine(e.Person), oneLine(withOf(e)), oneLine(e.Project), oneLine(e.Machine), oneLine(doesOf(e)), heardOf(e))
	}
	return table.Flush()
}

// withOf names the program that somebody is here with.
func withOf(e presence.Entry) string {
	text := strings.TrimSpace(e.Program + " " + e.Version)
	switch {
	case e.Kind == presence.KindPage:
		text = "page in " + text
	case e.From != "":
		text += " in " + e.From
	}
	return text
}

// doesOf says what somebody looks at, or called last.
func doesOf(e presence.Entry) string {
	var text string
	switch {
	case e.Tool != "" && e.Running:
		text = "runs " + e.Tool
	case e.Tool != "":
		text = "called " + e.Tool
	case e.Away:
		text = "in the background"
	case e.Editing:
		text = "edits"
	case e.Table != nil:
		text = "looks at"
	case e.View != "":
		text = "in " + e.View
	case e.Kind == presence.KindProgram:
		text = "holds the instance"
	}
	if e.Table != nil {
		text += " " + e.Table.Name
	}
	return text
}

// heardOf says how long ago somebody was last heard of.
func heardOf(e presence.Entry) string {
	ago := time.Duration(e.HeardMs) * time.Millisecond
	if e.Running || ago < time.Second {
		return "now"
	}
	return ago.Round(time.Second).String() + " ago"
}
