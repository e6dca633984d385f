package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/tools/pageapi"
)

func newTeam(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "team [CONNECTION] [DIR]",
		Short: "Share a design with others, and see who is there",
		Long: `Show whether a design is shared with a team, whether its broker is reached, and
who follows it now. A team is a NATS server with JetStream that your own
config.yaml names:

  team:
    url: nats://broker.example.com:4222

docs/teams.md leads from nothing to two people on one design.`,
		Example: `  berth team
  berth team init shop
  berth team attach shop
  berth team detach
  berth team remove ben
  berth team who`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesignRoute(cmd, args, func(ctx context.Context, l *link, root, path string) error {
				var state pageapi.TeamState
				if err := l.ask(ctx, root, http.MethodGet, path, &state); err != nil {
					return err
				}
				if asJSON {
					return printJSON(a.sys.Stdout, state)
				}
				return a.printTeam(state)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.AddCommand(newTeamInit(a), newTeamAttach(a), newTeamDetach(a), newTeamRemove(a), newTeamWho(a))
	return cmd
}

func newTeamInit(a *app) *cobra.Command {
	servers, asJSON := 1, false
	cmd := &cobra.Command{
		Use:   "init NAME [CONNECTION] [DIR]",
		Short: "Make a design the team's, under a name",
		Long: `Create a team design of that name on the broker, beginning with this project's
design as it is now. Others join it with berth team attach NAME. The undo steps
begin with it, too: what was done before can no longer be undone.`,
		Example: `  berth team init shop
  berth team init shop main --servers 3`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 3)(cmd, args)) },
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.teamAct(cmd, args[1:], asJSON, pageapi.TeamRequest{Action: "init", Name: args[0], Servers: servers}, func(done pageapi.TeamDone) string {
				return fmt.Sprintf("team design %s begins with %d %s; others join it with: berth team attach %s",
					args[0], done.Tables, plural(done.Tables, "table", "tables"), args[0])
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().IntVar(&servers, "servers", 1, "how many of the broker's servers keep it: 1, 3 or 5")
	return cmd
}

func newTeamAttach(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "attach NAME [CONNECTION] [DIR]",
		Short: "Join a team's design",
		Long: `Replace this project's design by the team's of that name, and follow it. The
databases stay as they are. Changes that the design has of its own are merged
with the team's and become one edit there; where both changed the same things,
nothing happens and that is said.`,
		Example: `  berth team attach shop
  berth team attach shop main ./app`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 3)(cmd, args)) },
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.teamAct(cmd, args[1:], asJSON, pageapi.TeamRequest{Action: "attach", Name: args[0]}, func(done pageapi.TeamDone) string {
				text := fmt.Sprintf("joined team design %s with %d %s", args[0], done.Tables, plural(done.Tables, "table", "tables"))
				if done.Brought {
					text += "; the changes made here before are an edit there now"
				}
				return text
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newTeamDetach(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "detach [CONNECTION] [DIR]",
		Aliases: []string{"leave"},
		Short:   "Leave the team: the design stays as it is here",
		Long: `End the design's part in its team. It stays as it is, with all steps, and is
this project's alone from then on; the others keep theirs. It needs no broker.
berth team attach NAME joins again.`,
		Example: `  berth team detach
  berth team leave main`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.teamAct(cmd, args, asJSON, pageapi.TeamRequest{Action: "detach"}, func(pageapi.TeamDone) string {
				return "left the team; the design is this project's alone now"
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newTeamRemove(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "remove PERSON [CONNECTION] [DIR]",
		Short: "Take a person out of a design's team",
		Long: `Write into the journal that a person is no longer one of the team. Instances that
edit for them (berth team lists the names) stop following and say so. Their
login is the broker's: whoever runs it has to end that there, or they can come
back.`,
		Example:           `  berth team remove ben`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 3)(cmd, args)) },
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.teamAct(cmd, args[1:], asJSON, pageapi.TeamRequest{Action: "remove", Person: args[0]}, func(pageapi.TeamDone) string {
				return printable(args[0]) + " is no longer one of the team; end their login on the broker, too"
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// teamAct has the instance do what a person asks for.
func (a *app) teamAct(cmd *cobra.Command, args []string, asJSON bool, r pageapi.TeamRequest, words func(pageapi.TeamDone) string) error {
	return a.withDesignRoute(cmd, args, func(ctx context.Context, l *link, root, path string) error {
		var done pageapi.TeamDone
		err := l.client.DoAsPerson(ctx, root, http.MethodPost, path, r, &done)
		var refused *proxy.RefusedError
		switch {
		case errors.As(err, &refused):
			return &failure{code: exitRefused, text: refused.Message}
		case err != nil:
			return l.explain(root, err)
		case asJSON:
			return printJSON(a.sys.Stdout, done)
		}
		_, err = fmt.Fprintln(a.sys.Stdout, words(done))
		return err
	})
}

// withDesignRoute runs a command on the route of the design that the arguments
// name, opening it first where it is not open yet.
func (a *app) withDesignRoute(cmd *cobra.Command, args []string, run func(ctx context.Context, l *link, root, path string) error) error {
	return a.withDesign(cmd, args, func(l *link, root, connection string) error {
		id, err := a.openedDesign(cmd.Context(), l, root, connection)
		if err != nil {
			return err
		}
		return run(cmd.Context(), l, root, "/designs/"+url.PathEscape(id)+"/team")
	})
}

// openedDesign returns the connection's id of a design, which is open then: the
// one of that name, or the active one, or that of the default connection.
func (a *app) openedDesign(ctx context.Context, l *link, root, connection string) (string, error) {
	for range 2 {
		var list struct {
			Designs []struct {
				Connection string `json:"connection"`
				Name       string `json:"name"`
				Active     bool   `json:"active"`
			} `json:"designs"`
		}
		if err := l.ask(ctx, root, http.MethodGet, "/designs", &list); err != nil {
			return "", err
		}
		for _, d := range list.Designs {
			if strings.EqualFold(d.Name, connection) || connection == "" && d.Active {
				return d.Connection, nil
			}
		}
		if r, err := a.designOnce(ctx, l, root, designCall{operation: "show", connection: connection}); err != nil || !r.Success {
			return "", orRefused(r, err)
		}
	}
	return "", errors.New("the instance opened the design and does not list it")
}

func (a *app) printTeam(s pageapi.TeamState) error {
	out := a.sys.Stdout
	if s.Team == nil {
		_, err := fmt.Fprintln(out, "not shared; berth team init NAME shares it, berth team attach NAME joins a team's")
		return err
	}
	fmt.Fprintf(out, "team design %s, as %s, at entry %d\n", printable(s.Team.Name), printable(s.Team.Author), s.Team.Seq)
	switch {
	case s.Team.Stopped != "":
		fmt.Fprintf(out, "read-only: %s\n", printable(s.Team.Stopped))
	case !s.Team.Connected:
		fmt.Fprintf(out, "read-only: the broker is not reached since %s: %s\n", s.Team.Since.Local().Format("2006-01-02 15:04:05"), printable(s.Team.Reason))
	case s.Team.Unknown != "":
		fmt.Fprintf(out, "read-only: it is not known yet whether batch %s was committed\n", printable(s.Team.Unknown))
	}
	for _, p := range s.Team.Published {
		fmt.Fprintf(out, "published to %s on %s by %s at %s, in %d statements (entry %d)\n", printable(p.Database), printable(p.Server),
			printable(p.Author), p.At.Local().Format("2006-01-02 15:04:05"), p.Statements, p.Seq)
	}
	if s.PeopleError != "" {
		fmt.Fprintf(out, "who is there is not known: %s\n", printable(s.PeopleError))
	}
	if len(s.People) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PERSON\tMACHINE\tPROJECT\tAT ENTRY\tPAGES")
	for _, p := range s.People {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\n", oneLine(p.Person), oneLine(p.Machine), oneLine(p.Project), p.Seq, p.Pages)
	}
	return table.Flush()
}
