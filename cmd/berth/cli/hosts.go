package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/relay"
)

func newHosts(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "hosts",
		Short: "List the other machines that you named, and how they are",
		Long: `List the other machines that your config.yaml names and whether their projects
can be reached. A host is a command that runs "berth relay" there: ssh, docker
exec, kubectl exec, wsl.exe. An agent, berth call and berth approvals then name
its projects as HOST:/PATH.`,
		Example: `  berth hosts
  berth hosts add build1 ssh build1
  berth hosts remove build1`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := a.link(nil)
			if err != nil {
				return err
			}
			defer l.close()
			list, err := l.hosts.All()
			if err != nil {
				return err
			}
			rows := lookAtHosts(cmd.Context(), list)
			if asJSON {
				return printJSON(a.sys.Stdout, rows)
			}
			return a.printHosts(rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	cmd.AddCommand(newHostsAdd(a), newHostsRemove(a))
	return cmd
}

// hostRow is a host as the list shows it.
type hostRow struct {
	Name      string   `json:"name"`
	State     string   `json:"state"` // reached or unreachable
	Version   *string  `json:"version"`
	Projects  *int     `json:"projects"`
	LatencyMs *float64 `json:"latencyMs"`
	Command   []string `json:"command"`
	Problem   string   `json:"problem,omitempty"`
}

// The states of a host.
const (
	hostReached     = "reached"
	hostUnreachable = "unreachable"
)

// hostPatience bounds the look at one host: its place among other logins, and
// its start.
const hostPatience = 40 * time.Second

// lookAtHosts reaches all hosts at once.
func lookAtHosts(ctx context.Context, list []*relay.Host) []hostRow {
	rows := make([]hostRow, len(list))
	var group sync.WaitGroup
	for i, h := range list {
		group.Go(func() { rows[i] = lookAtHost(ctx, h) })
	}
	group.Wait()
	return rows
}

func lookAtHost(ctx context.Context, h *relay.Host) hostRow {
	ctx, cancel := context.WithTimeout(ctx, hostPatience)
	defer cancel()
	row := hostRow{Name: h.Name(), State: hostUnreachable, Command: h.Command()}
	st, err := h.Look(ctx)
	if err != nil {
		var way *proxy.WayError
		if errors.As(err, &way) {
			err = way.Cause
		}
		row.Problem = err.Error()
		return row
	}
	latency := float64(st.Latency.Microseconds()) / 1000
	row.State, row.Version, row.Projects, row.LatencyMs = hostReached, &st.Version, &st.Projects, &latency
	return row
}

func (a *app) printHosts(rows []hostRow) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(a.sys.Stdout, "no host is named; add one with: berth hosts add NAME COMMAND")
		return err
	}
	table := tabwriter.NewWriter(a.sys.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "HOST\tSTATE\tVERSION\tPROJECTS\tLATENCY")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", oneLine(r.Name), r.State, cell(r.Version, oneLine),
			cell(r.Projects, func(n int) string { return fmt.Sprint(n) }), cell(r.LatencyMs, func(ms float64) string { return fmt.Sprintf("%.1f ms", ms) }))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Problem != "" {
			if _, err := fmt.Fprintf(a.sys.Stdout, "%s: %s\n", oneLine(r.Name), oneLine(r.Problem)); err != nil {
				return err
			}
		}
	}
	return nil
}
