package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

func newLs(a *app) *cobra.Command {
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the projects that are served and how they are",
		Long: `List every project in the port map, and whether its instance is there:

  live           it has just proven to be the project's instance
  stale          nothing listens on its port: it crashed; its next start takes
                 the port again, and "berth doctor --fix" removes the entry
  not answering  something accepts connections on its port and stays silent:
                 the instance hangs, and "berth stop --force" ends it
  squatted       something listens on its port that is not the project's
                 instance

With --watch the list is printed again whenever it changes, until Ctrl-C;
with --json, as one line each time.`,
		Example: `  berth ls
  berth ls --json
  berth ls --watch`,
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := a.link(nil)
			if err != nil {
				return err
			}
			defer l.close()
			show := printProjects
			if asJSON {
				show = func(w io.Writer, list []project) error { return printJSON(w, list) }
			}
			if watch {
				return l.watch(cmd.Context(), func(list []project) error { return show(a.sys.Stdout, list) })
			}
			list, err := l.projects(cmd.Context())
			if err != nil {
				return err
			}
			return show(a.sys.Stdout, list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	cmd.Flags().BoolVar(&watch, "watch", false, "print again after every change")
	return cmd
}

// The states of a project. The documents know these, but for the one of an
// instance that hangs.
const (
	stateLive         = "live"
	stateStale        = "stale"
	stateNotAnswering = "not answering"
	stateSquatted     = "squatted"
)

// noteGone is said of an instance whose folder was deleted or moved away.
const noteGone = "its folder is gone; the instance ends within a minute if it does not come back"

// project is one entry of the list. What only a live instance knows is null
// for the others; of one that does not answer the process is known where its
// file names one that is alive.
type project struct {
	ProjectRoot    string     `json:"projectRoot"`
	Port           int        `json:"port"`
	URL            string     `json:"url"`
	State          string     `json:"state"`
	PID            *int       `json:"pid"`
	Version        *string    `json:"version"`
	StartedAt      *time.Time `json:"startedAt"`
	ActiveDesigner *string    `json:"activeDesigner"`
	SyncState      *string    `json:"syncState"`
	Approvals      *int       `json:"approvals"` // plans that wait for a person

	Leases  []wire.Lease `json:"leases"`  // who holds it, beside pages and calls
	IdleEnd *string      `json:"idleEnd"` // how long after its last use it ends; null: when it is stopped

	Databases []wire.Database `json:"databases"`      // the first of them
	Note      string          `json:"note,omitempty"` // what is odd about it
}

// projects looks at every entry of the map, many at once.
func (l *link) projects(ctx context.Context) ([]project, error) {
	entries, err := l.store.Entries()
	if err != nil {
		return nil, err
	}
	return l.look(ctx, entries), nil
}

func (l *link) look(ctx context.Context, entries map[string]int) []project {
	list := make([]project, 0, len(entries))
	for _, e := range l.client.Look(ctx, entries) {
		list = append(list, projectOf(e))
	}
	return list
}

// lookAt looks at one entry, in the map or not.
func (l *link) lookAt(ctx context.Context, root string, port int) project {
	return l.look(ctx, map[string]int{root: port})[0]
}

// projectOf returns what the list shows of an entry.
func projectOf(e proxy.Entry) project {
	p := project{ProjectRoot: e.Root, Port: e.Port, URL: wire.URL(e.Port)}
	inst := e.Instance
	switch e.State {
	case proxy.Stale:
		p.State = stateStale
		return p
	case proxy.Live:
		p.State = stateLive
	case proxy.Hung:
		p.State = stateNotAnswering
		if inst != nil && stillThere(*inst) {
			p.PID, p.Version, p.StartedAt = &inst.PID, &inst.Version, &inst.StartedAt
		}
		return p
	default:
		p.State = stateSquatted
		return p
	}
	if _, err := os.Stat(p.ProjectRoot); errors.Is(err, fs.ErrNotExist) {
		p.Note = noteGone
	}
	p.PID, p.Version, p.StartedAt = &inst.PID, &inst.Version, &inst.StartedAt
	if s := e.Status; s != nil {
		p.ActiveDesigner, p.SyncState = nonEmpty(s.ActiveDesigner), nonEmpty(s.SyncState)
		p.Approvals, p.Databases = &s.Approvals, s.Databases
		p.Leases, p.IdleEnd = s.Leases, nonEmpty(s.IdleEnd)
	}
	return p
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func printProjects(w io.Writer, list []project) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no project is served; start one with: berth serve")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PROJECT\tPORT\tSTATE\tPID\tSINCE\tDESIGNER\tSYNC")
	for _, p := range list {
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", oneLine(p.ProjectRoot), p.Port, p.State,
			cell(p.PID, strconv.Itoa), cell(p.StartedAt, shortTime), cell(p.ActiveDesigner, oneLine), cell(p.SyncState, oneLine))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, p := range list {
		if p.Note != "" {
			if _, err := fmt.Fprintf(w, "%s: %s\n", oneLine(p.ProjectRoot), p.Note); err != nil {
				return err
			}
		}
		if p.Approvals == nil || *p.Approvals == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%d waiting for your approval: berth approvals %s\n", *p.Approvals, proxy.ShellWord(oneLine(p.ProjectRoot))); err != nil {
			return err
		}
	}
	return nil
}

// cell is a value of the table, "-" where there is none.
func cell[T any](v *T, text func(T) string) string {
	if v == nil {
		return "-"
	}
	return text(*v)
}

func shortTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
